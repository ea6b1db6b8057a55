public import FoundationEssentials

extension Library {
    /// Marks episodes as played, or not, which start again at their beginning.
    ///
    /// A played one is not new any more, and leaves the play queue.
    public func setPlayed(_ isPlayed: Bool, _ ids: [EpisodeID], now: Date) throws(StoreError) {
        let change = isPlayed ? "is_played = 1, is_new = 0, position = 0" : "is_played = 0, position = 0"
        try mark(ids, as: isPlayed ? "played" : "unplayed", change, now: now, leavesPlayQueue: isPlayed)
    }

    /// Marks episodes as new or old, without touching what was played.
    public func setNew(_ isNew: Bool, _ ids: [EpisodeID], now: Date) throws(StoreError) {
        try mark(ids, as: isNew ? "new" : "old", "is_new = \(isNew.stored)", now: now)
    }

    /// Marks episodes whose files the policy must leave alone, or lets go of them, also of those downloaded by hand.
    public func setKept(_ isKept: Bool, _ ids: [EpisodeID], now: Date) throws(StoreError) {
        try mark(
            ids, as: isKept ? "keep" : "unkeep", "is_kept = \(isKept.stored)", now: now,
            leavesToPolicy: !isKept)
    }

    /// Records where playing stopped; it is not written into the journal.
    public func setPosition(_ position: Duration, of id: EpisodeID) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            let changed = try connection.run(
                "UPDATE episode SET position = ?2, is_new = 0 WHERE id = ?1", id, position)
            guard changed == 1 else { throw .unknownIdentifier(id.rawValue) }
        }
    }

    private func mark(
        _ ids: [EpisodeID], as mark: String, _ change: String, now: Date, leavesPlayQueue: Bool = false,
        leavesToPolicy: Bool = false
    ) throws(StoreError) {
        let sql = "UPDATE episode SET \(change) WHERE id = ?1"
        try connection.transaction(.full) { () throws(StoreError) in
            if leavesPlayQueue { try removeFromPlayQueueInside(ids) }
            for id in ids {
                guard try connection.run(sql, id) == 1 else { throw .unknownIdentifier(id.rawValue) }
                if leavesToPolicy {
                    try connection.run(
                        "UPDATE download SET origin = 'policy' WHERE episode_id = ?1 AND state = 'done'", id)
                }
                try connection.addJournalEntry(id, .marked(mark), reason: nil, now: now)
            }
        }
    }
}
