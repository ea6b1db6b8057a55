import Downloader
import EpisodeStore
import FoundationEssentials
import Glibc

/// How one download ended within one run of the queue.
enum DownloadOutcome: Sendable {
    case done, failed, interrupted, withdrawn
    /// It goes on in a later run, for a reason that is stored.
    case waiting
    /// The connection costs by volume, and that is to be avoided.
    case held
    /// No byte more can be written; what arrived is kept.
    case diskFull
}

/// Runs one download of the queue, from the reservation of its name to its last recorded state.
struct DownloadRun {
    /// The queue that it belongs to, with all that its downloads share.
    let queue: DownloadQueue
    let download: QueuedDownload

    /// The file that the setting `quality` chose; nil for the enclosure.
    let rendition: Rendition?

    let milestones: DownloadMilestones

    private var aggregator: Aggregator { queue.aggregator }
    private var resumeFolder: ResumeFolder { queue.resumeFolder }
    private var library: Library { aggregator.library }
    private var episode: EpisodeReference { EpisodeReference(download) }

    func run() async throws -> DownloadOutcome {
        let request: DownloadRequest
        do {
            if let refusal = try await admit(expectedBeforehand) { return try await wait(refusal) }
            guard let reserved = try await begin() else { return .withdrawn }
            request = reserved
            milestones.noteBegun()
        } catch AggregatorError.noSpace(let reason) {
            return try await stopForSpace(reason)
        } catch let error as AggregatorError {
            try await fail(error.description, isTemporary: true, hasResume: download.hasResumeData)
            return .failed
        }
        return try await transfer(request)
    }

    /// Follows one transfer to its end.
    ///
    /// - Parameter isFresh: Whether the address comes from a feed that was just asked for it.
    private func transfer(
        _ request: DownloadRequest, isFresh: Bool = false
    ) async throws -> DownloadOutcome {
        var outcome = DownloadOutcome.interrupted
        var lastRecorded = ContinuousClock.now
        var isWaiting = false
        // What is left to do once the transfer has stopped; until then its file may still be published.
        var stop: (() async throws -> DownloadOutcome)?
        let events = queue.loop.download(request)
        for await event in events {
            if let stop {
                switch event {
                case .finished(let file): return try await finish(file)
                case .paused, .failed: return try await stop()
                case .started, .progress, .waiting, .received: continue
                }
            }
            switch event {
            case .started(let start):
                if isWaiting {
                    isWaiting = false
                    _ = try await library.markActive(download.id, owner: getpid(), now: aggregator.now())
                }
                queue.report(
                    .downloadStarted(
                        episode, resumedFrom: start.resumedFrom,
                        restartReason: start.restartReason?.description))
                // A small file is done before anybody could look at its row.
                if !start.comesAtOnce {
                    try await record(byteCount: start.resumedFrom, start.expected, rate: nil)
                }
                if isNews(start.expected), let refusal = try await admit(start.expected) {
                    stop = { try await wait(refusal) }
                    events.cancel()
                }
            case .progress(let progress):
                queue.report(.downloadProgressed(episode, DownloadProgress(progress)))
                if queue.meter?.holds(download) == true {
                    try await record(byteCount: progress.byteCount, progress.expected, rate: nil)
                    stop = hold
                    events.cancel()
                    continue
                }
                // Rows are for other processes to look at: at most one in 1.5 s.
                if lastRecorded.duration(to: .now) >= .milliseconds(1500) {
                    lastRecorded = .now
                    let state = try await record(
                        byteCount: progress.byteCount, progress.expected, rate: progress.bytesPerSecond)
                    // Cancelled, paused or unsubscribed by another process.
                    if state != .active {
                        stop = { try await withdrawn(state) }
                    } else if let shortage = queue.space.shortage() {
                        stop = { try await stopForSpace(shortage) }
                    }
                    if stop != nil { events.cancel() }
                }
            case .waiting(let reason, let delay):
                let seconds = delay / .seconds(1)
                isWaiting = true
                // Only a server's wish outlives this process; after a crash the other waits are over at once.
                let until = reason == .retryAfter ? aggregator.now().addingTimeInterval(seconds) : nil
                let words = reason.words(host: download.host)
                _ = try await library.markWaiting(
                    download.id, reason: words, until: until, now: aggregator.now())
                queue.report(
                    .downloadWaits(episode, reason: words, seconds: seconds, forHost: reason == .network))
            case .received:
                milestones.noteReceived()
            case .finished(let file):
                outcome = try await finish(file)
            case .failed(let failure):
                if !isFresh, isRefusal(failure.error), rendition != nil {
                    queue.report(
                        .note(
                            "\(download.feedTitle): \(download.title): \(failure.error); the main file is fetched"
                        ))
                    var request = request
                    request.integrity = []
                    request.declaredType = download.type
                    request.estimatedByteCount = download.claimedLength
                    return try await transfer(with(request, address: download.url), isFresh: true)
                }
                if !isFresh, isRefusal(failure.error),
                    let address = try await queue.renewal.newAddress(of: download)
                {
                    return try await transfer(with(request, address: address), isFresh: true)
                }
                outcome = try await end(with: failure)
            case .paused(let byteCount, let hasResume):
                try await record(byteCount: byteCount, .unknown, rate: nil)
                guard
                    try await library.markQueued(
                        download.id, reason: "interrupted", hasResumeData: hasResume, now: aggregator.now())
                else { return try await withdrawn(try await library.episode(download.id)?.state ?? .none) }
                queue.report(.downloadInterrupted(episode, canResume: hasResume))
            }
        }
        return outcome
    }

