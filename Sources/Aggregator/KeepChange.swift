public import EpisodeStore

/// Whether a value of a setting makes every file go that the rules may delete.
public func keepsNothing(_ key: SettingKey, _ value: String?) -> Bool {
    key.name == "keep" && value.flatMap(Keep.init) == .files(0)
}

extension Aggregator {
    /// How many finished files would go if `keep` had another value: of one feed, or of all that have none of their own.
    ///
    /// A nil `value` is the setting taken away.
    public func countDeleted(
        byKeep value: String?, of feed: FeedRecord?
    ) async throws(AggregatorError) -> Int {
        let subscribed = try await feeds(matching: [])
        let now = now()
        var count = 0
        for feed in feed.map({ [$0] }) ?? subscribed.filter({ $0.settings.keep == nil }) {
            var query = EpisodeQuery(feed: feed.id)
            query.filter = .state(.done)
            let files = try await stored { [query] library, _ throws(StoreError) in
                try await library.episodes(query)
            }
            var rules = PolicyRules(feed.settings, over: settings.forFeeds)
            let other = feed.settings.keep == nil ? nil : settings.forFeeds.keep
            rules.keep = (value ?? other).flatMap(Keep.init) ?? .all
            count += planRetention(of: files, by: rules, now: now).count { $0.action == .delete }
        }
        return count
    }
}
