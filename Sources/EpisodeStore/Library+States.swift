internal import FoundationEssentials

/// A step of a download, with what becomes known by it.
struct StateChange {
    let state: DownloadState
    var reason: String?
    var owner: Int32?
    var notBefore: Date?

    /// `nil` where what is known stays true.
    var hasResumeData: Bool?
    var isTemporary: Bool?
    var isAttempt = false
}

/// The one way in which the state of a download changes: with its reason, and a line in the journal.
extension Library {
    /// The states of a download that is to go on.
    static let wanted: [DownloadState] = [.queued, .waiting, .active]

    /// Changes the state if it is one of `from`; `false` if somebody changed it meanwhile.
    func change(
        _ id: EpisodeID, from: [DownloadState], to change: StateChange, now: Date
    ) throws(StoreError) -> Bool {
        try connection.transaction(.full) { () throws(StoreError) in
            try apply(change, to: id, ifIn: from, now: now)
        }
    }

    /// Changes the state within a transaction if it is one of `from`; `false` where it is not.
    func apply(
        _ change: StateChange, to id: EpisodeID, ifIn from: [DownloadState], now: Date
    ) throws(StoreError) -> Bool {
        guard from.contains(try downloadState(of: id)) else { return false }
        try apply(change, to: id, now: now)
        return true
    }

    /// Changes the state whatever it is, also of an episode that was never wanted.
    func settle(_ id: EpisodeID, _ change: StateChange, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            try ensureDownload(id, origin: .policy, now: now)
            try apply(change, to: id, now: now)
        }
    }

    /// Changes the state within a transaction.
    ///
    /// Owner, rate and waiting time belong to one state and end with it; what was received counts only as long as
    /// it can be resumed or is a file.
    func apply(_ change: StateChange, to id: EpisodeID, now: Date) throws(StoreError) {
        let old = try downloadState(of: id)
        try connection.run(
            """
            UPDATE download SET
                state = ?2, reason = ?3, changed_at = ?4, owner = ?5, rate = NULL, not_before = ?6,
                has_resume_data = coalesce(?7, has_resume_data), is_temporary = coalesce(?8, is_temporary),
                attempt_count = attempt_count + ?9,
                byte_count = iif(?2 = 'none', 0, byte_count),
                file_path = iif(?2 IN ('deleted', 'none'), NULL, file_path)
            WHERE episode_id = ?1
            """,
            id, change.state.rawValue, change.reason, now, change.owner, change.notBefore,
            change.hasResumeData,
            change.isTemporary, change.isAttempt)
        if change.state == .deleted {
            try connection.run("UPDATE episode SET is_new = 0 WHERE id = ?1", id)
        }
        guard old != change.state else { return }
        try connection.addJournalEntry(
            id, .state(from: old, to: change.state), reason: change.reason, now: now)
    }

    /// Returns where the download of an episode stands; `none` for one that was never wanted.
    public func downloadState(of id: EpisodeID) throws(StoreError) -> DownloadState {
        let name: String? = try connection.value("SELECT state FROM download WHERE episode_id = ?1", id)
        return name.flatMap(DownloadState.init(rawValue:)) ?? .none
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