    /// Records a failure: as a wait where a later run may do better by itself.
    private func end(with failure: DownloadFailure) async throws -> DownloadOutcome {
        try await record(byteCount: failure.byteCount, failure.expected, rate: nil)
        switch failure.error {
        case .noSpace(let error):
            return try await stopForSpace(error.description)
        case .tooLarge:
            return try await wait("no room within the storage limit: the file is larger than what is left")
        case .unreachable(let error):
            // Being offline never counts against an episode.
            return try await wait("for the network: \(error)")
        case .status(let head) where failure.isTemporary && head.retryAfter != nil:
            let pause = min(head.retryAfter ?? .zero, longestServerPause) / .seconds(1)
            return try await wait(
                WaitReason.retryAfter.words(host: download.host),
                until: aggregator.now().addingTimeInterval(pause))
        default:
            try await fail(
                failure.error.description, isTemporary: failure.isTemporary, hasResume: failure.hasResume)
            return .failed
        }
    }

    /// Claims the download and fixes the file's name before a byte moves, and makes the engine's request.
    ///
    /// Nil where somebody has taken it out of the queue.
    private func begin() async throws -> DownloadRequest? {
        let folder = download.folder ?? feedFolderName(download.feedTitle, id: download.feedID)
        let targetFolder = aggregator.absolutePath(ofStored: folder)
        try createFolders(targetFolder)
        let preferred = cleanFileStem(
            nameTemplate(date: download.published, title: download.title), byteLimit: 200)
        guard
            let stem = try await library.begin(
                download.id, owner: getpid(), folder: folder, preferredStem: preferred, now: aggregator.now())
        else { return nil }

        var request = DownloadRequest(
            key: download.id.description, url: "", resumeFolder: resumeFolder,
            targetFolder: targetFolder, fileStem: stem)
        request.estimatedByteCount = claimedLength
        // The transfer itself stops at it: a fast server sends a whole file before anybody can look at its size.
        request.byteLimit = queue.space.room(for: download.id, used: try await usedByteCount())
        request.integrity = rendition?.integrity ?? []
        request.exactByteCount = download.isExpectedExact ? download.expectedByteCount : nil
        request.declaredType = rendition == nil ? download.type : rendition?.type
        if case .file(let path) = FeedSource(storedURL: download.feedURL) {
            request.localFolder = folderPart(of: path)
        }
        return with(request, address: rendition?.url ?? download.url)
    }

    /// The size that the feed claims of the file.
    private var claimedLength: Int64? { rendition == nil ? download.claimedLength : rendition?.length }

    /// The request with an address, and with the credentials that may go there.
    private func with(_ request: DownloadRequest, address: String) -> DownloadRequest {
        var request = request
        request.url = address
        if request.localFolder == nil {
            request.credentials = credentials(for: address, feedURL: download.feedURL)
        }
        return request
    }

    /// Whether the server may have refused no more than a token in the address.
    private func isRefusal(_ error: TransferError) -> Bool {
        if case .status(let head) = error { [401, 403, 404].contains(head.status) } else { false }
    }

    // MARK: Space

    private var expectedBeforehand: ExpectedSize {
        if download.isExpectedExact, let count = download.expectedByteCount { return .exact(count) }
        return claimedLength.map { .estimated($0) } ?? .unknown
    }

    /// Whether the server tells of more bytes than were admitted, and some of them are still to come.
    ///
    /// Without a partial file none are: a small file can be done before its beginning is told.
    private func isNews(_ expected: ExpectedSize) -> Bool {
        guard let count = expected.byteCount, count > expectedBeforehand.byteCount ?? 0 else { return false }
        return resumeFolder.hasPartial(of: download.id.description)
    }

    /// Bytes of all finished files, where a limit makes them count.
    private func usedByteCount() async throws -> Int64 {
        queue.space.hasLimit ? try await library.storedByteCount() : 0
    }

