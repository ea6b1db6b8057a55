/// One search: which matches are looked at, in what order, and what is shown of them.
struct EpisodeSearch: ~Copyable {
    /// How many matches are ranked: each costs a look at the length of its text.
    private static let rankedMatchCount = 2000

    private let connection: Connection
    private let limit: Int
    private var episode: Statement
    private var transcript: Statement
    private var seen: Set<EpisodeID> = []
    private(set) var hits: [SearchHit] = []

    init(connection: Connection, limit: Int) throws(StoreError) {
        let episode = try connection.prepare(EpisodeSelect.byID + " AND feed.is_subscribed = 1")
        let transcript = try connection.prepare(
            """
            SELECT coalesce(episode_detail.transcript, episode_extra.transcript) FROM episode_detail
            LEFT JOIN episode_extra ON episode_extra.episode_id = episode_detail.episode_id
            WHERE episode_detail.episode_id = ?1
            """)
        self.connection = connection
        self.limit = limit
        self.episode = episode
        self.transcript = transcript
    }

    /// Collects the best matches.
    ///
    /// Words that stand in more episodes than are worth ranking tell little about which is meant. Then those come
    /// first that have them in the title, and only the episodes stored last are ranked.
    mutating func run(_ query: SearchQuery) throws(StoreError) {
        if let oldest = try oldestRanked(query.anywhere) {
            try collect(query.inTitle, since: try oldestRanked(query.inTitle) ?? 0)
            try collect(query.anywhere, since: oldest)
        } else {
            try collect(query.anywhere, since: 0)
        }
    }

    /// Returns the lowest number to rank from; `nil` if there are few enough matches to rank them all.
    private func oldestRanked(_ query: String) throws(StoreError) -> EpisodeID? {
        try connection.value(
            """
            SELECT rowid FROM episode_search WHERE episode_search MATCH ?1
            ORDER BY rowid DESC LIMIT 1 OFFSET ?2
            """, query, Self.rankedMatchCount)
    }

    /// Adds the best matches until there are enough; the snippets are made only of those.
    private mutating func collect(_ query: String, since oldest: EpisodeID) throws(StoreError) {
        guard hits.count < limit else { return }
        var matches = try connection.prepare(
            """
            SELECT rowid, highlight(episode_search, 0, ?3, ?4), snippet(episode_search, 1, ?3, ?4, '…', 24),
                snippet(episode_search, 2, ?3, ?4, '…', 24), snippet(episode_search, 3, ?3, ?4, '…', 24),
                highlight(episode_search, 3, ?3, ?4)
            FROM episode_search WHERE episode_search MATCH ?1 AND rowid >= ?2 ORDER BY rank
            """)
        try matches.bind([query, oldest, String(SearchMark.matchStart), String(SearchMark.matchEnd)])
        while hits.count < limit, try matches.step() {
            if let hit = try readHit(&matches) { hits.append(hit) }
        }
    }

    /// Reads what is shown of a match; `nil` if it was shown already or its feed is not subscribed to.
    private mutating func readHit(_ match: inout Statement) throws(StoreError) -> SearchHit? {
        let id: EpisodeID = match.next()
        try episode.bind([id])
        guard seen.insert(id).inserted, try episode.step() else { return nil }
        let record = EpisodeSelect.read(&episode)
        var texts: [String] = []
        for _ in SearchPlace.allCases { texts.append(match.next()) }
        let segment = bestSegment(match.next())
        // The notes tell more than the title, which the list shows anyway.
        let places: [SearchPlace] = [.notes, .chapters, .transcript, .title]
        let place = places.first { texts[$0.rawValue].contains(SearchMark.matchStart) } ?? .title
        return SearchHit(
            episode: record, place: place, snippet: snippetParts(texts[place.rawValue]),
            spoken: try segment.map { segment throws(StoreError) in
                try spokenMatch(in: id, segment.number, marked: segment.text)
            })
    }

    private mutating func spokenMatch(
        in id: EpisodeID, _ number: Int, marked: Substring
    ) throws(StoreError) -> SpokenMatch {
        try transcript.bind([id])
        let segments: [TranscriptSegment] = try transcript.step() ? transcript.nextJSON() ?? [] : []
        let segment = segments.indices.contains(number) ? segments[number] : nil
        return SpokenMatch(
            start: segment?.start, speaker: segment?.speaker, snippet: snippetParts(String(marked)))
    }
}
