import Glibc

/// One download over all its attempts, from the first request to the published file.
///
/// Lives on the loop's thread. What to do is decided by `planRequest`, `decideResume`, `judgeCompleteness` and
/// `decideRetry`; this class does it and tells the caller.
final class Download: LoopJob {
    enum Phase {
        case idle
        case transferring(Transfer)
        /// Until its time has come, or until the host answers.
        case waiting
        case publishing
        /// The files are made safe; then this is told as the last event.
        case settling(DownloadEvent)
    }

    /// What happens once the sink has stopped a transfer.
    enum Stop {
        case startOver(RestartReason)
        case publish
        case fail(TransferError)
    }

    let id: Int
    let request: DownloadRequest
    let host: String
    unowned let worker: TransferWorker
    let events: EventQueue

    var phase = Phase.idle
    var partial: PartialDownload
    var plan = RequestPlan.fromStart(nil)
    /// Set where the last answer made the bytes at hand worthless.
    var startOverReason: RestartReason?
    var stop: Stop?
    var rate = TransferRate()
    var lastProgress: ContinuousClock.Instant?
    var lastSync = ContinuousClock.now
    var isSyncing = false
    /// Up to where the disk was asked to write what has come.
    var writtenBackByteCount: Int64 = 0
    /// Where the range of the present answer ends, so that a part that is cut short is no whole.
    var promisedEnd: Int64?
    var isVerified = false
    private(set) var hasKey = false
    private var history = RetryHistory()
    private var furthestByteCount: Int64
    /// Whether the next request only tries whether the host is back.
    private var isProbing = false
    /// Whether the caller knows that the host is away.
    var isAbsenceTold = false
    /// Whether the present request has brought a response's head.
    var hasAnswer = false
    /// Whether the whole file was asked for, once, because the range seemed to be refused.
    private var hasAskedForWhole = false
    let copyIsCancelled = CancelFlag()

    init(id: Int, request: DownloadRequest, events: EventQueue, worker: TransferWorker) {
        self.id = id
        self.request = request
        self.events = events
        self.worker = worker
        host = Address(request.url)?.host ?? ""
        partial = PartialDownload(folder: request.resumeFolder, key: request.key, url: request.url)
        furthestByteCount = partial.byteCount
        writtenBackByteCount = partial.byteCount
    }

    // MARK: LoopJob

    func start() {
        guard ResumeFolder.isSafe(request.key) else { return refuse(.failed("name", request.key, EINVAL)) }
        hasKey = worker.takeKey(request.key)
        guard hasKey else { return refuse(.keyInUse(request.key)) }
        if let path = publishedPath() {
            finish(.finished(adopted(path)))
        } else if request.url.lowercased().hasPrefix("file:") {
            copyLocalFile()
        } else {
            attempt()
        }
    }

    func wake() {
        if case .waiting = phase { attempt() }
    }

    func cancel() {
        copyIsCancelled.set()
        switch phase {
        case .transferring(let transfer):
            worker.stop(transfer)
            partial.keepOpening()
            pause()
        case .idle, .waiting:
            pause()
        case .publishing, .settling:
            // A file on its way into the library arrives there.
            break
        }
    }

    func abandon(_ error: TransferError) {
        finish(.failed(failure(error, isTemporary: true)))
    }

    func diskWorkDone(_ result: DiskResult) {
        switch (result, phase) {
        case (.synced(let byteCount), .transferring), (.synced(let byteCount), .waiting):
            isSyncing = false
            partial.noteSynced(byteCount)
        case (.settled, .settling(let event)):
            finish(event)
        case (.published(let result), _):
            end(publishing: result)
        case (.synced, _), (.settled, _):
            break
        }
    }

    // MARK: Attempts

    /// Asks for the bytes still missing, now or when the host is back.
    private func attempt() {
        partial.reviseByteCount()
        plan = startOverReason.map { .fromStart($0) } ?? partial.plan(url: request.url)
        if plan == .nothing { return publishPartial(isVerified: true) }
        guard worker.mayAsk(host, job: id) else { return waitForHost(hasFailed: false) }
        stop = nil
        hasAnswer = false
        history.requestCount += 1
        partial.countRequest()
        do {
            let transfer = try Transfer(makeTransferRequest(), sink: self)
            phase = .transferring(transfer)
            rate.resume(byteCount: partial.byteCount, at: .now)
            worker.start(transfer)
        } catch {
            handleFailure(error)
        }
    }

