public import EpisodeStore
import Downloader
import FeedParser
import FoundationEssentials

/// What one `subscribe` came to.
public enum Subscription: Sendable {
    /// `deletedBefore` counts the episodes that stay deleted from an earlier subscription; nil where there was none.
    case added(FeedRecord, isTruncated: Bool, hasMorePages: Bool, deletedBefore: Int?)
    case alreadySubscribed(FeedRecord)
}

extension Aggregator {
    /// Subscribes to a feed, or to the one that a web page offers.
    ///
    /// Nothing is stored for a source that turns out to be no feed.
    public func subscribe(
        to source: String, workingDirectory: String, settings feedSettings: FeedSettings = FeedSettings(),
        options: RefreshOptions = RefreshOptions(), report: @escaping SyncReport = { _ in }
    ) async throws(AggregatorError) -> Subscription {
        if let known = try await feed(named: source, workingDirectory: workingDirectory) {
            return .alreadySubscribed(try await change(known, feedSettings))
        }
        let source = try FeedSource(source, workingDirectory: workingDirectory, realPath: realPath)
        if let known = try await knownFeed(source.url) {
            return .alreadySubscribed(try await change(known, feedSettings))
        }
        let loop = try openTransferLoop()
        do {
            let subscription = try await subscribe(
                source, feedSettings, options, loop, report, mayFollowPage: true)
            await loop.shutDown()
            await noteFeedsChanged()
            return subscription
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    private func subscribe(
        _ source: FeedSource, _ feedSettings: FeedSettings, _ options: RefreshOptions, _ loop: TransferLoop,
        _ report: SyncReport, mayFollowPage: Bool
    ) async throws(AggregatorError) -> Subscription {
        let result: FetchResult
        do {
            result = try await loop.fetchFeed(
                source, userAgent: feedSettings.userAgent, isOffline: isOffline)
        } catch {
            guard case .webPage(_, let feeds) = error.error, feeds.count == 1, mayFollowPage else {
                throw error.error
            }
            let offered = FeedSource.remote(url: feeds[0])
            if let known = try await knownFeed(offered.url) {
                return .alreadySubscribed(try await change(known, feedSettings))
            }
            return try await subscribe(
                offered, feedSettings, options, loop, report, mayFollowPage: false)
        }
        guard case .feed(let fetched, let head) = result else {
            throw .unreachable(source.url, reason: "the server says 'unchanged' to a first request")
        }
        let moved = movedAddress(from: source.url, to: head?.permanentURL)
        for address in [moved, announcedAddress(fetched.feed.newFeedURL, of: source.url, former: [])] {
            guard let address, let known = try await knownFeed(address) else { continue }
            try await remember(source.url, of: known)
            return .alreadySubscribed(try await change(known, feedSettings))
        }
        var new = NewFeed(url: moved ?? source.url, title: fetched.feed.title)
        new.settings = feedSettings
        let wanted = new
        let wasKnown = try await stored { library, _ throws(StoreError) in
            try await library.feed(at: wanted.url) != nil
        }
        let feed = try await stored { library, now throws(StoreError) in
            try await library.addFeed(wanted, now: now)
        }
        try await remember(source.url, of: feed)
        let answer = try await store(fetched, head, of: feed, options, loop: loop, report: report)
        let record = try await stored { library, _ throws(StoreError) in
            try await library.feed(feed.id) ?? feed
        }
        let deleted = wasKnown ? try await countDeleted(of: feed) : nil
        return .added(
            record, isTruncated: answer.isTruncated, hasMorePages: answer.hasMorePages, deletedBefore: deleted
        )
    }

    /// Subscribes to all feeds of a list and asks them for their episodes, several at once.
    ///
    /// As after an import a feed that does not answer stays subscribed to, and a later refresh asks it again. `wanted`
    /// are settings for each of them.
    public func subscribe(
        toAll list: FeedList, workingDirectory: String, settings wanted: FeedSettings,
        options: RefreshOptions = RefreshOptions(), report: @escaping SyncReport
    ) async throws(AggregatorError) -> FeedImport {
        var result = try await importFeeds(list, workingDirectory: workingDirectory)
        for (index, feed) in result.added.enumerated() {
            result.added[index] = try await change(feed, wanted)
        }
        for (index, feed) in result.known.enumerated() {
            result.known[index] = try await change(feed, wanted)
        }
        _ = try await refresh(result.added, options: options, report: report)
        for (index, feed) in result.added.enumerated() {
            result.added[index] = try await stored { library, _ throws(StoreError) in
                try await library.feed(feed.id) ?? feed
            }
        }
        return result
    }

    private func countDeleted(of feed: FeedRecord) async throws(AggregatorError) -> Int {
        try await stored { library, _ throws(StoreError) in
            try await library.episodes(EpisodeQuery(feed: feed.id, filter: .state(.deleted))).count
        }
    }

    /// Keeps the address by which the user named a feed, so that it is recognised next time.
    private func remember(_ url: String, of feed: FeedRecord) async throws(AggregatorError) {
        guard FeedAddress(url) != FeedAddress(feed.url) else { return }
        try await stored { library, now throws(StoreError) in
            try await library.addAlias(url, of: feed.id, now: now)
        }
    }

    /// Gives a known feed the settings that are named now; the others stay as they are.
    private func change(
        _ feed: FeedRecord, _ wanted: FeedSettings
    ) async throws(AggregatorError) -> FeedRecord {
        let settings = feed.settings.overridden(by: wanted)
        guard settings != feed.settings else { return feed }
        let changed = try await stored { library, _ throws(StoreError) in
            try await library.setSettings(settings, of: feed.id)
            return try await library.feed(feed.id) ?? feed
        }
        await noteFeedsChanged()
        return changed
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
