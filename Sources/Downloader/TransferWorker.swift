internal import CCurl

/// The loop's thread: owns the multi handle and all jobs, and waits in libcurl for whatever comes first.
///
/// Made by `TransferLoop.init` and handed to the thread, which alone uses it from then on.
final class TransferWorker {
    let configuration: TransferConfiguration
    let mailbox: Mailbox
    private let multi: MultiHandle
    private var jobs: [Int: any LoopJob] = [:]
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var hosts: UnreachableHosts
    private var answeredHosts: Set<String> = []
    /// Hosts that somebody waited for in vain.
    private var givenUpHosts: Set<String> = []
    private let groupPublisher = GroupPublisher()
    /// The downloads that are on their way into the library, with the bytes that each still has in memory.
    private var publishing: [Int: Int] = [:]
    private var heldByteCount = 0
    private var keysInUse: Set<String> = []
    private var jobsToWake: [Int] = []
    /// When jobs want to be woken; most wait for something else, so that looking at these alone costs nothing.
    private var wakeTimes: [Int: ContinuousClock.Instant] = [:]
    private var isShuttingDown = false
    private var shutDownWaiters: [CheckedContinuation<Void, Never>] = []

    init(_ configuration: TransferConfiguration) throws(TransferError) {
        self.configuration = configuration
        multi = try MultiHandle(configuration)
        mailbox = Mailbox(waking: multi.pointer)
        hosts = UnreachableHosts(policy: configuration.retry)
    }

    /// Works until it is shut down and the last job has ended.
    func run() {
        do {
            while !isShuttingDown || !jobs.isEmpty {
                for command in mailbox.takeAll() { handle(command) }
                wakeDueJobs()
                try multi.perform()
                endFinishedTransfers()
                if !isShuttingDown || !jobs.isEmpty { try multi.poll(timeout: timeUntilNextWake()) }
            }
        } catch {
            abandonAll(error)
        }
        for command in mailbox.close() { refuse(command) }
        for waiter in shutDownWaiters { waiter.resume() }
    }

    // MARK: What jobs ask for

    func start(_ transfer: Transfer) {
        do {
            try multi.add(transfer.easy)
            transfers[transfer.easy.pointer] = transfer
            shareBandwidth()
        } catch {
            transfer.end(with: error)
        }
    }

    /// Takes a transfer back from libcurl; its sink hears nothing more.
    func stop(_ transfer: Transfer) {
        multi.remove(transfer.easy)
        transfers[transfer.easy.pointer] = nil
        shareBandwidth()
    }

    /// Runs slow work on a thread of its own, or here if there is none, and reports its result to the job.
    func runOnDiskThread(for id: Int, _ work: @escaping @Sendable () -> DiskResult) {
        let mailbox = mailbox
        let isStarted = startThread { mailbox.post(.diskWorkDone(id: id, work())) }
        if !isStarted { mailbox.post(.diskWorkDone(id: id, work())) }
    }

    /// Publishes a finished file on another thread: small ones together, with what they need of syncs in common.
    ///
    /// Returns whether so few are on their way that another download may take the place of this one.
    func publish(_ order: PublishOrder, for id: Int) -> Bool {
        publishing[id] = order.bytes.heldByteCount
        heldByteCount += order.bytes.heldByteCount
        if order.hasRecord {
            runOnDiskThread(for: id) {
                .published(Result { () throws(TransferError) in try Downloader.publish(order) })
            }
        } else {
            groupPublisher.publish(order) { [mailbox] result in
                mailbox.post(.diskWorkDone(id: id, .published(result)))
            }
        }
        return publishing.count < Self.mostPublishing && heldByteCount < Self.mostHeldByteCount
    }

    /// Each has its file open.
    private static let mostPublishing = 256
    private static let mostHeldByteCount = 4 << 20

    /// Reserves a download's key; false if another download has it.
    func takeKey(_ key: String) -> Bool {
        keysInUse.insert(key).inserted
    }

    func removeJob(_ id: Int, key: String? = nil) {
        jobs[id] = nil
        wakeTimes[id] = nil
        hosts.remove(id, now: .now)
        if let key { keysInUse.remove(key) }
    }