    /// Why there is no room for the file; nil where it fits.
    private func admit(_ expected: ExpectedSize) async throws -> String? {
        queue.space.admit(
            download.id, expected: expected,
            alreadyOnDisk: resumeFolder.byteCount(of: download.id.description),
            used: try await usedByteCount())
    }

    // MARK: Ends

    private func finish(_ file: FinishedDownload) async throws -> DownloadOutcome {
        let stored = relativePath(file.path, from: aggregator.mediaFolder)
        let result = DownloadResult(
            path: stored, byteCount: file.byteCount, isVerified: file.isVerified,
            contentType: file.contentType, container: file.container?.rawValue)
        guard try await library.finish(download.id, result, now: aggregator.now()) else {
            // Deleted or cancelled in the last moment: the file is ours, and nobody has seen it.
            unlink(file.path)
            try resumeFolder.remove(download.id.description)
            return try await withdrawn(library.episode(download.id)?.state ?? .none)
        }
        // Only now: until the row is committed, what is in here finds the published file again.
        try resumeFolder.remove(download.id.description, mayHaveRecord: file.hasRecord)
        queue.report(
            .downloadFinished(
                episode,
                FinishedFile(
                    path: file.path, byteCount: file.byteCount, isVerified: file.isVerified,
                    requestCount: file.requestCount, restartCount: file.restartCount,
                    exemption: download.origin == .user
                        ? await aggregator.exemption(of: download.id) : nil)))
        return .done
    }

    /// Leaves the download to a later run, at the given time or with the next one.
    private func wait(_ reason: String, until: Date? = nil) async throws -> DownloadOutcome {
        _ = try await library.markWaiting(download.id, reason: reason, until: until, now: aggregator.now())
        queue.report(.downloadPostponed(episode, reason: reason, until: until))
        return .waiting
    }

    private func hold() async throws -> DownloadOutcome {
        _ = try await library.markWaiting(
            download.id, reason: MeteredGate.reason, until: nil, now: aggregator.now())
        queue.report(.downloadHeld(episode, reason: MeteredGate.reason))
        return .held
    }

    /// As `wait`, and no further download is begun in this run.
    private func stopForSpace(_ reason: String) async throws -> DownloadOutcome {
        _ = try await wait(reason)
        return .diskFull
    }

    private func fail(_ message: String, isTemporary: Bool, hasResume: Bool) async throws {
        _ = try await library.markFailed(
            download.id, message, isTemporary: isTemporary, hasResumeData: hasResume, now: aggregator.now())
        queue.report(.downloadFailed(episode, message: message, canResume: hasResume))
    }

    /// Puts away what is left of a transfer that is no longer wanted.
    ///
    /// The partial file of a paused one stays, and its row tells what lies there; any other is of no use.
    private func withdrawn(_ state: DownloadState) async throws -> DownloadOutcome {
        let key = download.id.description
        switch resumeFolder.status(of: key) {
        case _ where state == .none || state == .deleted:
            // The next drain removes what cannot be removed now.
            try? resumeFolder.remove(key)
        case .resumable(let byteCount):
            try await library.recordPartial(of: download.id, byteCount: byteCount, hasResumeData: true)
        case .none, .restartOnly:
            try await library.recordPartial(of: download.id, byteCount: 0, hasResumeData: false)
        }
        queue.report(.downloadStopped(episode, state: state))
        return .withdrawn
    }

    @discardableResult
    private func record(
        byteCount: Int64, _ expected: ExpectedSize, rate: Double?
    ) async throws -> DownloadState {
        let isExact = if case .exact = expected { true } else { false }
        return try await library.recordProgress(
            of: download.id, byteCount: byteCount, expected: expected.byteCount, isExact: isExact, rate: rate,
            hasResumeData: resumeFolder.canResume(download.id.description))
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

extension ResumeFolder {
    /// Whether the next attempt goes on where this one stops.
    func canResume(_ key: String) -> Bool {
        if case .resumable = status(of: key) { true } else { false }
    }

    /// Bytes that lie here of a download.
    fileprivate func byteCount(of key: String) -> Int64 {
        switch status(of: key) {
        case .none: 0
        case .resumable(let byteCount), .restartOnly(let byteCount): byteCount
        }
    }
}

/// However long a server wants to be left alone: its clock, or a slip, may say centuries.
let longestServerPause = Duration.seconds(7 * 86_400)

extension WaitReason {
    func words(host: String) -> String {
        switch self {
        case .network: "\(host) does not answer"
        case .retryAfter: "\(host) asked for a pause"
        case .backoff: "the last attempt failed"
        }
    }
}

/// The folder of a feed within the library: its title, made safe, or its number where nothing of that is left.
func feedFolderName(_ title: String, id: FeedID) -> String {
    let name = cleanFileStem(title, byteLimit: 200)
    return name.isEmpty ? "Feed \(id)" : unreservedFolderName(name)
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
