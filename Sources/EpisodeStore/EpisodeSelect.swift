/// Builds the `SELECT` that answers a query about episodes.
///
/// Every order stands in an index, so that a limited list reads as many rows as it returns. `CROSS JOIN` fixes the
/// order of the tables, which the planner would have to guess: the one that the list is ordered or filtered by
/// comes first.
struct EpisodeSelect {
    private(set) var sql: String
    private(set) var values: [any SQLValue] = []

    init(_ query: EpisodeQuery) {
        var conditions: [String] = []
        var parameters: [any SQLValue] = []
        func require(_ condition: String, _ value: (any SQLValue)? = nil) {
            if let value {
                parameters.append(value)
                conditions.append(condition.replacing("?", with: "?\(parameters.count)"))
            } else {
                conditions.append(condition)
            }
        }
        var source = Self.episodesFirst
        var mayBeUnsubscribed = query.feed != nil
        if let feed = query.feed { require("episode.feed_id = ?", feed) }
        switch query.filter {
        case .state(.none): require("coalesce(download.state, 'none') = 'none'")
        case .state(let state):
            // A file outlives the subscription; what became of the other episodes is as far away as they are.
            if state == .done { mayBeUnsubscribed = true }
            source = Self.downloadsFirst
            switch state {
            case .queued where query.countsActiveAsQueued: require("download.state IN ('queued', 'active')")
            case .active where query.countsActiveAsQueued: require("0")
            default: require("download.state = ?", state.rawValue)
            }
        case .new: require("episode.is_new = 1")
        case .played: require("episode.is_played = 1")
        case .unplayed: require("episode.is_played = 0")
        case .started: require("episode.position > 0")
        case .kept:
            mayBeUnsubscribed = true
            require("episode.is_kept = 1")
        case .requested:
            mayBeUnsubscribed = true
            require(
                """
                episode.id IN (SELECT episode_id FROM download WHERE state = 'done' AND origin = 'user')
                """)
        case nil: break
        }
        if !mayBeUnsubscribed { require("feed.is_subscribed = 1") }
        if let since = query.since { require("episode.sort_date >= ?", since) }
        if let season = query.season { require("episode.season = ?", season) }
        if let episode = query.episode { require("episode.episode = ?", episode) }

        sql = Self.columns + source
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        switch query.order {
        case .newestFirst: sql += " ORDER BY episode.sort_date DESC, episode.id DESC"
        case .oldestFirst: sql += " ORDER BY episode.sort_date, episode.id"
        }
        if let limit = query.limit {
            parameters.append(limit)
            sql += " LIMIT ?\(parameters.count)"
        }
        values = parameters
    }

    /// The `SELECT` for one episode.
    static let byID = columns + episodesFirst + " WHERE episode.id = ?1"

    /// The `SELECT` for what to listen to, the next first.
    static let playQueue =
        columns + """
             FROM play_queue CROSS JOIN episode ON episode.id = play_queue.episode_id
            CROSS JOIN feed ON feed.id = episode.feed_id
            LEFT JOIN download ON download.episode_id = episode.id
            ORDER BY play_queue.position
            """

    private static let episodesFirst = """
         FROM episode CROSS JOIN feed ON feed.id = episode.feed_id
        LEFT JOIN download ON download.episode_id = episode.id
        """

    private static let downloadsFirst = """
         FROM download CROSS JOIN episode ON episode.id = download.episode_id
        CROSS JOIN feed ON feed.id = episode.feed_id
        """

    private static let columns = """
        SELECT episode.id, feed.id, feed.slug, coalesce(feed.name, feed.title), episode.guid, episode.title,
            episode.link, episode.image, episode.published, episode.first_seen, episode.sort_date,
            coalesce(episode.duration, download.snapshot_duration), episode.duration IS NOT NULL, episode.season, episode.episode, episode.episode_type, episode.enclosure_url,
            episode.enclosure_type, episode.enclosure_length, episode.is_downloadable, download.state,
            coalesce(download.has_resume_data, 0),
            coalesce(download.is_temporary OR download.has_resume_data, 0), download.origin,
            download.byte_count, download.expected_byte_count, coalesce(download.is_expected_exact, 0), download.file_path,
            download.finished_at, download.reason, episode.is_played, episode.position, episode.is_new,
            episode.is_old_news, episode.is_kept, episode.is_listed, episode.is_suspected_duplicate
        """

    /// Reads a row of the columns above.
    static func read(_ row: inout Statement) -> EpisodeRecord {
        EpisodeRecord(
            id: row.next(), feedID: row.next(), feedSlug: row.next(), feedTitle: row.next(), guid: row.next(),
            title: row.next(), link: row.next(), image: row.next(), published: row.next(),
            firstSeen: row.next(),
            sortDate: row.next(), duration: row.next(), isDurationOfFeed: row.next(), season: row.next(),
            episode: row.next(),
            episodeType: row.next(), enclosureURL: row.next(), enclosureType: row.next(),
            enclosureLength: row.next(), isDownloadable: row.next(), state: row.nextCase() ?? .none,
            hasResumeData: row.next(), mayRecover: row.next(), origin: row.nextCase(), byteCount: row.next(),
            expectedByteCount: row.next(), isExpectedExact: row.next(), filePath: row.next(),
            downloadedAt: row.next(), reason: row.next(), isPlayed: row.next(), position: row.next(),
            isNew: row.next(), isOldNews: row.next(), isKept: row.next(), isListed: row.next(),
            isSuspectedDuplicate: row.next())
    }
}
