public import EpisodeStore

extension Aggregator {
    /// The feed that a selector names: a number, slug, address, or an unambiguous part of the title.
    public func feed(matching selector: String) async throws(AggregatorError) -> FeedRecord {
        let match = try await stored { library, _ throws(StoreError) in
            try await library.feed(matching: selector)
        }
        return try only(match, selector)
    }

    /// The subscribed feeds that the selectors name, each once; all of them where there are no selectors.
    public func feeds(matching selectors: [String]) async throws(AggregatorError) -> [FeedRecord] {
        guard !selectors.isEmpty else {
            return try await stored { library, _ throws(StoreError) in try await library.feeds() }
        }
        var found: [FeedRecord] = []
        for selector in selectors {
            let feed = try await feed(matching: selector)
            guard feed.isSubscribed else { throw .unknown(selector, nearest: []) }
            if !found.contains(where: { $0.id == feed.id }) { found.append(feed) }
        }
        return found
    }

    /// The episodes that the selectors name, each once and in the order named.
    public func episodes(matching selectors: [String]) async throws(AggregatorError) -> [EpisodeRecord] {
        let isHeld = isQueueHeld
        var found: [EpisodeRecord] = []
        for selector in selectors {
            let match = try await stored { library, _ throws(StoreError) in
                try await library.episodes(matching: selector)
            }
            if case .none = match, let feed = try? await feed(matching: selector) {
                throw .feedForEpisode(selector, slug: feed.slug)
            }
            if case .none = match, let error = try await noSuchEpisode(selector) { throw error }
            for episode in try await wanted(try only(match, selector), by: selector)
            where !found.contains(where: { $0.id == episode.id }) {
                found.append(withTrueDownload(episode, isQueueHeld: isHeld))
            }
        }
        return found
    }

    /// The episodes that a selector found; in the place of the latest one, where the filters of its feed pass over it, the
    /// latest that they want.
    public func wanted(
        _ found: [EpisodeRecord], by selector: String
    ) async throws(AggregatorError) -> [EpisodeRecord] {
        guard let latest = found.first, let colon = selector.lastIndex(of: ":"),
            EpisodeSelection(selector[selector.index(after: colon)...]) == .latest
        else { return found }
        let (feed, newest) = try await stored { library, _ throws(StoreError) in
            (try await library.feed(latest.feedID), try await library.newest(of: latest.feedID, count: 200))
        }
        guard let feed else { return found }
        let rules = PolicyRules(feed.settings, over: settings.forFeeds)
        return newest.first { rules.filterReason(for: $0) == nil }.map { [$0] } ?? found
    }

    /// The same episodes, those of a feed that is heard from its beginning on in that order, at the place of its first one.
    public func inListeningOrder(_ episodes: [EpisodeRecord]) async throws(AggregatorError) -> [EpisodeRecord]
    {
        var ordered: [EpisodeRecord] = []
        for (id, theirs) in Dictionary(grouping: episodes, by: \.feedID) where theirs.count > 1 {
            let feed = try await stored { library, _ throws(StoreError) in try await library.feed(id) }
            guard let feed else { continue }
            var rules = PolicyRules(feed.settings, over: settings.forFeeds)
            rules.isSerial = feed.type == "serial"
            guard rules.order == .oldest || rules.isSerial else { continue }
            ordered += listeningOrder(
                theirs.sorted { ($0.sortDate, $0.id) > ($1.sortDate, $1.id) }, rules)
        }
        var rest = Dictionary(grouping: ordered, by: \.feedID).mapValues { $0[...] }
        return episodes.map { rest[$0.feedID]?.popFirst() ?? $0 }
    }

    /// What is wrong with `FEED:PART` where the feed is known and has no such episode; nil for any other selector.
    public func noSuchEpisode(_ selector: String) async throws(AggregatorError) -> AggregatorError? {
        guard let colon = selector.lastIndex(of: ":"),
            let feed = try? await feed(matching: String(selector[..<colon]))
        else { return nil }
        let part = String(selector[selector.index(after: colon)...])
        let numbered = try await stored { library, _ throws(StoreError) -> EpisodeRecord? in
            guard let number = Int64(part) else { return nil }
            return try await library.episode(EpisodeID(rawValue: number))
        }
        let seasons = try await stored { library, _ throws(StoreError) in
            try await library.seasons(of: feed.id)
        }
        return .noSuchEpisode(
            feed: feed.title, part: part, numbered: numbered.map { "\($0.feedTitle): \($0.title)" },
            seasons: seasons)
    }
}

private func only<Found>(_ match: SelectorMatch<Found>, _ selector: String) throws(AggregatorError) -> Found {
    switch match {
    case .found(let found): found
    case .ambiguous(let feeds): throw .ambiguous(selector, candidates: feeds.map(\.slug))
    case .none(let nearest): throw .unknown(selector, nearest: nearest)
    }
}

/// An address without the user name and password that it may carry, fit to be shown and exported.
public func shownAddress(_ url: String) -> String {
    AddressWithCredentials(url).shown
}
