public import EpisodeStore
import Downloader

extension Aggregator {
    /// The main job: refresh, choose, download, rewrite the playlists.
    public func sync(
        _ feeds: [FeedRecord], downloads: Bool = true, report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let loop = try openTransferLoop()
        do {
            var summary = try await refresh(feeds, loop: loop, report: report)
            if downloads {
                summary.add(
                    try await unlessFull(report) { () async throws(AggregatorError) in
                        let wanted = try await enqueueWanted(of: feeds)
                        return try await drainQueue(until: wanted, loop: loop, report: report)
                    })
            }
            await loop.shutDown()
            summary.add(try await tidyUp(report))
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
            var summary = try await unlessFull(report) { () async throws(AggregatorError) in
                try await drainQueue(until: wanted, loop: loop, report: report)
            }
            await loop.shutDown()
            summary.add(
                try await unlessFull(report) { () async throws(AggregatorError) in
                    try await writePlaylists(report: report)
                    return SyncSummary()
                })
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    /// What is left to do once nothing runs any more.
    private func tidyUp(_ report: SyncReport) async throws(AggregatorError) -> SyncSummary {
        try await unlessFull(report) { () async throws(AggregatorError) in
            try await noticeMissingFiles(report: report)
            try await writePlaylists(report: report)
            return SyncSummary()
        }
    }

    /// Takes a step that a full disk may end: that is told, and does not undo what was done before.
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
        }
    }

    /// The newest episodes of a feed that are files to download.
    public func newestFiles(of feed: FeedRecord, count: Int) async throws(AggregatorError) -> [EpisodeRecord]
    {
        // Episodes without a file stand between those that have one; a hundred of them are enough to look past.
        let newest = try await stored { library, _ throws(StoreError) in
            try await library.newest(of: feed.id, count: count + 100)
        }
        return planDownloads(of: newest, latest: count)
    }

    /// Puts what the policy wants into the queue, and tells what of it is still to come.
    private func enqueueWanted(of feeds: [FeedRecord]) async throws(AggregatorError) -> Set<EpisodeID> {
        var queued: Set<EpisodeID> = []
        for feed in feeds {
            let wanted = try await newestFiles(of: feed, count: feed.settings.latest ?? settings.latest).map(
                \.id)
            guard !wanted.isEmpty else { continue }
            let outcomes = try await stored { library, now throws(StoreError) in
                try await library.enqueue(wanted, origin: .policy, now: now)
            }
            queued.formUnion(outcomes.filter { $0.value.isPending }.keys)
        }
        return queued
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
        failedDownloads += other.failedDownloads
        interruptedDownloads += other.interruptedDownloads
        waitingDownloads += other.waitingDownloads
        heldDownloads += other.heldDownloads
        isDiskFull = isDiskFull || other.isDiskFull
    }
}
