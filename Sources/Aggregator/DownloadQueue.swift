import Downloader
import EpisodeStore
import FoundationEssentials
import Glibc

/// Drains the download queue: chooses what starts, follows what runs, records how it ends.
///
/// Only the holder of the queue lock runs one. Every state is in the store before the first byte moves.
struct DownloadQueue {
    let aggregator: Aggregator
    let loop: TransferLoop
    let resumeFolder: ResumeFolder
    let report: SyncReport

    private var library: Library { aggregator.library }

    /// Downloads until nothing in the queue can go on; `refreshFeed` gets the fresh address of a refused episode.
    func drain() async throws(AggregatorError) -> SyncSummary {
        var summary = SyncSummary()
        do {
            try await withThrowingTaskGroup(of: DownloadEnd.self) { group in
                var running: [EpisodeID: QueuedDownload] = [:]
                var done: Set<EpisodeID> = []
                while true {
                    if !Task.isCancelled {
                        for download in try await startable(running: running, done: done) {
                            running[download.id] = download
                            group.addTask { try await run(download) }
                        }
                    }
                    guard let end = try await group.next() else { break }
                    running[end.id] = nil
                    done.insert(end.id)
                    summary.count(end.outcome)
                }
            }
        } catch let error as AggregatorError {
            throw error
        } catch let error as StoreError {
            throw .store(reason: error.description)
        } catch {
            throw .unreachable("the download queue", reason: "\(error)")
        }
        return summary
    }

    /// What may start now; each download is tried once in a drain, for the engine retries within it.
    private func startable(
        running: [EpisodeID: QueuedDownload], done: Set<EpisodeID>
    ) async throws(StoreError) -> [QueuedDownload] {
        let now = aggregator.now()
        let queue = try await library.queue().filter { download in
            let isDue = download.origin == .user || (download.notBefore ?? now) <= now
            let isReachable = !aggregator.isOffline || download.url.hasPrefix("file:")
            return isDue && isReachable && running[download.id] == nil && !done.contains(download.id)
        }
        let keys = chooseTransfers(
            queued: queue.map(QueuedTransfer.init),
            running: running.values.map { RunningTransfer(key: $0.id.description, host: $0.host) },
            limits: TransferLimits(
                total: aggregator.settings.transfers, perHost: aggregator.settings.transfersPerHost))
        return keys.compactMap { key in queue.first { $0.id.description == key } }
    }

    /// Runs one download from its reservation to its last recorded state.
    private func run(_ download: QueuedDownload) async throws -> DownloadEnd {
        let episode = EpisodeReference(download)
        let request: DownloadRequest
        do {
            request = try await reserve(download)
            guard try await library.markActive(download.id, owner: getpid(), now: aggregator.now()) else {
                return DownloadEnd(id: download.id, outcome: .withdrawn)
            }
        } catch let error as AggregatorError {
            try await fail(download, error.description, isTemporary: true, hasResume: download.hasResumeData)
            return DownloadEnd(id: download.id, outcome: .failed)
        }
        var outcome = DownloadEnd.Outcome.interrupted
        var lastRecorded = ContinuousClock.now
        var expected = ExpectedSize.unknown
        var isWaiting = false
        for await event in loop.download(request) {
            switch event {
            case .started(let start):
                if isWaiting {
                    isWaiting = false
                    _ = try await library.markActive(download.id, owner: getpid(), now: aggregator.now())
                }
                report(
                    .downloadStarted(
                        episode, resumedFrom: start.resumedFrom,
                        restartReason: start.restartReason?.description))
                expected = start.expected
                try await record(download, byteCount: start.resumedFrom, expected, rate: nil)
            case .progress(let progress):
                report(.downloadProgressed(episode, DownloadProgress(progress)))
                expected = progress.expected
                // Rows are for other processes to look at: at most one in 1.5 s.
                if lastRecorded.duration(to: .now) >= .milliseconds(1500) {
                    lastRecorded = .now
                    let state = try await record(
                        download, byteCount: progress.byteCount, expected, rate: progress.bytesPerSecond)
                    // Cancelled, paused or unsubscribed by another process.
                    if state != .active { return withdrawn(download) }
                }
            case .waiting(let reason, let delay):
                let seconds = delay / .seconds(1)
                isWaiting = true
                _ = try await library.markWaiting(
                    download.id, reason: reason.words, until: aggregator.now().addingTimeInterval(seconds),
                    now: aggregator.now())
                report(.downloadWaits(episode, reason: reason.words, seconds: seconds))
            case .finished(let file):
                try await finish(download, file)
                outcome = .done
            case .failed(let failure):
                try await record(download, byteCount: failure.byteCount, expected, rate: nil)
                outcome = .failed
                if failure.isTemporary, case .status(let head) = failure.error, let pause = head.retryAfter {
                    try await postpone(download, failure.error.description, by: pause)
                    continue
                }
                try await fail(
                    download, failure.error.description, isTemporary: failure.isTemporary,
                    hasResume: failure.hasResume)
                outcome = .failed
            case .paused(let byteCount, let hasResume):
                try await record(download, byteCount: byteCount, expected, rate: nil)
                _ = try await library.markQueued(
                    download.id, reason: "interrupted", hasResumeData: hasResume, now: aggregator.now())
                report(.downloadInterrupted(episode, canResume: hasResume))
            }
        }
        return DownloadEnd(id: download.id, outcome: outcome)
    }

