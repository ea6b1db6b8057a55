public import EpisodeStore
import Downloader

extension Aggregator {
    /// The main job: refresh, apply the policy (delete, download), rewrite the playlists.
    ///
    /// Of the feeds only those in `asking` are asked for news; nil for all.
    public func sync(
        _ feeds: [FeedRecord], asking: [FeedRecord]? = nil, downloads: Bool = true,
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
                    guard downloads, !Task.isCancelled else { return SyncSummary() }
                    return try await applyPlan(for: feeds, loop: loop, report: report)
                })
            await loop.shutDown()
            summary.add(try await rewritePlaylists(report))
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

    /// Puts episodes into the queue by the user's wish; returns those that are still to come.
    public func queue(
        _ episodes: [EpisodeID], report: SyncReport
    ) async throws(AggregatorError) -> Set<EpisodeID> {
        let wanted = Set(episodes)
        for file in try await storedFiles() where wanted.contains(file.id) && presence(of: file) == .missing {
            _ = try await markMissing(file)
        }
        let outcomes = try await stored { library, now throws(StoreError) in
            try await library.enqueue(episodes, origin: .user, now: now)
        }
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where outcome == .notDownloadable {
            report(.note("episode \(id) has no file to download"))
        }
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where outcome == .alreadyDone {
            report(.note("episode \(id) is downloaded already"))
        }
        return Set(outcomes.filter { $0.value.isPending }.keys)
    }

    /// Downloads the given episodes, and whatever else is queued, and rewrites the playlists.
    public func download(
        _ episodes: [EpisodeID], report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        try refuseFileAsLibrary()
        try await requireLibrary()
        let wanted = try await queue(episodes, report: report)
        if isOffline {
            report(.note("--offline: only files of local feeds are fetched; the others stay in the queue"))
        }
        let loop = try openTransferLoop()
        do {
            var summary = try await unlessFull(report) { () async throws(AggregatorError) in
                try await drainQueue(until: wanted, loop: loop, report: report)
            }
            await loop.shutDown()
            summary.add(try await rewritePlaylists(report))
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    /// Deletes and downloads what the rules say.
    private func applyPlan(
        for feeds: [FeedRecord], loop: TransferLoop, report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let plan = try await plan(for: feeds)
        var summary = SyncSummary()
        summary.deletedFiles += try await deleteFiles(of: plan, report: report)
        let wanted = try await enqueue(plan)
        summary.add(try await drainQueue(until: wanted, loop: loop, report: report))
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
        isDiskFull = isDiskFull || other.isDiskFull
        isLibraryAbsent = isLibraryAbsent || other.isLibraryAbsent
    }
}
