public import EpisodeStore
import Downloader
import FeedParser
import FoundationEssentials

/// What one `subscribe` came to.
public enum Subscription: Sendable {
    case added(FeedRecord, isTruncated: Bool)
    case alreadySubscribed(FeedRecord)
}

extension Aggregator {
    /// Subscribes to a feed, or to the one that a web page offers.
    ///
    /// Nothing is stored for a source that turns out to be no feed.
    public func subscribe(
        to source: String, workingDirectory: String, settings feedSettings: FeedSettings = FeedSettings()
    ) async throws(AggregatorError) -> Subscription {
        let source = try FeedSource(source, workingDirectory: workingDirectory, realPath: realPath)
        if let known = try await knownFeed(source.url) {
            return .alreadySubscribed(try await change(known, feedSettings))
        }
        let loop = try openTransferLoop()
        do {
            let subscription = try await subscribe(source, feedSettings, loop, mayFollowPage: true)
            await loop.shutDown()
            return subscription
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    private func subscribe(
        _ source: FeedSource, _ feedSettings: FeedSettings, _ loop: TransferLoop, mayFollowPage: Bool
    ) async throws(AggregatorError) -> Subscription {
        let result: FetchResult
        do {
            result = try await loop.fetchFeed(source, isOffline: isOffline)
        } catch {
            guard case .webPage(_, let feeds) = error.error, feeds.count == 1, mayFollowPage else {
                throw error.error
            }
            let offered = FeedSource.remote(url: feeds[0])
            if let known = try await knownFeed(offered.url) {
                return .alreadySubscribed(try await change(known, feedSettings))
            }
            return try await subscribe(offered, feedSettings, loop, mayFollowPage: false)
        }
        guard case .feed(let fetched, let head) = result else {
            throw .unreachable(source.url, reason: "the server says 'unchanged' to a first request")
        }
        var new = NewFeed(url: source.url, title: fetched.feed.title)
        new.settings = feedSettings
        let record = try await stored { library, now throws(StoreError) in
            let feed = try await library.addFeed(new, now: now)
            _ = try await library.recordRefresh(of: feed.id, IncomingFeed(fetched, head), now: now)
            return try await library.feed(feed.id) ?? feed
        }
        return .added(record, isTruncated: fetched.feed.isTruncated)
    }

    /// Gives a known feed the settings that are named now; the others stay as they are.
    private func change(
        _ feed: FeedRecord, _ wanted: FeedSettings
    ) async throws(AggregatorError) -> FeedRecord {
        guard wanted.latest != nil || wanted.name != nil else { return feed }
        var settings = feed.settings
        settings.latest = wanted.latest ?? settings.latest
        settings.name = wanted.name ?? settings.name
        return try await stored { library, _ throws(StoreError) in
            try await library.setSettings(settings, of: feed.id)
            return try await library.feed(feed.id) ?? feed
        }
    }

    private func knownFeed(_ url: String) async throws(AggregatorError) -> FeedRecord? {
        let feed = try await stored { library, _ throws(StoreError) in try await library.feed(at: url) }
        return feed?.isSubscribed == true ? feed : nil
    }

    /// Works on the library and turns its errors into ours.
    func stored<Result: Sendable>(
        _ work: (Library, Date) async throws(StoreError) -> Result
    ) async throws(AggregatorError) -> Result {
        do {
            return try await work(library, now())
        } catch {
            throw AggregatorError(error)
        }
    }
}