    /// Fixes the file's name before a byte moves, and makes the engine's request.
    private func reserve(_ download: QueuedDownload) async throws -> DownloadRequest {
        let folder =
            download.folder ?? feedFolderName(download.feedTitle, id: download.feedID)
        let targetFolder = aggregator.absolutePath(ofStored: folder)
        try createFolders(targetFolder)
        let preferred = cleanFileStem(
            nameTemplate(date: download.published, title: download.title), byteLimit: 200)
        let stem = try await library.reserveFileStem(
            for: download.id, folder: folder, preferredStem: preferred, now: aggregator.now())

        var request = DownloadRequest(
            key: download.id.description, url: download.url, resumeFolder: resumeFolder,
            targetFolder: targetFolder, fileStem: stem)
        request.estimatedByteCount = download.claimedLength
        request.exactByteCount = download.isExpectedExact ? download.expectedByteCount : nil
        request.declaredType = download.type
        if case .file(let path) = FeedSource(storedURL: download.feedURL) {
            request.localFolder = folderPart(of: path)
        } else {
            request.credentials = credentials(for: download.url, feedURL: download.feedURL)
        }
        return request
    }

    /// Ends a transfer that is no longer wanted; letting go of its events stops it.
    private func withdrawn(_ download: QueuedDownload) -> DownloadEnd {
        report(.note("\(download.feedTitle): \(download.title): stopped, for it is not wanted any more"))
        return DownloadEnd(id: download.id, outcome: .withdrawn)
    }

    @discardableResult
    private func record(
        _ download: QueuedDownload, byteCount: Int64, _ expected: ExpectedSize, rate: Double?
    ) async throws -> DownloadState {
        let isExact = if case .exact = expected { true } else { false }
        return try await library.recordProgress(
            of: download.id, byteCount: byteCount, expected: expected.byteCount, isExact: isExact, rate: rate,
            hasResumeData: resumeFolder.canResume(download.id.description))
    }

    private func finish(_ download: QueuedDownload, _ file: FinishedDownload) async throws {
        let stored = relativePath(file.path, from: aggregator.mediaFolder)
        try await library.markDone(
            download.id,
            DownloadResult(
                path: stored, byteCount: file.byteCount, isVerified: file.isVerified,
                contentType: file.contentType, container: file.container?.rawValue),
            now: aggregator.now())
        // Only now: until the row is committed, the record is what finds the published file again.
        try resumeFolder.remove(download.id.description)
        report(
            .downloadFinished(
                EpisodeReference(download),
                FinishedFile(
                    path: file.path, byteCount: file.byteCount, isVerified: file.isVerified,
                    requestCount: file.requestCount, restartCount: file.restartCount)))
    }

    /// Leaves a download waiting that the server wants later than a run lasts.
    private func postpone(
        _ download: QueuedDownload, _ message: String, by pause: Duration
    ) async throws {
        _ = try await library.markWaiting(
            download.id, reason: message, until: aggregator.now().addingTimeInterval(pause / .seconds(1)),
            now: aggregator.now())
        report(.downloadFailed(EpisodeReference(download), message: message, canResume: false))
    }

    private func fail(
        _ download: QueuedDownload, _ message: String, isTemporary: Bool, hasResume: Bool
    ) async throws {
        _ = try await library.markFailed(
            download.id, message, isTemporary: isTemporary, hasResumeData: hasResume, now: aggregator.now())
        report(.downloadFailed(EpisodeReference(download), message: message, canResume: hasResume))
    }
}

/// How one download of a drain ended.
private struct DownloadEnd: Sendable {
    enum Outcome { case done, failed, interrupted, withdrawn }

    let id: EpisodeID
    let outcome: Outcome
}

extension SyncSummary {
    fileprivate mutating func count(_ outcome: DownloadEnd.Outcome) {
        switch outcome {
        case .done: downloaded += 1
        case .failed: failedDownloads += 1
        case .interrupted: interruptedDownloads += 1
        case .withdrawn: break
        }
    }
}

extension DownloadProgress {
    fileprivate init(_ progress: TransferProgress) {
        byteCount = progress.byteCount
        expectedByteCount = progress.expected.byteCount
        expectedIsExact = if case .exact = progress.expected { true } else { false }
        bytesPerSecond = progress.bytesPerSecond
        secondsLeft = progress.timeLeft.map { left in
            switch left {
            case .almostDone: 0
            case .duration(let duration): duration / .seconds(1)
            }
        }
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

extension ResumeFolder {
    /// Whether the next attempt goes on where this one stops.
    fileprivate func canResume(_ key: String) -> Bool {
        if case .resumable = status(of: key) { true } else { false }
    }
}

/// The folder of a feed within the library: its title, made safe, or its number where nothing of that is left.
func feedFolderName(_ title: String, id: FeedID) -> String {
    let name = cleanFileStem(title, byteLimit: 200)
    return name.isEmpty ? "Feed \(id)" : unreservedFolderName(name)
}

extension WaitReason {
    fileprivate var words: String {
        switch self {
        case .network: "the network does not answer"
        case .retryAfter: "the server asked for a pause"
        case .backoff: "the last attempt failed"
        }
    }
}

/// Fills the name template `{date} {title}`; an undated episode goes without the date.
func nameTemplate(date: Date?, title: String) -> String {
    guard let date else { return title }
    // The day in UTC: the same name on every machine, whatever its time zone.
    return String(date.ISO8601Format().prefix(10)) + " " + title
}

/// The path as seen from `folder`, or itself where it does not lie below it.
func relativePath(_ path: String, from folder: String) -> String {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
}
