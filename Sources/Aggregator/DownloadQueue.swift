import Downloader
import EpisodeStore
import FoundationEssentials
import Synchronization

/// Drains the download queue: chooses what starts, and counts how it ends.
///
/// Only the holder of the queue lock runs one. Every state is in the store before the first byte moves.
struct DownloadQueue {
    let aggregator: Aggregator
    let loop: TransferLoop
    let resumeFolder: ResumeFolder
    let space: DownloadSpace
    /// Nil where metered connections are as good as others.
    let meter: MeteredGate?
    let renewal: AddressRenewal

    /// What was in the queue before and is not wanted in this run; what comes into it meanwhile is taken on.
    let setAside: Set<EpisodeID>
    /// What the user asked for by hand.
    let askedFor: Set<EpisodeID>
    let report: SyncReport

    private var library: Library { aggregator.library }

    /// Downloads until nothing in the queue can go on, or no more may be taken on.
    func drain() async throws(AggregatorError) -> SyncSummary {
        var summary = SyncSummary()
        do {
            try await withThrowingTaskGroup(of: QueueStep.self) { group in
                var running: [EpisodeID: RunningDownload] = [:]
                var done: Set<EpisodeID> = []
                var isAccepting = true
                var line: TransferLine?
                var reading = QueueReading()
                group.addTask { await nextLook() }
                while true {
                    let isFresh = line == nil
                    if isAccepting && !Task.isCancelled {
                        for download in try await startable(
                            &line, &reading, running: running, done: done)
                        {
                            let run = RunningDownload(download) { try await runUntilFull(download, $0) }
                            running[download.id] = run
                            group.addTask { .ended(try await run.end()) }
                            group.addTask {
                                await run.milestones.isReceived() ? .received(download.id) : .neverReceived
                            }
                        }
                    }
                    if running.isEmpty {
                        if isFresh || !isAccepting || Task.isCancelled { break }
                        line = nil
                        continue
                    }
                    switch try await group.next() {
                    case .looked?:
                        // A moment has passed: other processes may have paused, cancelled or queued something.
                        if !Task.isCancelled {
                            if reading.isDue { line = nil }
                            try await stopUnwanted(running)
                            group.addTask { await nextLook() }
                        }
                    case .received(let id)?:
                        running[id]?.isReceived = true
                    case .ended(let end)?:
                        running[end.id] = nil
                        space.release(end.id)
                        // What was paused may be resumed within this drain.
                        if end.outcome != .withdrawn { done.insert(end.id) }
                        summary.count(end.outcome)
                        // Whatever else is queued would only fail in the same way.
                        if end.outcome == .diskFull { isAccepting = false }
                    case .neverReceived?, nil:
                        break
                    }
                }
                group.cancelAll()
                if !Task.isCancelled {
                    summary.heldDownloads += try await holdBack(except: done)
                    summary.waitingDownloads += try await tellPostponed(except: done)
                }
            }
        } catch let error as AggregatorError {
            throw error
        } catch let error as StoreError {
            throw AggregatorError(error)
        } catch {
            throw .unreachable("the download queue", reason: "\(error)")
        }
        return summary
    }

    /// Stops the transfers that another process has paused, cancelled or deleted.
    ///
    /// One that has begun and is queued now was paused and resumed in between: it stops too, and starts again from its
    /// row. One that has not begun yet is still on its way there, however slow the machine is.
    private func stopUnwanted(_ running: [EpisodeID: RunningDownload]) async throws(StoreError) {
        for (id, run) in running {
            // Asked before the row: it may begin in between.
            let hasBegun = run.milestones.hasBegun
            switch try await library.downloadState(of: id) {
            case .active, .waiting: break
            case .queued where !hasBegun: break
            default: run.stop()
            }
        }
    }

    /// Waits until it is time to look at what other processes have done to the queue.
    private func nextLook() async -> QueueStep {
        // A cancelled wait is over.
        try? await Task.sleep(for: .seconds(1))
        return .looked
    }

    /// Takes what may start now from the line; each download is tried once in a drain, for the engine retries within it.
    ///
    /// The whole queue is read where there is no line, and otherwise only the row of what is to start.
    private func startable(
        _ line: inout TransferLine?, _ reading: inout QueueReading, running: [EpisodeID: RunningDownload],
        done: Set<EpisodeID>
    ) async throws(StoreError) -> [QueuedDownload] {
        var current: TransferLine
        if let line {
            current = line
        } else {
            let start = ContinuousClock.now
            let due = try await due().filter {
                running[$0.id] == nil && !done.contains($0.id) && meter?.holds($0) != true
            }
            current = TransferLine(due.map(QueuedTransfer.init))
            report(.queueRead(due.map(QueuedSize.init)))
            reading = QueueReading(begunAt: start)
        }
        let limits = TransferLimits(
            total: aggregator.settings.transfers, perHost: aggregator.settings.transfersPerHost)
        // What is only on its way into the library needs no connection.
        let transferring = running.values.filter { !$0.isReceived }
        var perHost = Dictionary(transferring.map { ($0.host, 1) }, uniquingKeysWith: +)
        var chosen: [QueuedDownload] = []
        while let key = current.next(running: perHost, limits: limits) {
            guard let id = Int64(key).map(EpisodeID.init(rawValue:)), running[id] == nil, !done.contains(id),
                let download = try await library.queuedDownload(id), isDue(download),
                meter?.holds(download) != true
            else { continue }
            perHost[download.host, default: 0] += 1
            chosen.append(download)
        }
        line = current
        return chosen
    }

