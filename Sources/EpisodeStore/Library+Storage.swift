internal import FoundationEssentials

extension Library {
    /// Returns the finished files, the largest first.
    ///
    /// Titles, durations and chapters are those of the time of the download: they need no network and no feed.
    public func storage() throws(StoreError) -> [StoredFile] {
        try connection.rows(
            """
            SELECT episode.id, feed.id, coalesce(snapshot_title, episode.title),
                coalesce(snapshot_feed_title, feed.name, feed.title), byte_count, coalesce(file_path, ''),
                snapshot_published, episode.sort_date, snapshot_duration, snapshot_season, snapshot_episode, content_type, container,
                codec, snapshot_chapters, snapshot_image, is_verified, coalesce(finished_at, changed_at), origin,
                is_played, episode.position, is_kept, is_subscribed
            FROM download CROSS JOIN episode ON episode.id = download.episode_id
            CROSS JOIN feed ON feed.id = download.feed_id
            WHERE download.state = 'done'
            ORDER BY byte_count DESC, episode.id
            """
        ) { row throws(StoreError) in
            StoredFile(
                id: row.next(), feedID: row.next(), title: row.next(), feedTitle: row.next(),
                byteCount: row.next(), path: row.next(), published: row.next(), sortDate: row.next(),
                duration: row.next(),
                season: row.next(), episode: row.next(), contentType: row.next(), container: row.next(),
                codec: row.next(), chapters: row.nextJSON() ?? [], image: row.next(), isVerified: row.next(),
                downloadedAt: row.next(), origin: row.nextCase() ?? .policy, isPlayed: row.next(),
                position: row.next(), isKept: row.next(), isSubscribed: row.next())
        }
    }
}
