public import FoundationEssentials

extension Library {
    /// How often the links of one download are tried before its extras are taken as they are.
    private static let attemptLimit = 5

    /// Returns finished downloads whose extras are not complete, those never tried first, then the latest.
    ///
    /// What failed is left alone for an hour. With `canReadFiles`, those of which nothing but the file could not be looked
    /// into before count as well, at once.
    public func downloadsWithoutExtras(
        limit: Int, canReadFiles: Bool = true, now: Date
    ) throws(StoreError) -> [EpisodeID] {
        try connection.rows(
            """
            SELECT download.episode_id FROM download
            LEFT JOIN episode_extra ON episode_extra.episode_id = download.episode_id
            WHERE download.state = 'done'
                AND iif(coalesce(episode_extra.is_complete, 0), ?3 AND episode_extra.is_file_unread,
                    coalesce(episode_extra.tried_at, 0) <= ?1)
            ORDER BY episode_extra.tried_at IS NOT NULL, download.finished_at DESC LIMIT ?2
            """, now.addingTimeInterval(-3600), limit, canReadFiles
        ) { row throws(StoreError) in row.next() }
    }

    public func extras(of id: EpisodeID) throws(StoreError) -> OfflineExtras {
        let found = try connection.first(
            "SELECT chapters, transcript, artwork, settled_links FROM episode_extra WHERE episode_id = ?1", id
        ) { row throws(StoreError) in
            var extras = OfflineExtras()
            extras.chapters = row.nextJSON() ?? []
            extras.transcript = row.nextJSON() ?? []
            extras.artwork = row.next()
            extras.settledLinks = row.nextJSON() ?? []
            return extras
        }
        return found ?? OfflineExtras()
    }

    /// Counts the finished downloads of which the spoken words are known, and the others.
    public func transcriptCounts() throws(StoreError) -> (with: Int, without: Int) {
        let sql = """
            SELECT count(coalesce(episode_detail.transcript, episode_extra.transcript)), count(*) FROM download
            LEFT JOIN episode_detail ON episode_detail.episode_id = download.episode_id
            LEFT JOIN episode_extra ON episode_extra.episode_id = download.episode_id
            WHERE download.state = 'done'
            """
        let counts = try connection.first(sql) { row throws(StoreError) -> (Int, Int) in
            (row.next(), row.next())
        }
        return counts.map { (with: $0.0, without: $0.1 - $0.0) } ?? (0, 0)
    }

    /// Records extras and what the file says of itself.
    ///
    /// Without `isComplete` they are tried again later, a few times. `attempts` is what this one adds to their count: 0 where
    /// it does not count, -1 where it was counted before and does not count after all. With `isMidway` the next run goes on
    /// at once, should this one crash. `isFileUnread` where the file can be looked into only when there is a program for it.
    /// What the feed says stays before all of it.
    public func recordExtras(
        _ extras: OfflineExtras, _ content: FileContent, of id: EpisodeID, isComplete: Bool,
        attempts: Int = 1, isMidway: Bool = false, isFileUnread: Bool = false, now: Date
    ) throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            let chapters = jsonColumn(list: extras.chapters)
            let transcript = jsonColumn(list: extras.transcript)
            try SearchIndex(connection: connection).prepareExtras(
                of: id, chapters: chapters, transcript: transcript)
            try connection.run(
                """
                INSERT INTO episode_extra
                    (episode_id, chapters, transcript, artwork, settled_links, is_complete, attempt_count, tried_at,
                     is_file_unread)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?9, iif(?10, NULL, ?7), ?11)
                ON CONFLICT (episode_id) DO UPDATE SET
                    chapters = ?2, transcript = ?3, artwork = ?4, settled_links = ?5,
                    attempt_count = attempt_count + ?9, is_complete = ?6 OR attempt_count + ?9 >= ?8, tried_at = iif(?10, tried_at, ?7),
                    is_file_unread = ?11
                """,
                id, chapters, transcript, extras.artwork, jsonColumn(list: extras.settledLinks), isComplete,
                now, Self.attemptLimit, attempts, isMidway, isFileUnread)
            try connection.run(
                """
                UPDATE download SET container = coalesce(container, ?2), codec = coalesce(?3, codec),
                    snapshot_duration = coalesce(snapshot_duration, ?4),
                    snapshot_chapters = coalesce(episode_detail.chapters, ?5)
                FROM episode_detail
                WHERE download.episode_id = ?1 AND episode_detail.episode_id = ?1
                """, id, content.container, content.codec, content.duration, chapters)
        }
    }

    /// Returns the names of the artwork files of finished downloads.
    public func artworkOfDownloads() throws(StoreError) -> Set<String> {
        Set(
            try connection.rows(
                """
                SELECT artwork FROM download JOIN episode_extra USING (episode_id)
                WHERE state = 'done' AND artwork IS NOT NULL
                """
            ) { row throws(StoreError) in row.next() as String })
    }

    /// Has the extras looked at again of which one of these artwork files was stored and is not there any more.
    public func reopenExtras(withArtwork names: Set<String>) throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            for name in names {
                try connection.run(
                    """
                    UPDATE episode_extra SET artwork = NULL, is_complete = 0, attempt_count = 0, tried_at = NULL
                    WHERE artwork = ?1
                    """, name)
            }
        }
    }
}

extension Connection {
    /// Has the extras of an episode looked at again: its file or its feed's links are new.
    func reopenExtras(of id: EpisodeID) throws(StoreError) {
        try run(
            """
            UPDATE episode_extra SET is_complete = 0, attempt_count = 0, tried_at = NULL WHERE episode_id = ?1
            """, id)
    }
}
