extension Migration {
    /// What to listen to next, in order.
    static let playQueue = Migration(
        version: 5,
        name: "play queue",
        sql: """
            CREATE TABLE play_queue (
                position INTEGER PRIMARY KEY,
                episode_id INTEGER NOT NULL UNIQUE REFERENCES episode (id)
            ) STRICT;
            """
    )
}
