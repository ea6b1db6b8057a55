internal import FoundationEssentials

extension Library {
    /// Returns what happened to an episode, the oldest first.
    public func journal(of id: EpisodeID) throws(StoreError) -> [JournalEntry] {
        try connection.rows(
            """
            SELECT date, episode_id, event, old_value, new_value, reason FROM journal
            WHERE episode_id = ?1 ORDER BY id
            """, id
        ) { row throws(StoreError) in
            JournalEntry(
                date: row.next(), episodeID: row.next(),
                event: JournalEvent(name: row.next(), old: row.next(), new: row.next()), reason: row.next())
        }
    }
}

extension Connection {
    func addJournalEntry(_ id: EpisodeID, _ event: JournalEvent, reason: String?, now: Date)
        throws(StoreError)
    {
        let columns = event.columns
        try run(
            """
            INSERT INTO journal (date, episode_id, event, old_value, new_value, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            now, id, columns.name, columns.old, columns.new, reason)
    }
}

extension JournalEvent {
    fileprivate var columns: (name: String, old: String?, new: String?) {
        switch self {
        case .state(let from, let to): ("state", from.rawValue, to.rawValue)
        case .recognised(let rule): ("recognised", nil, rule.rawValue)
        case .marked(let mark): ("marked", nil, mark)
        case .suspectedDuplicate: ("suspected", nil, nil)
        }
    }

    fileprivate init(name: String, old: String?, new: String?) {
        switch name {
        case "state":
            self = .state(
                from: old.flatMap(DownloadState.init(rawValue:)) ?? .none,
                to: new.flatMap(DownloadState.init(rawValue:)) ?? .none)
        case "recognised": self = .recognised(new.flatMap(IdentityRule.init(rawValue:)) ?? .new)
        case "marked": self = .marked(new ?? "")
        default: self = .suspectedDuplicate
        }
    }
}
