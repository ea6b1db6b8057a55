/// The checksums of a file into which tags were written, as `sha256-BASE64`.
public struct FileChecksums: Equatable, Sendable {
    /// Of the bytes that the server sent.
    public let original: String

    /// Of the file with its tags; nil before they are written.
    public let tagged: String?

    init?(original: String?, tagged: String?) {
        guard let original else { return nil }
        self.original = original
        self.tagged = tagged
    }
}

extension Library {
    /// Returns the finished files that tags were written into, with what they are since.
    public func taggedFiles() throws(StoreError) -> [EpisodeID: String] {
        let rows = try connection.rows(
            """
            SELECT episode_id, tagged_checksum FROM download WHERE state = 'done' AND tagged_checksum IS NOT NULL
            """
        ) { row throws(StoreError) in (row.next() as EpisodeID, row.next() as String) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Records what a file is before tags are written into it; what was recorded before stays.
    ///
    /// Returns whether it is a finished file.
    public func prepareTags(_ id: EpisodeID, original: String) throws(StoreError) -> Bool {
        try connection.transaction(.full) { () throws(StoreError) in
            try connection.run(
                """
                UPDATE download SET original_checksum = coalesce(original_checksum, ?2)
                WHERE episode_id = ?1 AND state = 'done'
                """, id, original) > 0
        }
    }

    /// Records what a file is with its tags; `false` if it is not a finished download any more.
    public func recordTags(_ id: EpisodeID, byteCount: Int64, checksum: String) throws(StoreError) -> Bool {
        try connection.transaction(.full) { () throws(StoreError) in
            try connection.run(
                "UPDATE download SET byte_count = ?2, tagged_checksum = ?3 WHERE episode_id = ?1 AND state = 'done'",
                id, byteCount, checksum) > 0
        }
    }
}
