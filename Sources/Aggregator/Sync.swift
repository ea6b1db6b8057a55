public import EpisodeStore
import Downloader

extension Aggregator {
    /// The main job: refresh, apply the policy (delete, download), rewrite the playlists.
    ///
    /// Of the feeds only those in `asking` are asked for news; nil for all. With `isLimited` nothing of other feeds is
    /// downloaded, also where it is in the queue.
    public func sync(
        _ feeds: [FeedRecord], asking: [FeedRecord]? = nil, downloads: Bool = true, isLimited: Bool = false,
        report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        if downloads { try refuseFileAsLibrary() }
        let loop = try openTransferLoop()
        do {
            var summary = try await unlessFull(report) { () async throws(AggregatorError) in
                try await refresh(asking ?? feeds, loop: loop, report: report)
            }
            summary.add(
                try await unlessFull(report) { () async throws(AggregatorError) in
                    // Before the plan, which downloads nothing that the user took away.
                    try await noticeMissingFiles(report: report)
                    try await recogniseFiles(report: report)
                    guard downloads, !Task.isCancelled else { return SyncSummary() }
                    return try await applyPlan(for: feeds, isLimited: isLimited, loop: loop, report: report)
                })
            await loop.shutDown()
            summary.add(try await rewritePlaylists(report))
            if downloads { try await countRest(&summary) }
            await backUp(report: report)
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    /// Every download would fail in the same way, and none of them for a reason of its own.
    private func refuseFileAsLibrary() throws(AggregatorError) {
        guard let file = fileInPlaceOfFolder(mediaFolder) else { return }
        throw .file(
            file,
            reason: "is a file where the library's folder is needed; move it away, or choose another folder "
                + "with 'podget config library FOLDER'")
    }

    /// Puts episodes into the queue by the user's wish; throws where none of them has a file to download.
    ///
    /// With `goesOn` they are taken up again, and remain the rules' own where the rules wanted them first.
    public func queue(
        _ episodes: [EpisodeID], goesOn: Bool = false, report: SyncReport
    ) async throws(AggregatorError) -> QueueRequest {
        let wanted = Set(episodes)
        for file in try await storedFiles() where wanted.contains(file.id) && presence(of: file) == .missing {
            _ = try await markMissing(file)
        }
        let (outcomes, records) = try await stored { library, now throws(StoreError) in
            let outcomes = try await library.enqueue(episodes, origin: .user, keepsOrigin: goesOn, now: now)
            var records: [EpisodeRecord] = []
            for id in episodes where outcomes[id]?.isPending == false {
                if let record = try await library.episode(id) { records.append(record) }
            }
            return (outcomes, records)
        }
        let refused = records.filter { outcomes[$0.id] == .notDownloadable }
        if let first = refused.first, refused.count == outcomes.count {
            throw .nothingToDownload(
                "\(first.feedTitle): \(first.title)", others: refused.count - 1)
        }
        for record in refused {
            report(.note("\(record.feedTitle): \(record.title): the feed has no file to download"))
        }
        let done = records.filter { outcomes[$0.id] == .alreadyDone }
        if let only = done.first, done.count == 1 {
            let exemption = goesOn ? "" : await exemption(of: only.id).map { "; \($0)" } ?? ""
            report(.remark("\(only.feedTitle): \(only.title) is downloaded already\(exemption)"))
        } else if !done.isEmpty {
            var isExempt = false
            if !goesOn, let first = done.first { isExempt = await exemption(of: first.id) != nil }
            report(
                .remark(
                    "\(done.count) of them are downloaded already"
                        + (isExempt ? "; no rule deletes them now, until 'podget mark unkeep'" : "")))
        }
        return QueueRequest(
            pending: Set(outcomes.filter { $0.value.isPending }.keys), refusedCount: refused.count)
    }

    /// Downloads the given episodes, or whatever is queued where none are given, and rewrites the playlists.
    ///
    /// `goesOn` is as for `queue`.
    public func download(
        _ episodes: [EpisodeID], goesOn: Bool = false, report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        try refuseFileAsLibrary()
        try await requireLibrary()
        try await recogniseFiles(report: report)
        let request = try await queue(episodes, goesOn: goesOn, report: report)
        if isOffline {
            report(.note("--offline: only files of local feeds are fetched; the others stay in the queue"))
        }
        let loop = try openTransferLoop()
        do {
            var summary = try await unlessFull(report) { () async throws(AggregatorError) in
                try await drainQueue(
                    until: request.pending, onlyWanted: !episodes.isEmpty, byHand: true, loop: loop,
                    report: report)
            }
            summary.refusedDownloads = request.refusedCount
            await loop.shutDown()
            summary.add(try await rewritePlaylists(report))
            try await countRest(&summary)
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    /// Counts what is left in the queue.
    private func countRest(_ summary: inout SyncSummary) async throws(AggregatorError) {
        let (paused, queued) = try await stored { library, _ throws(StoreError) in
            (try await library.count(of: .paused), try await library.count(of: .queued))
        }
        summary.pausedDownloads = paused
        // Those that were interrupted are queued again.
        if Task.isCancelled { summary.queuedDownloads = max(0, queued - summary.interruptedDownloads) }
    }

    /// Deletes and downloads what the rules say.
    private func applyPlan(
        for feeds: [FeedRecord], isLimited: Bool, loop: TransferLoop, report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let plan = try await plan(for: feeds, isLimited: isLimited)
        var summary = SyncSummary()
        summary.deletedFiles += try await deleteFiles(of: plan, report: report)
        let wanted = try await enqueue(plan)
        summary.add(
            try await drainQueue(until: wanted, onlyWanted: isLimited, loop: loop, report: report))
        // What makes way for the new files goes now that they are there.
        let cleanUp = try await self.plan(for: feeds, downloads: false)
        summary.deletedFiles += try await deleteFiles(of: cleanUp, report: report)
        return summary
    }

    private func rewritePlaylists(_ report: SyncReport) async throws(AggregatorError) -> SyncSummary {
        try await unlessFull(report) { () async throws(AggregatorError) in
            try await writePlaylists(report: report)
            return SyncSummary()
        }
    }

    /// Takes a step that a full or absent disk may end: that is told, and does not undo what was done before.
    private func unlessFull(
        _ report: SyncReport, _ step: () async throws(AggregatorError) -> SyncSummary
    ) async throws(AggregatorError) -> SyncSummary {
        do {
            return try await step()
        } catch .noSpace(let reason) {
            report(.note(reason))
            var summary = SyncSummary()
            summary.isDiskFull = true
            return summary
        } catch .libraryAbsent(let reason) {
            report(.note(AggregatorError.libraryAbsent(reason: reason).description))
            var summary = SyncSummary()
            summary.isLibraryAbsent = true
            return summary
        }
    }

    /// The newest episodes of a feed that are files to download.
    public func newestFiles(of feed: FeedRecord, count: Int) async throws(AggregatorError) -> [EpisodeRecord]
    {
        // Episodes without a file stand between those that have one; a hundred of them are enough to look past.
        let newest = try await stored { library, _ throws(StoreError) in
            try await library.newest(of: feed.id, count: count + 100)
        }
        return Array(
            newest.filter { $0.isDownloadable && $0.isListed && !$0.isSuspectedDuplicate }.prefix(count))
    }
}

/// What became of a request to download.
public struct QueueRequest: Equatable, Sendable {
    /// The downloads that are still to come.
    public let pending: Set<EpisodeID>

    /// How many have no file to download.
    public let refusedCount: Int
}

extension EnqueueOutcome {
    /// Whether the download is still to come.
    var isPending: Bool { self == .queued || self == .alreadyQueued }
}

extension SyncSummary {
    mutating func add(_ other: SyncSummary) {
        refreshed += other.refreshed
        newEpisodes += other.newEpisodes
        failedFeeds += other.failedFeeds
        downloaded += other.downloaded
        deletedFiles += other.deletedFiles
        failedDownloads += other.failedDownloads
        interruptedDownloads += other.interruptedDownloads
        waitingDownloads += other.waitingDownloads
        heldDownloads += other.heldDownloads
        refusedDownloads += other.refusedDownloads
        pausedDownloads += other.pausedDownloads
        queuedDownloads += other.queuedDownloads
        isDiskFull = isDiskFull || other.isDiskFull
        isLibraryAbsent = isLibraryAbsent || other.isLibraryAbsent
    }
}
