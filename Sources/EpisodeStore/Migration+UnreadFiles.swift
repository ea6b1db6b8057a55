extension Migration {
    /// Which files were not looked into because the program that reads them was not installed.
    static let unreadFiles = Migration(
        version: 7,
        name: "files not looked into",
        sql: "ALTER TABLE episode_extra ADD COLUMN is_file_unread INTEGER NOT NULL DEFAULT 0;"
    )
}
