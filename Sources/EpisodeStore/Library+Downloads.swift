public import FoundationEssentials

extension Library {
    /// Claims a queued download for a process; `false` if it was taken out of the queue meanwhile.
    public func markActive(_ id: EpisodeID, owner: Int32, now: Date) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: [.queued, .waiting], to: .active, reason: nil, now: now,
            setting: "owner = \(owner), attempt_count = attempt_count + 1")
    }

    /// Records how far a running download is, and returns the state it has now.
    ///
    /// Anything but `active` means that somebody paused or cancelled it: the transfer is to stop.
    public func recordProgress(
        of id: EpisodeID, byteCount: Int64, expected: Int64?, isExact: Bool, rate: Double?,
        hasResumeData: Bool
    ) throws(StoreError) -> DownloadState {
        try connection.transaction(.normal) { () throws(StoreError) in
            let changed = try connection.run(
                """
                UPDATE download SET byte_count = ?2, expected_byte_count = ?3, is_expected_exact = ?4, rate = ?5,
                    has_resume_data = ?6
                WHERE episode_id = ?1 AND state = 'active'
                """, id, byteCount, expected, isExact, rate.flatMap { $0.isFinite ? $0 : nil }, hasResumeData)
            return changed == 1 ? .active : try downloadState(of: id)
        }
    }

    /// Records a finished file, with a snapshot of what is known about the episode now.
    public func markDone(_ id: EpisodeID, _ result: DownloadResult, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            try ensureDownload(id, origin: .user, now: now)
            try connection.run(
                """
                UPDATE download SET
                    file_path = ?2, byte_count = ?3, expected_byte_count = ?3, is_expected_exact = ?4,
                    is_verified = ?4, content_type = ?5, container = ?6, codec = ?7, finished_at = ?9,
                    has_resume_data = 0, is_temporary = 0, snapshot_title = episode.title,
                    snapshot_feed_title = coalesce(feed.name, feed.title), snapshot_published = episode.published,
                    snapshot_duration = coalesce(?8, episode.duration), snapshot_season = episode.season,
                    snapshot_episode = episode.episode, snapshot_image = coalesce(episode.image, feed.image),
                    snapshot_chapters = episode_detail.chapters
                FROM episode JOIN feed ON feed.id = episode.feed_id
                JOIN episode_detail ON episode_detail.episode_id = episode.id
                WHERE download.episode_id = ?1 AND episode.id = ?1
                """,
                id, result.path, result.byteCount, result.isVerified, result.contentType, result.container,
                result.codec, result.duration, now)
            try changeState(of: id, to: .done, reason: nil, now: now)
        }
    }

    /// Records a failure; `false` if somebody took the download out of the queue meanwhile.
    @discardableResult
    public func markFailed(
        _ id: EpisodeID, _ message: String, isTemporary: Bool, hasResumeData: Bool, now: Date
    ) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: Self.wanted, to: .failed, reason: message, now: now,
            setting: "is_temporary = \(isTemporary.stored), has_resume_data = \(hasResumeData.stored)")
    }

    /// Stops a download until the user asks again; without `hasResumeData` what is known of that stays.
    @discardableResult
    public func markPaused(
        _ id: EpisodeID, hasResumeData: Bool? = nil, now: Date
    ) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: Self.wanted, to: .paused, reason: nil, now: now,
            setting: hasResumeData.map { "has_resume_data = \($0.stored)" })
    }

    /// Holds a download back until a time, or until the network or an unmetered connection is there.
    @discardableResult
    public func markWaiting(
        _ id: EpisodeID, reason: String, until: Date?, now: Date
    ) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: Self.wanted, to: .waiting, reason: reason, now: now,
            setting: until.map { "not_before = \($0.stored)" })
    }

    /// Puts a running or waiting download back into the queue, as when the program is interrupted.
    @discardableResult
    public func markQueued(
        _ id: EpisodeID, reason: String, hasResumeData: Bool, now: Date
    ) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: [.active, .waiting], to: .queued, reason: reason, now: now,
            setting: "has_resume_data = \(hasResumeData.stored)")
    }

    /// Takes a download out of the queue.
    @discardableResult
    public func cancel(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) -> Bool {
        try changeRunning(
            id, from: Self.wanted + [.paused, .failed], to: .none, reason: reason, now: now,
            setting: "has_resume_data = 0, byte_count = 0")
    }

    /// Records that a file was deleted, and why; no refresh undoes it.
    public func markDeleted(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) {
        try settle(id, .deleted, reason: reason, now: now, setting: "has_resume_data = 0, file_path = NULL")
    }

    /// Records that the file of a finished download is gone.
    public func markMissing(_ id: EpisodeID, now: Date) throws(StoreError) {
        try settle(id, .missing, reason: "the file was removed", now: now, setting: "has_resume_data = 0")
    }

    /// Records that a rule said no.
    public func markSkipped(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) {
        try settle(id, .skipped, reason: reason, now: now, setting: "has_resume_data = 0")
    }
}
