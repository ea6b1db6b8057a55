internal import FoundationEssentials

/// Writes the episodes of one refresh and counts what changed.
///
/// It lives within one transaction.
struct RefreshWriter: ~Copyable {
    private let connection: Connection
    private let feed: FeedID
    private let now: Date
    private(set) var outcome = RefreshOutcome()

    private var insertEpisode: Statement
    private var insertDetail: Statement

    init(
        connection: Connection, feed: FeedID, isFirst: Bool, isRewrittenCatalogue: Bool, now: Date
    ) throws(StoreError) {
        let insertEpisode = try connection.prepare(
            """
            INSERT INTO episode (
                feed_id, sort_date, first_seen, published, content_hash, is_listed, is_suspected_duplicate,
                is_old_news, is_new, is_downloadable, duration, season, episode, episode_type, identity, guid,
                title, link, image, enclosure_url, enclosure_type, enclosure_length
            ) VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 'new', ?14, ?15, ?16, ?17, ?18,
                ?19, ?20)
            """)
        let insertDetail = try connection.prepare(
            """
            INSERT INTO episode_detail (
                episode_id, updated, is_explicit, author, status, summary, content_html, chapters, transcript,
                extras
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """)
        self.connection = connection
        self.feed = feed
        self.now = now
        self.insertEpisode = insertEpisode
        self.insertDetail = insertDetail
        outcome.isFirst = isFirst
        outcome.isRewrittenCatalogue = isRewrittenCatalogue
    }

    mutating func insert(_ row: EpisodeRow, isSuspectedDuplicate: Bool, isOldNews: Bool) throws(StoreError) {
        let incoming = row.incoming
        let enclosure = incoming.enclosures.first
        try insertEpisode.run(
            feed, sortDate(published: row.key.published, firstSeen: now), now, row.key.published,
            row.contentHash,
            isSuspectedDuplicate, isOldNews, !isOldNews && !isSuspectedDuplicate,
            row.isDownloadable,
            row.key.duration, incoming.season, incoming.episode, incoming.episodeType, row.key.guid,
            row.key.title,
            row.key.link, incoming.image, row.key.enclosureURL, enclosure?.type, enclosure?.length)
        let id = EpisodeID(rawValue: connection.lastInsertedID)
        try insertDetail.run(
            id, incoming.updated, incoming.isExplicit, incoming.author, incoming.status, incoming.summary,
            incoming.contentHTML, row.chapters, row.transcript, row.extras)
        outcome.newEpisodes.append(id)
        if isSuspectedDuplicate {
            outcome.suspectedDuplicates.append(id)
            try connection.addJournalEntry(
                id, .suspectedDuplicate,
                reason: outcome.isRewrittenCatalogue
                    ? "the feed rewrote its catalogue"
                    : "an episode that left the feed has the same title, duration and minute of publication",
                now: now)
        }
    }

    mutating func update(_ stored: StoredEpisode, with row: EpisodeRow, _ rule: IdentityRule)
        throws(StoreError)
    {
        let id = stored.episode.id
        if row.contentHash != stored.contentHash {
            try rewrite(stored, with: row, rule)
            outcome.updatedEpisodes.append(id)
        } else if !stored.episode.isListed {
            try connection.run("UPDATE episode SET is_listed = 1 WHERE id = ?1", id)
        }
    }

    private func rewrite(_ stored: StoredEpisode, with row: EpisodeRow, _ rule: IdentityRule)
        throws(StoreError)
    {
        let id = stored.episode.id
        let known = stored.episode.key
        let incoming = row.incoming
        let enclosure = incoming.enclosures.first
        // A guid or date that a document leaves out once is kept: it is still what the episode is known by.
        let guid = row.key.guid ?? known.guid
        let published = row.key.published ?? known.published
        try SearchIndex(connection: connection).prepareUpdate(of: id, to: row)
        try connection.run(
            """
            UPDATE episode SET
                sort_date = ?2, published = ?3, content_hash = ?4, is_listed = 1, is_downloadable = ?5,
                duration = ?6, season = ?7, episode = ?8, episode_type = ?9, identity = ?10, guid = ?11,
                title = ?12, link = ?13, image = ?14, enclosure_url = ?15, enclosure_type = ?16,
                enclosure_length = ?17
            WHERE id = ?1
            """,
            id, sortDate(published: published, firstSeen: stored.firstSeen), published, row.contentHash,
            row.isDownloadable, row.key.duration, incoming.season, incoming.episode, incoming.episodeType,
            rule.rawValue, guid, row.key.title, row.key.link, incoming.image, row.key.enclosureURL,
            enclosure?.type, enclosure?.length)
        try connection.run(
            """
            UPDATE episode_detail SET
                updated = ?2, is_explicit = ?3, author = ?4, status = ?5, summary = ?6, content_html = ?7,
                chapters = ?8, transcript = ?9, extras = ?10
            WHERE episode_id = ?1 AND
                (updated, is_explicit, author, status, summary, content_html, chapters, transcript, extras)
                IS NOT (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            id, incoming.updated, incoming.isExplicit, incoming.author, incoming.status, incoming.summary,
            incoming.contentHTML, row.chapters, row.transcript, row.extras)
        try connection.reopenExtras(of: id)
        if known.guid != nil, guid != known.guid {
            let reason = "guid \(known.guid ?? "") became \(guid ?? "")"
            try connection.addJournalEntry(id, .recognised(rule), reason: reason, now: now)
        }
    }

    mutating func unlist(_ ids: [EpisodeID]) throws(StoreError) {
        for id in ids {
            try connection.run("UPDATE episode SET is_listed = 0 WHERE id = ?1", id)
        }
        outcome.unlistedEpisodes = ids
    }

    /// The date to order by: never later than the first sight, so that a date in the future blocks no place at the
    /// top, and one that moves at every poll makes nothing new again.
    private func sortDate(published: Int64?, firstSeen: Date) -> Int64 {
        min(published ?? .max, firstSeen.stored)
    }
}
