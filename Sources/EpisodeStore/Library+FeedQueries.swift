extension Library {
    /// Whether any feed is or was subscribed to.
    public func hasFeeds() throws(StoreError) -> Bool {
        try connection.value("SELECT EXISTS (SELECT 1 FROM feed)") ?? false
    }

    /// Returns the subscribed feeds, ordered by title.
    public func feeds(includingUnsubscribed: Bool = false) throws(StoreError) -> [FeedRecord] {
        try connection.snapshot { () throws(StoreError) in
            let former = try formerURLs()
            let feeds = try connection.rows(
                Self.feedSelect + " WHERE is_subscribed = 1 OR ?1", includingUnsubscribed
            ) { row throws(StoreError) in Self.readFeed(&row, formerURLs: former) }
            return feeds.map { (key: $0.title.lowercased(), feed: $0) }
                .sorted { ($0.key, $0.feed.id) < ($1.key, $1.feed.id) }
                .map(\.feed)
        }
    }

    public func feed(_ id: FeedID) throws(StoreError) -> FeedRecord? {
        let former = try formerURLs(of: id)
        return try connection.first(Self.feedSelect + " WHERE id = ?1", id) { row throws(StoreError) in
            Self.readFeed(&row, formerURLs: [id: former])
        }
    }

    /// Returns the feed that has, or had, this address; also one unsubscribed from.
    public func feed(at url: String) throws(StoreError) -> FeedRecord? {
        guard let id = try feedID(at: FeedAddress(url)) else { return nil }
        return try feed(id)
    }

    public func feedDetail(_ id: FeedID) throws(StoreError) -> FeedDetail? {
        guard let record = try feed(id) else { return nil }
        return try connection.first("SELECT schedule, details FROM feed WHERE id = ?1", id) {
            row throws(StoreError) in
            FeedDetail(
                record: record,
                schedule: row.nextJSON() ?? FeedSchedule(),
                details: row.nextJSON() ?? FeedDetails())
        }
    }

    /// Finds the feed that a user means by a number, slug, address or part of a title: a subscribed one, else one that has
    /// files still.
    public func feed(matching selector: String) throws(StoreError) -> SelectorMatch<FeedRecord> {
        let address = FeedAddress(selector)
        if let id = try feedID(at: address), let feed = try feed(id), feed.isSubscribed {
            return .found(feed)
        }
        let subscribed = selectFeed(selector, from: try feeds())
        guard case .none = subscribed else { return subscribed }
        let left = try feeds(includingUnsubscribed: true).filter {
            !$0.isSubscribed && $0.downloadedCount > 0
        }
        if !left.isEmpty, case .found(let feed) = selectFeed(selector, from: left) { return .found(feed) }
        return subscribed
    }

    /// Returns the live items of the subscribed feeds, as each feed orders them.
    public func liveItems() throws(StoreError) -> [LiveItemRecord] {
        try connection.rows(
            """
            SELECT feed.id, feed.slug, coalesce(feed.name, feed.title), live_item.item
            FROM live_item JOIN feed ON feed.id = live_item.feed_id
            WHERE feed.is_subscribed = 1
            ORDER BY live_item.feed_id, live_item.position
            """
        ) { row throws(StoreError) in
            LiveItemRecord(
                feedID: row.next(), feedSlug: row.next(), feedTitle: row.next(),
                item: row.nextJSON() ?? IncomingLiveItem())
        }
    }

    func requireFeed(_ id: FeedID) throws(StoreError) -> FeedRecord {
        guard let feed = try feed(id) else { throw .unknownIdentifier(id.rawValue) }
        return feed
    }

    func feedID(at address: FeedAddress) throws(StoreError) -> FeedID? {
        try connection.value("SELECT feed_id FROM feed_address WHERE address = ?1", address.key)
    }

    private func formerURLs(of id: FeedID) throws(StoreError) -> [String] {
        try connection.rows(
            """
            SELECT feed_address.url FROM feed_address JOIN feed ON feed.id = feed_address.feed_id
            WHERE feed_address.feed_id = ?1 AND feed_address.url <> feed.url
            ORDER BY feed_address.added_at
            """, id
        ) { $0.next() }
    }

    private func formerURLs() throws(StoreError) -> [FeedID: [String]] {
        var former: [FeedID: [String]] = [:]
        let pairs: [(FeedID, String)] = try connection.rows(
            """
            SELECT feed.id, feed_address.url FROM feed_address JOIN feed ON feed.id = feed_address.feed_id
            WHERE feed_address.url <> feed.url
            ORDER BY feed_address.added_at
            """
        ) { row throws(StoreError) in (row.next(), row.next()) }
        for (id, url) in pairs {
            former[id, default: []].append(url)
        }
        return former
    }

    private static let feedSelect = """
        SELECT id, slug, coalesce(name, title), url, is_subscribed, subscribed_at, podcast_guid, link, description,
            image, language, author, type, name, settings, etag, last_modified, body_hash, episode_count,
            (SELECT count(*) FROM download WHERE download.feed_id = feed.id AND state = 'done'),
            (SELECT sort_date FROM episode WHERE episode.feed_id = feed.id ORDER BY sort_date DESC LIMIT 1),
            last_checked, last_succeeded, last_full_fetch, next_check, next_check_reason,
            failure_count, last_error, last_error_kind, is_gone
        FROM feed
        """

    /// Reads a row of `feedSelect`.
    private static func readFeed(_ row: inout Statement, formerURLs: [FeedID: [String]]) -> FeedRecord {
        let id: FeedID = row.next()
        return FeedRecord(
            id: id, slug: row.next(), title: row.next(), url: row.next(), formerURLs: formerURLs[id] ?? [],
            isSubscribed: row.next(), subscribedAt: row.next(), podcastGUID: row.next(), link: row.next(),
            description: row.next(), image: row.next(), language: row.next(), author: row.next(),
            type: row.next(), settings: readSettings(&row),
            validators: FeedValidators(etag: row.next(), lastModified: row.next(), bodyHash: row.next()),
            episodeCount: row.next(), downloadedCount: row.next(), newestEpisode: row.next(),
            lastChecked: row.next(),
            lastSucceeded: row.next(), lastFullFetch: row.next(), nextCheck: row.next(),
            nextCheckReason: row.next(), failureCount: row.next(), lastError: row.next(),
            lastErrorKind: row.nextCase(), isGone: row.next()
        )
    }

    private static func readSettings(_ row: inout Statement) -> FeedSettings {
        let name: String? = row.next()
        var settings: FeedSettings = row.nextJSON() ?? FeedSettings()
        settings.name = name
        return settings
    }
}