    /// Wakes a job once, at a time.
    func wake(_ id: Int, at time: ContinuousClock.Instant) { wakeTimes[id] = time }

    func mayAsk(_ host: String, job id: Int) -> Bool { hosts.mayAsk(host, job: id) }

    func isGivenUp(_ host: String) -> Bool { givenUpHosts.contains(host) }

    func hasAnswered(_ host: String) -> Bool { answeredHosts.contains(host) }

    /// How long this loop has waited for hosts in vain.
    var networkWait: Duration { hosts.waitedTime(now: .now) }

    /// Lets a job wait until its host answers; returns the time of the next probe.
    func waitForHost(_ host: String, job id: Int, hasFailed: Bool) -> ContinuousClock.Instant {
        hosts.wait(id, for: host, hasFailed: hasFailed, now: .now)
    }

    /// Notes that a host answers; all who waited for that are woken in the loop's next round.
    ///
    /// Not at once, for this is called from within libcurl, which takes no new transfers there.
    func hostAnswered(_ host: String) {
        answeredHosts.insert(host)
        givenUpHosts.remove(host)
        jobsToWake += hosts.answered(host, now: .now)
    }

    /// Tells all who wait for a host that the probing has ended without success.
    func giveUp(_ host: String, _ error: TransferError) {
        givenUpHosts.insert(host)
        for id in hosts.waiting(for: host) { jobs[id]?.hostIsGivenUp(error) }
    }

    // MARK: The loop

    private func handle(_ command: LoopCommand) {
        switch command {
        case .start where isShuttingDown:
            refuse(command)
        case .start(let id, let make):
            let job = make(self)
            jobs[id] = job
            job.start()
        case .cancel(let id):
            jobs[id]?.cancel()
        case .diskWorkDone(let id, let result):
            if case .published = result { heldByteCount -= publishing.removeValue(forKey: id) ?? 0 }
            jobs[id]?.diskWorkDone(result)
        case .shutDown(let waiter):
            isShuttingDown = true
            if let waiter { shutDownWaiters.append(waiter) }
            for job in Array(jobs.values) { job.cancel() }
        }
    }

    private func wakeDueJobs() {
        let now = ContinuousClock.now
        jobsToWake += hosts.takeProbes(now: now)
        jobsToWake += wakeTimes.filter { $0.value <= now }.keys.sorted()
        let due = jobsToWake
        jobsToWake = []
        for id in due {
            wakeTimes[id] = nil
            jobs[id]?.wake()
        }
    }

    private func endFinishedTransfers() {
        while let (easy, code) = multi.nextFinished() {
            guard let transfer = transfers[easy] else { continue }
            stop(transfer)
            transfer.end(with: code)
        }
    }

    private func timeUntilNextWake() -> Duration {
        if !jobsToWake.isEmpty { return .zero }
        let times = [wakeTimes.values.min(), hosts.nextProbe].compactMap(\.self)
        guard let next = times.min() else { return .seconds(3600) }
        return max(.zero, next - .now)
    }

    private func shareBandwidth() {
        guard let limit = configuration.bandwidthLimit else { return }
        let sharing = transfers.values.filter(\.sharesBandwidth)
        for transfer in sharing {
            let share = max(1024, limit / Int64(sharing.count))
            // A refused option leaves the transfer at its former share, which the next change mends.
            try? transfer.easy.set(CURLOPT_MAX_RECV_SPEED_LARGE, offset: share)
        }
    }

    private func abandonAll(_ error: TransferError) {
        for transfer in transfers.values { multi.remove(transfer.easy) }
        transfers = [:]
        for job in Array(jobs.values) { job.abandon(error) }
    }

    /// Answers a command that comes too late.
    private func refuse(_ command: LoopCommand) {
        switch command {
        case .start(_, let make): make(self).abandon(.loopUnavailable("the loop was shut down"))
        case .shutDown(let waiter?): shutDownWaiters.append(waiter)
        case .cancel, .diskWorkDone, .shutDown(nil): break
        }
    }
}
