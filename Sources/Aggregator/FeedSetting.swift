public import EpisodeStore

extension Aggregator {
    /// The settings in force for a feed, each with its source.
    public func effectiveSettings(of feed: FeedRecord) -> [EffectiveSetting] {
        SettingKey.all.filter { $0.scope != .globalOnly }.map { key in
            if let value = key.value(in: feed.settings) {
                return EffectiveSetting(name: key.name, value: value, source: .feed)
            }
            if let value = key.value(in: settings.forFeeds) {
                return EffectiveSetting(name: key.name, value: value, source: .global)
            }
            return EffectiveSetting(name: key.name, value: key.builtIn, source: .builtIn)
        }
    }

    /// Gives a feed a setting of its own; nil takes it away, and the global one holds again.
    public func set(_ key: SettingKey, to value: String?, of feed: FeedRecord) async throws -> FeedRecord {
        try await changeSettings(of: feed) { try key.setting(value, in: $0) }
    }

    /// Changes the settings that a feed has of its own.
    func changeSettings(
        of feed: FeedRecord, _ change: (FeedSettings) throws -> FeedSettings
    ) async throws -> FeedRecord {
        // Of two processes that change different keys at once, neither may undo the other's change.
        let lock = try FolderLock(places.data)
        defer { lock.giveBack() }
        let present = try await stored { library, _ throws(StoreError) in try await library.feed(feed.id) }
        let changed = try change((present ?? feed).settings)
        let record = try await stored { library, _ throws(StoreError) in
            try await library.setSettings(changed, of: feed.id)
            return try await library.feed(feed.id) ?? feed
        }
        await noteFeedsChanged()
        return record
    }
}

/// What a user may say about episodes.
public enum EpisodeMark: String, CaseIterable, Sendable {
    case played, unplayed, new, old, keep, unkeep
}

extension Aggregator {
    /// Marks episodes: all of them or, where one is unknown, none.
    public func mark(_ episodes: [EpisodeRecord], as mark: EpisodeMark) async throws(AggregatorError) {
        let ids = episodes.map(\.id)
        try await stored { library, now throws(StoreError) in
            switch mark {
            case .played, .unplayed: try await library.setPlayed(mark == .played, ids, now: now)
            case .new, .old: try await library.setNew(mark == .new, ids, now: now)
            case .keep, .unkeep: try await library.setKept(mark == .keep, ids, now: now)
            }
        }
    }
}
