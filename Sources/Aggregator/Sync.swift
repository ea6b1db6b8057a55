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
        let loop = try openTransferLoop()
        do {
            var summary = try await refresh(asking ?? feeds, loop: loop, report: report)
            try await noticeMissingFiles(report: report)
            if downloads, !Task.isCancelled {
                let plan = try await plan(for: feeds)
                summary.deletedFiles += try await deleteFiles(of: plan, report: report)
                let wanted = try await enqueue(plan)
                summary.add(try await drainQueue(until: wanted, loop: loop, report: report))
                // What makes way for the new files goes now that they are there.
                let cleanUp = try await self.plan(for: feeds, downloads: false)
                summary.deletedFiles += try await deleteFiles(of: cleanUp, report: report)
            }
            await loop.shutDown()
            try await writePlaylists(report: report)
            await backUp(report: report)
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    /// Downloads the given episodes, and whatever else is queued, and rewrites the playlists.
    public func download(
        _ episodes: [EpisodeID], report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let outcomes = try await stored { library, now throws(StoreError) in
            try await library.enqueue(episodes, origin: .user, now: now)
        }
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where outcome == .notDownloadable {
            report(.note("episode \(id) has no file to download"))
        }
        for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where outcome == .alreadyDone {
            report(.note("episode \(id) is downloaded already"))
        }
        if isOffline {
            report(.note("--offline: only files of local feeds are fetched; the others stay in the queue"))
        }
        let loop = try openTransferLoop()
        do {
            let wanted = Set(outcomes.filter { $0.value.isPending }.keys)
            let summary = try await drainQueue(until: wanted, loop: loop, report: report)
            await loop.shutDown()
            try await writePlaylists(report: report)
            return summary
        } catch {
            await loop.shutDown()
            throw error
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
    }
}
