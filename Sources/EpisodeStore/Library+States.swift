internal import FoundationEssentials

/// The one way in which the state of a download changes: with its reason, and a line in the journal.
extension Library {
    /// The states of a download that is to go on.
    static let wanted: [DownloadState] = [.queued, .waiting, .active]

    /// Changes the state if it is one of `from`; `false` if somebody changed it meanwhile.
    ///
    /// `assignments` are further columns to set; they hold numbers only.
    func changeRunning(
        _ id: EpisodeID, from: [DownloadState], to state: DownloadState, reason: String?, now: Date,
        setting assignments: String? = nil
    ) throws(StoreError) -> Bool {
        try connection.transaction(.full) { () throws(StoreError) in
            guard from.contains(try downloadState(of: id)) else { return false }
            try changeState(of: id, to: state, reason: reason, now: now)
            try set(assignments, of: id)
            return true
        }
    }

    /// Changes the state whatever it is, also of an episode that was never wanted.
    func settle(
        _ id: EpisodeID, _ state: DownloadState, reason: String, now: Date, setting assignments: String
    ) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            try ensureDownload(id, origin: .policy, now: now)
            try changeState(of: id, to: state, reason: reason, now: now)
            try set(assignments, of: id)
            if state == .deleted {
                try connection.run("UPDATE episode SET is_new = 0 WHERE id = ?1", id)
            }
        }
    }

    private func set(_ assignments: String?, of id: EpisodeID) throws(StoreError) {
        guard let assignments else { return }
        try connection.run("UPDATE download SET \(assignments) WHERE episode_id = ?1", id)
    }

    /// Changes the state within a transaction.
    ///
    /// Owner, rate and waiting time belong to one state and end with it.
    func changeState(
        of id: EpisodeID, to state: DownloadState, reason: String?, now: Date
    ) throws(StoreError) {
        let old = try downloadState(of: id)
        try connection.run(
            """
            UPDATE download SET state = ?2, reason = ?3, changed_at = ?4, owner = NULL, rate = NULL,
                not_before = NULL
            WHERE episode_id = ?1
            """, id, state.rawValue, reason, now)
        guard old != state else { return }
        try connection.addJournalEntry(id, .state(from: old, to: state), reason: reason, now: now)
    }

    func downloadState(of id: EpisodeID) throws(StoreError) -> DownloadState {
        let state = try connection.first("SELECT state FROM download WHERE episode_id = ?1", id) {
            row throws(StoreError) -> DownloadState? in row.nextCase()
        }
        return (state ?? nil) ?? .none
    }

    /// Makes sure that an episode has a row among the downloads.
    func ensureDownload(_ id: EpisodeID, origin: DownloadOrigin, now: Date) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO download (episode_id, feed_id, state, origin, requested_at, changed_at)
            SELECT id, feed_id, 'none', ?2, ?3, ?3 FROM episode WHERE id = ?1
            ON CONFLICT (episode_id) DO NOTHING
            """, id, origin.rawValue, now)
        let exists: Bool? = try connection.value("SELECT 1 FROM download WHERE episode_id = ?1", id)
        guard exists == true else { throw .unknownIdentifier(id.rawValue) }
    }
}
