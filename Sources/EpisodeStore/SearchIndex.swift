/// Keeps the full-text index in step with the episodes.
///
/// New episodes are indexed later, before the next search: all that is needed to know them is the highest number
/// that is indexed. An indexed text that changes is taken out at once, while the old words are still known, and its
/// number is noted.
struct SearchIndex {
    let connection: Connection

    /// Takes an episode out of the index if the words of an update differ from the stored ones.
    ///
    /// It is called before the rows are written.
    func prepareUpdate(of id: EpisodeID, to row: EpisodeRow) throws(StoreError) {
        let removed = try connection.run(
            """
            INSERT INTO episode_search (episode_search, rowid, title, notes, chapters, transcript)
            SELECT 'delete', text.id, text.title, text.notes, text.chapters, text.transcript
            FROM episode_search_text AS text
            JOIN episode ON episode.id = text.id
            JOIN episode_detail ON episode_detail.episode_id = text.id
            WHERE text.id = ?1 AND text.id <= (SELECT indexed_up_to FROM search_progress)
                AND NOT EXISTS (SELECT 1 FROM search_pending WHERE episode_id = ?1)
                AND (episode.title, content_html, summary, episode_detail.chapters, episode_detail.transcript)
                    IS NOT (?2, ?3, ?4, ?5, ?6)
            """,
            id, row.key.title, row.incoming.contentHTML, row.incoming.summary, row.chapters, row.transcript)
        if removed > 0 {
            try connection.run("INSERT INTO search_pending (episode_id) VALUES (?1)", id)
        }
    }

    /// Takes an episode out of the index if the words of its extras change; called before they are written.
    func prepareExtras(of id: EpisodeID, chapters: String?, transcript: String?) throws(StoreError) {
        let removed = try connection.run(
            """
            INSERT INTO episode_search (episode_search, rowid, title, notes, chapters, transcript)
            SELECT 'delete', text.id, text.title, text.notes, text.chapters, text.transcript
            FROM episode_search_text AS text
            LEFT JOIN episode_extra ON episode_extra.episode_id = text.id
            WHERE text.id = ?1 AND text.id <= (SELECT indexed_up_to FROM search_progress)
                AND NOT EXISTS (SELECT 1 FROM search_pending WHERE episode_id = ?1)
                AND (episode_extra.chapters, episode_extra.transcript) IS NOT (?2, ?3)
            """, id, chapters, transcript)
        if removed > 0 {
            try connection.run("INSERT INTO search_pending (episode_id) VALUES (?1)", id)
        }
    }

    var isUpToDate: Bool {
        get throws(StoreError) {
            try connection.value(
                """
                SELECT (SELECT indexed_up_to FROM search_progress) >= coalesce((SELECT max(id) FROM episode), 0)
                    AND NOT EXISTS (SELECT 1 FROM search_pending)
                """) ?? true
        }
    }

    /// Indexes some of what is missing, in a transaction of bounded size, so that no other writer waits for long.
    func addSome() throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            try addPending()
            try addNew()
        }
    }

    private func addPending() throws(StoreError) {
        let pending: [EpisodeID] = try connection.rows("SELECT episode_id FROM search_pending LIMIT 1000") {
            $0.next()
        }
        for id in pending {
            try connection.run(Self.insert + " WHERE id = ?1", id)
            try connection.run("DELETE FROM search_pending WHERE episode_id = ?1", id)
        }
    }

    private func addNew() throws(StoreError) {
        let done: Int64 = try connection.value("SELECT indexed_up_to FROM search_progress") ?? 0
        let newest: Int64 = try connection.value("SELECT max(id) FROM episode") ?? 0
        let next = min(newest, done + 5000)
        guard next > done else { return }
        try connection.run(Self.insert + " WHERE id > ?1 AND id <= ?2", done, next)
        try connection.run("UPDATE search_progress SET indexed_up_to = ?1", next)
    }

    private static let insert = """
        INSERT INTO episode_search (rowid, title, notes, chapters, transcript)
        SELECT id, title, notes, chapters, transcript FROM episode_search_text
        """
}