    private func makeTransferRequest() -> TransferRequest {
        var transfer = TransferRequest(url: request.url, configuration: worker.configuration)
        if isProbing {
            let retry = worker.configuration.retry
            transfer.configuration.connectTimeout = min(
                transfer.configuration.connectTimeout, retry.probeTimeout)
        }
        transfer.userAgent = request.userAgent ?? transfer.userAgent
        transfer.credentials = request.credentials
        // A limit is kept to between two reads, so each of them must be small.
        transfer.receiveBufferByteCount = worker.configuration.bandwidthLimit == nil ? 512 << 10 : 16 << 10
        transfer.sharesBandwidth = true
        // A compressed body would make sizes and ranges speak of other bytes than those of the file.
        transfer.headers = ["Accept-Encoding: identity"]
        if case .range(let first, let validator) = plan {
            transfer.range = "\(first)-"
            transfer.headers.append("If-Range: \(headerText(validator.field))")
        }
        return transfer
    }

    /// Takes the next step after an attempt that brought no whole file.
    func handleFailure(_ error: TransferError) {
        if case .unreachable = error {
            isProbing = true
        } else {
            isProbing = false
            worker.hostAnswered(host)
        }
        if case .range = plan {
            let refusal = judgeRangeRefusal(error, hasAnswer: hasAnswer)
            let isBelieved = partial.noteRefusal(refusal)
            if isBelieved, !hasAskedForWhole {
                hasAskedForWhole = true
                return startOver(.rangeRefused)
            }
            // The whole file was there a moment ago, and broke off: the next run may do better.
            if refusal != .none, hasAskedForWhole, case .status = error {
                return fail(error, isTemporary: true)
            }
        }
        if isProgress(
            partial.byteCount - furthestByteCount, of: partial.totalByteCount,
            policy: worker.configuration.retry)
        {
            furthestByteCount = partial.byteCount
            history.failureCount = 0
        }
        history.failureCount += 1
        history.networkWait = worker.networkWait
        history.isHostGivenUp = worker.isGivenUp(host)
        history.hasHostAnswered = worker.hasAnswered(host)
        history.canWaitForNetwork = partial.canResume(url: request.url) || history.hasHostAnswered
        let decision = decideRetry(
            after: error, history: history, policy: worker.configuration.retry, jitter: .random(in: 0...1))
        switch decision {
        case .retry(let pause): wait(.backoff, pause)
        case .retryAsTold(let pause): wait(.retryAfter, pause)
        case .waitForNetwork: waitForHost(hasFailed: true)
        case .fail(let isTemporary):
            fail(error, isTemporary: isTemporary)
            if case .unreachable = error { worker.giveUp(host, error) }
        }
    }

    /// Gives up with the transfer that probed the host, unless there is something worth waiting for.
    func hostIsGivenUp(_ error: TransferError) {
        let isPatienceSpent = worker.networkWait >= networkPatience
        guard case .waiting = phase, isPatienceSpent || !partial.canResume(url: request.url) else { return }
        fail(error.asking(request.url), isTemporary: true)
    }

    func startOver(_ reason: RestartReason) {
        startOverReason = reason
        phase = .waiting
        worker.wake(id, at: .now)
    }

    private func wait(_ reason: WaitReason, _ pause: Duration) {
        phase = .waiting
        worker.wake(id, at: .now + pause)
        syncSoon()
        events.push(.waiting(reason, pause))
    }

    private func waitForHost(hasFailed: Bool) {
        phase = .waiting
        isProbing = true
        _ = worker.waitForHost(host, job: id, hasFailed: hasFailed)
        if isAbsenceTold { return }
        isAbsenceTold = true
        events.push(.waiting(.network, max(.zero, networkPatience - worker.networkWait)))
    }

    private var networkPatience: Duration {
        worker.configuration.retry.patience(hasAnswered: worker.hasAnswered(host))
    }
}
