extension Migration {
    /// What a file was before tags were written into it, and what it is since.
    static let checksums = Migration(
        version: 6,
        name: "checksums of tagged files",
        sql: """
            ALTER TABLE download ADD COLUMN original_checksum TEXT;
            ALTER TABLE download ADD COLUMN tagged_checksum TEXT;
            """
    )
}
