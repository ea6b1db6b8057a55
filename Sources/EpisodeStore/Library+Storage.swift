internal import FoundationEssentials

extension Library {
    /// Returns the finished files, the largest first.
    ///
    /// Titles, durations and chapters are those of the time of the download: they need no network and no feed.
    public func storage() throws(StoreError) -> [StoredFile] {
        try files(in: .done)
    }

    /// Returns the files that were finished and are gone.
    public func missingFiles() throws(StoreError) -> [StoredFile] {
        try files(in: .missing).filter { !$0.path.isEmpty }
    }

    private func files(in state: DownloadState) throws(StoreError) -> [StoredFile] {
        try connection.rows(
            """
            SELECT episode_id, feed_id, coalesce(snapshot_title, ''), coalesce(snapshot_feed_title, ''), byte_count,
                coalesce(file_path, ''), snapshot_published, snapshot_duration, snapshot_season, snapshot_episode,
                content_type, container, codec, snapshot_chapters, snapshot_image, is_verified,
                coalesce(finished_at, changed_at), origin,
                (SELECT is_subscribed FROM feed WHERE feed.id = download.feed_id)
            FROM download
            WHERE state = ?1
            ORDER BY byte_count DESC, episode_id DESC
            """, state.rawValue
        ) { row throws(StoreError) in
            StoredFile(
                id: row.next(), feedID: row.next(), title: row.next(), feedTitle: row.next(),
                byteCount: row.next(), path: row.next(), published: row.next(), duration: row.next(),
                season: row.next(), episode: row.next(), contentType: row.next(), container: row.next(),
                codec: row.next(), chapters: row.nextJSON() ?? [], image: row.next(), isVerified: row.next(),
                downloadedAt: row.next(), origin: row.nextCase() ?? .policy, isSubscribed: row.next())
        }
    }

    /// Counts the bytes of all finished files.
    public func storedByteCount() throws(StoreError) -> Int64 {
        try connection.value("SELECT coalesce(sum(byte_count), 0) FROM download WHERE state = 'done'") ?? 0
    }

    /// Returns the names that downloads were given in the library, without extensions.
    public func reservedNames() throws(StoreError) -> [ReservedName] {
        try connection.rows(
            "SELECT episode_id, feed_id, folder, file_stem FROM download WHERE folder IS NOT NULL AND file_stem IS NOT NULL"
        ) { row throws(StoreError) in
            ReservedName(id: row.next(), feedID: row.next(), folder: row.next(), stem: row.next())
        }
    }
}
