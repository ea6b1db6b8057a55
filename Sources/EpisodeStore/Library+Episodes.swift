internal import FoundationEssentials

extension Library {
    /// The numbers of the seasons that the listed episodes of a feed tell, ascending.
    public func seasons(of feed: FeedID) throws(StoreError) -> [Int] {
        try connection.rows(
            """
            SELECT DISTINCT season FROM episode WHERE feed_id = ?1 AND season IS NOT NULL AND is_listed = 1
            ORDER BY season LIMIT 100
            """, feed
        ) { row throws(StoreError) in row.next() }
    }

    /// Returns the episodes that a query asks for, of the subscribed feeds.
    ///
    /// Finished files, what is kept, and the episodes of a feed that is named, are listed also after unsubscribing.
    public func episodes(_ query: EpisodeQuery) throws(StoreError) -> [EpisodeRecord] {
        let select = EpisodeSelect(query)
        return try connection.rows(select.sql, select.values) { row throws(StoreError) in
            EpisodeSelect.read(&row)
        }
    }

    public func episode(_ id: EpisodeID) throws(StoreError) -> EpisodeRecord? {
        try connection.first(EpisodeSelect.byID, id) { row throws(StoreError) in EpisodeSelect.read(&row) }
    }

    /// Returns the episodes of these numbers, in their order; unknown ones are left out.
    public func episodes(_ ids: [EpisodeID]) throws(StoreError) -> [EpisodeRecord] {
        var episodes: [EpisodeRecord] = []
        for id in ids {
            if let episode = try episode(id) { episodes.append(episode) }
        }
        return episodes
    }

    /// Returns the newest episodes of a feed, the newest first.
    ///
    /// By date with the future capped at the first sight; among equal dates and undated ones the one seen later,
    /// then the order of the feed.
    public func newest(of feed: FeedID, count: Int) throws(StoreError) -> [EpisodeRecord] {
        try episodes(EpisodeQuery(feed: feed, limit: count))
    }

    /// Whether any episode offers other files beside its enclosure: of one feed, or of all that are subscribed.
    public func offersAlternates(in feed: FeedID?) throws(StoreError) -> Bool {
        try connection.value(
            """
            SELECT EXISTS (
                SELECT 1 FROM episode CROSS JOIN episode_detail ON episode_detail.episode_id = episode.id
                WHERE episode.feed_id = coalesce(?1, episode.feed_id)
                    AND (?1 IS NOT NULL OR episode.feed_id IN (SELECT id FROM feed WHERE is_subscribed = 1))
                    AND json_type(episode_detail.extras, '$.alternateEnclosures') = 'array')
            """, feed) ?? false
    }

    public func episodeDetail(_ id: EpisodeID) throws(StoreError) -> EpisodeDetail? {
        try connection.snapshot { () throws(StoreError) in
            guard let record = try episode(id) else { return nil }
            return try connection.first(
                """
                SELECT updated, summary, content_html, author, is_explicit, extras,
                    coalesce(episode_detail.chapters, episode_extra.chapters),
                    coalesce(episode_detail.transcript, episode_extra.transcript), status, episode.identity,
                    episode_extra.artwork, download.codec, download.content_type, download.is_verified,
                    download.original_checksum, download.tagged_checksum
                FROM episode_detail JOIN episode ON episode.id = episode_detail.episode_id
                LEFT JOIN episode_extra ON episode_extra.episode_id = episode.id
                LEFT JOIN download ON download.episode_id = episode.id
                WHERE episode.id = ?1
                """, id
            ) { row throws(StoreError) in Self.readDetail(&row, of: record) }
        }
    }

    private static func readDetail(_ row: inout Statement, of record: EpisodeRecord) -> EpisodeDetail {
        let updated: Date? = row.next()
        let summary: String? = row.next()
        let contentHTML: String? = row.next()
        let author: String? = row.next()
        let isExplicit: Bool? = row.next()
        let extras: EpisodeExtras = row.nextJSON() ?? EpisodeExtras()
        let first = record.enclosureURL.map { url in
            [Enclosure(url: url, type: record.enclosureType, length: record.enclosureLength)]
        }
        return EpisodeDetail(
            record: record, updated: updated, summary: summary, contentHTML: contentHTML, author: author,
            isExplicit: isExplicit, enclosures: extras.enclosures ?? first ?? [],
            alternateEnclosures: extras.alternateEnclosures ?? [], chapters: row.nextJSON() ?? [],
            chaptersURL: extras.chaptersURL, transcripts: extras.transcripts ?? [],
            transcript: row.nextJSON() ?? [], persons: extras.persons ?? [],
            categories: extras.categories ?? [],
            status: row.next(), identity: row.nextCase() ?? .new, artwork: row.next(),
            codec: row.next(), contentType: row.next(), isVerified: row.next() ?? false,
            checksums: FileChecksums(original: row.next(), tagged: row.next()))
    }

    /// Finds the episodes that a user means: a number, or `FEED:latest`, `FEED:all`, `FEED:S2`, `FEED:S2E5`.
    public func episodes(matching selector: String) throws(StoreError) -> SelectorMatch<[EpisodeRecord]> {
        if let number = Int64(selector) {
            let found = try episode(EpisodeID(rawValue: number))
            return found.map { .found([$0]) } ?? .none(nearest: [])
        }
        // The last colon: a feed may be named by its URL.
        guard let colon = selector.lastIndex(of: ":"),
            let selection = EpisodeSelection(selector[selector.index(after: colon)...])
        else { return .none(nearest: []) }
        switch try feed(matching: String(selector[..<colon])) {
        case .ambiguous(let feeds): return .ambiguous(feeds)
        case .none(let nearest): return .none(nearest: nearest)
        case .found(let feed):
            let found = try episodes(selection.query(of: feed.id))
            return found.isEmpty ? .none(nearest: []) : .found(found)
        }
    }
}

extension EpisodeSelection {
    fileprivate func query(of feed: FeedID) -> EpisodeQuery {
        var query = EpisodeQuery(feed: feed)
        switch self {
        case .all: break
        case .latest: query.limit = 1
        case .season(let season): query.season = season
        case .numbered(let season, let episode):
            query.season = season
            query.episode = episode
        }
        return query
    }
}
