extension Library {
    /// How many matches are worth ranking.
    ///
    /// A word that stands in more episodes than this says nothing about which is meant; then the newest come first,
    /// which needs no look at all the others.
    static let rankedMatchLimit = 20_000

    /// Finds episodes of the subscribed feeds by the words of their titles, notes, chapters and transcripts.
    ///
    /// It first indexes what was stored since the last search, so that nothing is missed; a read-only library
    /// searches what is indexed if it may not write. The best match comes first.
    public func search(_ text: String, limit: Int = 50) throws(StoreError) -> [SearchHit] {
        guard let query = makeSearchQuery(text) else { return [] }
        try updateSearchIndexIfPossible()
        return try connection.snapshot { () throws(StoreError) in
            let matchCount: Int? = try connection.value(
                "SELECT count(*) FROM (SELECT 1 FROM episode_search WHERE episode_search MATCH ?1 LIMIT ?2)",
                query, Self.rankedMatchLimit + 1)
            let areCommon = matchCount ?? 0 > Self.rankedMatchLimit
            let ids = try matches(query, areCommon: areCommon, limit: limit)
            var hits: [SearchHit] = []
            for id in ids {
                if let hit = try searchHit(id, query) { hits.append(hit) }
            }
            return hits
        }
    }

    func matches(_ query: String, areCommon: Bool, limit: Int) throws(StoreError) -> [EpisodeID] {
        try connection.rows(areCommon ? Self.newestMatches : Self.bestMatches, query, limit) { $0.next() }
    }

    /// Indexes what was stored since the last search.
    public func updateSearchIndex() throws(StoreError) {
        try SearchIndex(connection: connection).bringUpToDate()
    }

    private func updateSearchIndexIfPossible() throws(StoreError) {
        guard try !SearchIndex(connection: connection).isUpToDate else { return }
        do {
            guard isReadOnly else { return try updateSearchIndex() }
            let writer = try Library.openForWriting(path)
            try SearchIndex(connection: writer).bringUpToDate()
        } catch .busy, .readOnly {
            // Better to find most of it now than to wait for another process or to find nothing.
        }
    }

    private static let bestMatches = """
        SELECT episode_search.rowid FROM episode_search
        CROSS JOIN episode ON episode.id = episode_search.rowid
        CROSS JOIN feed ON feed.id = episode.feed_id
        WHERE episode_search MATCH ?1 AND feed.is_subscribed = 1
        ORDER BY bm25(episode_search, 10, 1, 3, 1), episode.sort_date DESC
        LIMIT ?2
        """

    private static let newestMatches = """
        SELECT episode.id FROM episode INDEXED BY episode_by_date
        CROSS JOIN feed ON feed.id = episode.feed_id
        CROSS JOIN episode_search ON episode_search.rowid = episode.id
        WHERE episode_search MATCH ?1 AND feed.is_subscribed = 1
        ORDER BY episode.sort_date DESC, episode.id DESC
        LIMIT ?2
        """

    private func searchHit(_ id: EpisodeID, _ query: String) throws(StoreError) -> SearchHit? {
        guard let episode = try episode(id) else { return nil }
        let marks = (String(SearchMark.matchStart), String(SearchMark.matchEnd))
        return try connection.first(
            """
            SELECT highlight(episode_search, 0, ?3, ?4), snippet(episode_search, 1, ?3, ?4, '…', 24),
                snippet(episode_search, 2, ?3, ?4, '…', 24), snippet(episode_search, 3, ?3, ?4, '…', 24),
                highlight(episode_search, 3, ?3, ?4)
            FROM episode_search WHERE episode_search MATCH ?1 AND rowid = ?2
            """, query, id, marks.0, marks.1
        ) { row throws(StoreError) in
            let texts: [String] = SearchPlace.allCases.map { _ in row.next() }
            let transcript: String = row.next()
            // The notes tell more than the title, which the list shows anyway.
            let places: [SearchPlace] = [.notes, .chapters, .transcript, .title]
            let place = places.first { texts[$0.rawValue].contains(SearchMark.matchStart) } ?? .title
            return SearchHit(
                episode: episode, place: place, snippet: snippetParts(texts[place.rawValue]),
                transcriptOffset: try transcriptOffset(of: id, segment: segmentOfFirstMatch(transcript)))
        }
    }

    private func transcriptOffset(of id: EpisodeID, segment: Int?) throws(StoreError) -> Duration? {
        guard let segment else { return nil }
        let transcript = try connection.first(
            "SELECT transcript FROM episode_detail WHERE episode_id = ?1", id
        ) { row throws(StoreError) -> [TranscriptSegment] in row.nextJSON() ?? [] }
        guard let transcript, transcript.indices.contains(segment) else { return nil }
        return transcript[segment].start
    }
}
