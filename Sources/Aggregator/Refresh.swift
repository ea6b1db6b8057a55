public import EpisodeStore
import Downloader

extension Aggregator {
    /// Asks every given feed for news and stores it; one failing feed never stops the others.
    public func refresh(_ feeds: [FeedRecord], report: @escaping SyncReport) async throws(AggregatorError)
        -> SyncSummary
    {
        let loop = try openTransferLoop()
        do {
            let summary = try await refresh(feeds, loop: loop, report: report)
            await loop.shutDown()
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    func refresh(
        _ feeds: [FeedRecord], loop: TransferLoop, report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        var summary = SyncSummary()
        do {
            try await withThrowingTaskGroup(of: RefreshEnd.self) { group in
                var pending = feeds[...]
                // A sliding window: more requests at once would only wait inside libcurl.
                for _ in 0..<32 {
                    guard let feed = pending.popFirst() else { break }
                    group.addTask { try await self.refreshUnlessFull(feed, loop: loop, report: report) }
                }
                while let end = try await group.next() {
                    summary.count(end)
                    if !Task.isCancelled, let feed = pending.popFirst() {
                        group.addTask { try await self.refreshUnlessFull(feed, loop: loop, report: report) }
                    }
                }
            }
        } catch let error as AggregatorError {
            throw error
        } catch {
            throw .store(reason: "\(error)")
        }
        return summary
    }

    /// As `refresh`, where a full disk is a failure of the one feed that could not be stored.
    private func refreshUnlessFull(
        _ feed: FeedRecord, loop: TransferLoop, report: SyncReport
    ) async throws(AggregatorError) -> RefreshEnd {
        do {
            return try await refresh(feed, loop: loop, report: report)
        } catch .noSpace(let reason) {
            report(.feedFailed(FeedReference(feed), message: reason))
            return .failed
        }
    }

    /// Refreshes one feed; only an error of the store itself is thrown.
    private func refresh(
        _ feed: FeedRecord, loop: TransferLoop, report: SyncReport
    ) async throws(AggregatorError) -> RefreshEnd {
        let reference = FeedReference(feed)
        let result: FetchResult
        do {
            result = try await loop.fetchFeed(
                FeedSource(storedURL: feed.url), validators: feed.validators,
                userAgent: feed.settings.userAgent, isOffline: isOffline)
        } catch {
            guard !Task.isCancelled else { return .interrupted }
            let message = error.error.description
            if isOffline {
                // The user's wish is no fault of the feed.
                report(.note(message))
                return .offline
            }
            try await stored { library, now throws(StoreError) in
                try await library.recordFailure(of: feed.id, message, kind: error.kind, now: now)
            }
            report(.feedFailed(reference, message: message))
            return .failed
        }
        switch result {
        case .unchanged(let head):
            try await stored { library, now throws(StoreError) in
                try await library.recordUnchanged(
                    feed.id, validators: feed.validators.updated(by: head), now: now)
            }
            report(.feedRefreshed(reference, new: 0, total: feed.episodeCount))
            return .refreshed(new: 0)
        case .feed(let fetched, let head):
            let incoming = IncomingFeed(fetched, head)
            let outcome = try await stored { library, now throws(StoreError) in
                try await library.recordRefresh(of: feed.id, incoming, now: now)
            }
            let new = outcome.newEpisodes.count
            report(.feedRefreshed(reference, new: new, total: feed.episodeCount + new))
            if outcome.isRewrittenCatalogue {
                report(
                    .note(
                        "\(feed.title): the feed renamed most of its episodes at once; nothing of this refresh is "
                            + "downloaded by itself"))
            }
            return .refreshed(new: new)
        }
    }
}

/// How the refresh of one feed ended.
private enum RefreshEnd: Sendable {
    case refreshed(new: Int)
    case failed
    case interrupted
    case offline
}

extension SyncSummary {
    fileprivate mutating func count(_ end: RefreshEnd) {
        switch end {
        case .refreshed(let new):
            refreshed += 1
            newEpisodes += new
        case .failed: failedFeeds += 1
        case .interrupted, .offline: break
        }
    }
}

extension FeedValidators {
    /// The validators after a 304, which may carry new ones (RFC 9110 §15.4.5).
    fileprivate func updated(by head: ResponseHead) -> FeedValidators {
        FeedValidators(
            etag: head.etag ?? etag, lastModified: head.lastModified ?? lastModified, bodyHash: bodyHash)
    }
}
