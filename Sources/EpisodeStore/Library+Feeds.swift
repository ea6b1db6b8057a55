public import FoundationEssentials

extension Library {
    /// Subscribes to a feed.
    ///
    /// An address that is or was that of a known feed gives this feed, with its number, episodes and states; it is
    /// subscribed to again if it was not any more.
    public func addFeed(_ new: NewFeed, now: Date) throws(StoreError) -> FeedRecord {
        try connection.transaction(.full) { () throws(StoreError) in
            var slugs = try takenSlugs()
            return try requireFeed(try add(new, slugs: &slugs, now: now))
        }
    }

    /// Adds feeds as a list names them: all of them or, in case of an error, none.
    ///
    /// A feed that is subscribed to already only gets the tags that it lacks. Returns the feeds in the order given.
    public func importFeeds(_ feeds: [NewFeed], now: Date) throws(StoreError) -> [ImportedFeed] {
        try connection.transaction(.full) { () throws(StoreError) in
            var slugs = try takenSlugs()
            var imported: [ImportedFeed] = []
            for var new in feeds {
                let known = try feedID(at: FeedAddress(new.url)).flatMap { id throws(StoreError) in
                    try feed(id)
                }
                if let known {
                    let newTags = new.settings.tags ?? []
                    new.settings = known.settings
                    new.settings.add(tags: newTags)
                    if new.settings != known.settings { try storeSettings(new.settings, of: known.id) }
                }
                let id = try add(new, slugs: &slugs, now: now)
                imported.append(
                    ImportedFeed(feed: try requireFeed(id), wasSubscribed: known?.isSubscribed == true))
            }
            return imported
        }
    }

    /// Adds a feed, or subscribes to it again, within a transaction.
    private func add(_ new: NewFeed, slugs: inout Set<String>, now: Date) throws(StoreError) -> FeedID {
        let address = FeedAddress(new.url)
        if let known = try feedID(at: address) {
            try revive(known, new, now: now)
            return known
        }
        let title = new.title ?? address.shortName
        let slug = makeSlug(from: new.settings.name ?? title) { slugs.contains($0) }
        slugs.insert(slug)
        try connection.run(
            """
            INSERT INTO feed (slug, url, title, name, settings, subscribed_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            slug, new.url, title, new.settings.name, settingsColumn(new.settings), now)
        let id = FeedID(rawValue: connection.lastInsertedID)
        try addAddress(new.url, of: id, now: now)
        return id
    }

    private func revive(_ id: FeedID, _ new: NewFeed, now: Date) throws(StoreError) {
        // Without validators the next refresh reads the whole document, also what unsubscribing threw away.
        let revived = try connection.run(
            """
            UPDATE feed SET is_subscribed = 1, is_gone = 0, failure_count = 0, next_check = NULL,
                etag = NULL, last_modified = NULL, body_hash = NULL
            WHERE id = ?1 AND is_subscribed = 0
            """, id)
        guard revived == 1 else { return }
        let old = try requireFeed(id).settings
        let settings = old.overridden(by: new.settings)
        if settings != old { try storeSettings(settings, of: id) }
        // What went with the subscription comes back with it; what the user deleted one by one stays deleted.
        let deleted: [EpisodeID] = try connection.rows(
            "SELECT episode_id FROM download WHERE feed_id = ?1 AND state = 'deleted' AND reason = ?2", id,
            Self.deletedWithFeed
        ) { row throws(StoreError) in row.next() }
        for episode in deleted {
            let change = StateChange(state: .none, reason: "subscribed again", hasResumeData: false)
            try apply(change, to: episode, now: now)
        }
    }

    /// The reason of a file that was deleted because its feed was given up.
    public static let deletedWithFeed = "unsubscribed with --delete-files"

    /// Unsubscribes: the feed leaves all lists and is not polled any more.
    ///
    /// Its row, its episodes and the downloads stay, so that files keep their names and a new subscription finds
    /// everything as it was.
    public func removeFeed(_ id: FeedID, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            let changed = try connection.run("UPDATE feed SET is_subscribed = 0 WHERE id = ?1", id)
            guard changed == 1 else { throw .unknownIdentifier(id.rawValue) }
            try connection.run("DELETE FROM live_item WHERE feed_id = ?1", id)
            let waiting: [EpisodeID] = try connection.rows(
                """
                SELECT episode_id FROM download
                WHERE feed_id = ?1 AND state IN ('queued', 'waiting', 'active', 'paused', 'failed')
                """, id
            ) { $0.next() }
            for episode in waiting {
                let change = StateChange(state: .none, reason: "unsubscribed", hasResumeData: false)
                try apply(change, to: episode, now: now)
            }
        }
    }

    public func setSettings(_ settings: FeedSettings, of id: FeedID) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            try storeSettings(settings, of: id)
        }
    }

    private func storeSettings(_ settings: FeedSettings, of id: FeedID) throws(StoreError) {
        let changed = try connection.run(
            "UPDATE feed SET name = ?2, settings = ?3 WHERE id = ?1", id, settings.name,
            settingsColumn(settings))
        guard changed == 1 else { throw .unknownIdentifier(id.rawValue) }
    }

    /// The settings as JSON, without the name, which has a column of its own for lists to read.
    private func settingsColumn(_ settings: FeedSettings) -> String? {
        var rest = settings
        rest.name = nil
        return rest == FeedSettings() ? nil : jsonColumn(rest)
    }

    /// Gives a feed another address and keeps the old one, by which it is still recognised.
    public func moveFeed(_ id: FeedID, to newURL: String, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            if let owner = try feedID(at: FeedAddress(newURL)), owner != id {
                throw .addressTaken(by: owner)
            }
            // The validators were given by the former address and mean nothing at the new one.
            let changed = try connection.run(
                """
                UPDATE feed SET url = ?2, etag = NULL, last_modified = NULL
                WHERE id = ?1 AND url IS NOT ?2
                """, id, newURL)
            if changed == 1 {
                try addAddress(newURL, of: id, now: now)
            } else if try feed(id) == nil {
                throw .unknownIdentifier(id.rawValue)
            }
        }
    }

    /// Keeps an address that leads to a feed, so that it is recognised too; one that another feed has stays there.
    public func addAlias(_ url: String, of id: FeedID, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            if try feedID(at: FeedAddress(url)) == nil { try addAddress(url, of: id, now: now) }
        }
    }

    private func addAddress(_ url: String, of id: FeedID, now: Date) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO feed_address (address, feed_id, url, added_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (address) DO UPDATE SET url = excluded.url
            """,
            FeedAddress(url).key, id, url, now)
    }

    private func takenSlugs() throws(StoreError) -> Set<String> {
        let slugs: [String] = try connection.rows("SELECT slug FROM feed") { $0.next() }
        return Set(slugs)
    }
}