    /// What could be fetched now.
    private func due() async throws(StoreError) -> [QueuedDownload] {
        let queue = try await library.queue()
        let pauses = HostPauses(queue, askedFor: askedFor, now: aggregator.now())
        return queue.filter { isDue($0) && pauses.end(for: $0) == nil }
    }

    private func isDue(_ download: QueuedDownload) -> Bool {
        let isReachable = !aggregator.isOffline || download.url.hasPrefix("file:")
        let now = aggregator.now()
        return isReachable && (download.notBefore ?? now) <= now && !setAside.contains(download.id)
    }

    /// Marks what the metered connection holds back; returns how many downloads that are.
    private func holdBack(except done: Set<EpisodeID>) async throws(StoreError) -> Int {
        guard let meter else { return 0 }
        let held = try await due().filter { meter.holds($0) && !done.contains($0.id) }
        for download in held {
            try await library.markWaiting(
                download.id, reason: MeteredGate.reason, until: nil, now: aggregator.now())
            report(.downloadHeld(EpisodeReference(download), reason: MeteredGate.reason))
        }
        return held.count
    }

    /// Tells of the downloads that an earlier run postponed to a time still to come; returns how many those are.
    private func tellPostponed(except done: Set<EpisodeID>) async throws(StoreError) -> Int {
        let now = aggregator.now()
        var count = 0
        let queue = try await library.queue()
        let pauses = HostPauses(queue, askedFor: askedFor, now: now)
        for download in queue where !done.contains(download.id) && !setAside.contains(download.id) {
            guard !aggregator.isOffline, let hold = download.hold(pauses, now: now) else { continue }
            count += 1
            report(
                .downloadPostponed(EpisodeReference(download), reason: hold.reason, until: hold.until))
        }
        return count
    }

    /// Runs one download; a store without space ends it, and nothing else.
    ///
    /// Its row then says what it said before, and the next run puts that right.
    private func runUntilFull(
        _ download: QueuedDownload, _ milestones: DownloadMilestones
    ) async throws -> DownloadEnd {
        do {
            let run = DownloadRun(
                queue: self, download: download, rendition: try await aggregator.rendition(of: download),
                milestones: milestones)
            return DownloadEnd(id: download.id, outcome: try await run.run())
        } catch StoreError.full {
            report(.downloadPostponed(EpisodeReference(download), reason: "the disk is full"))
            return DownloadEnd(id: download.id, outcome: .diskFull)
        }
    }
}

/// A download with the task that carries it out.
///
/// A transfer that makes no progress would not find out by itself that another process has paused it.
private struct RunningDownload {
    let host: String
    let milestones: DownloadMilestones
    var isReceived = false
    private let task: Task<DownloadEnd, any Error>

    init(
        _ download: QueuedDownload,
        _ work: @escaping @Sendable (DownloadMilestones) async throws -> DownloadEnd
    ) {
        let milestones = DownloadMilestones()
        host = download.host
        self.milestones = milestones
        task = Task {
            defer { milestones.noteEnd() }
            return try await work(milestones)
        }
    }

    func stop() { task.cancel() }

    /// Waits for the end; cancelled with the task that waits.
    func end() async throws -> DownloadEnd {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// How far a download has come, for those who watch it.
final class DownloadMilestones: Sendable {
    private let begun = Atomic(false)
    private let received = AsyncStream.makeStream(of: Void.self)

    /// Whether its row says that it runs.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    func noteBegun() { begun.store(true, ordering: .releasing) }

    /// Notes that its bytes are all here.
    func noteReceived() { received.continuation.yield() }

    func noteEnd() { received.continuation.finish() }

    /// Waits until its bytes are all here; false where it ends without that.
    func isReceived() async -> Bool {
        for await _ in received.stream { return true }
        return false
    }
}

/// How long the last reading of the whole queue took, and when it ended.
///
/// A queue of many thousands is read less often than each second, so that reading it stays a small part of the work.
private struct QueueReading {
    private var next = ContinuousClock.now

    init() {}

    init(begunAt start: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        next = now + (now - start) * 20
    }

    /// Whether it may be read again.
    var isDue: Bool { ContinuousClock.now >= next }
}

/// What the drain of a queue waits for.
private enum QueueStep: Sendable {
    case ended(DownloadEnd)
    /// Its bytes are all here.
    case received(EpisodeID)
    case neverReceived
    /// It is time to look at what other processes have done.
    case looked
}

/// How one download of a drain ended.
private struct DownloadEnd: Sendable {
    let id: EpisodeID
    let outcome: DownloadOutcome
}

extension SyncSummary {
    fileprivate mutating func count(_ outcome: DownloadOutcome) {
        switch outcome {
        case .done: downloaded += 1
        case .failed: failedDownloads += 1
        case .waiting: waitingDownloads += 1
        case .diskFull:
            waitingDownloads += 1
            isDiskFull = true
        case .held: heldDownloads += 1
        case .interrupted: interruptedDownloads += 1
        case .withdrawn: break
        }
    }
}

extension QueuedSize {
    fileprivate init(_ download: QueuedDownload) {
        id = download.id.rawValue
        byteCount = (download.expectedByteCount ?? download.claimedLength)
            .map { max(0, $0 - download.byteCount) }
    }
}

extension QueuedTransfer {
    fileprivate init(_ download: QueuedDownload) {
        self.init(
            key: download.id.description, host: download.host, isUserRequest: download.origin == .user,
            show: download.feedID.description,
            serialNumber: download.isSerial
                ? download.episode.map { SerialNumber(season: download.season ?? 0, episode: $0) } : nil,
            published: Int64(download.sortDate.timeIntervalSince1970))
    }
}
