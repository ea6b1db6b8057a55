extension Library {
    /// Returns what to listen to, the next first; also of feeds that are unsubscribed since.
    public func playQueue() throws(StoreError) -> [EpisodeRecord] {
        try connection.rows(EpisodeSelect.playQueue) { row throws(StoreError) in EpisodeSelect.read(&row) }
    }

    /// Puts episodes at the end of what to listen to, or in front of it, in the order given.
    ///
    /// At the end one that is there already keeps its place; in front it moves there.
    public func addToPlayQueue(_ ids: [EpisodeID], inFront: Bool = false) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            if inFront { try removeFromPlayQueueInside(ids) }
            let place = inFront ? "min(position), 1) - 1" : "max(position), 0) + 1"
            for id in inFront ? ids.reversed() : ids {
                guard try episode(id) != nil else { throw .unknownIdentifier(id.rawValue) }
                try connection.run(
                    """
                    INSERT OR IGNORE INTO play_queue (position, episode_id)
                    SELECT coalesce(\(place), ?1 FROM play_queue
                    """, id)
            }
        }
    }

    /// Takes episodes out of what to listen to, and tells how many were in it.
    @discardableResult
    public func removeFromPlayQueue(_ ids: [EpisodeID]) throws(StoreError) -> Int {
        try connection.transaction(.full) { () throws(StoreError) in try removeFromPlayQueueInside(ids) }
    }

    /// The same, within a transaction of the caller.
    @discardableResult
    func removeFromPlayQueueInside(_ ids: [EpisodeID]) throws(StoreError) -> Int {
        var count = 0
        for id in ids {
            count += try connection.run("DELETE FROM play_queue WHERE episode_id = ?1", id)
        }
        return count
    }
}
