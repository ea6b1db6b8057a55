public import FoundationEssentials

extension Library {
    /// Claims a queued download for a process; `false` if it was taken out of the queue meanwhile.
    public func markActive(_ id: EpisodeID, owner: Int32, now: Date) throws(StoreError) -> Bool {
        try change(id, from: Self.startable, to: Self.start(owner), now: now)
    }

    /// Claims a queued download for a process and fixes its file name, as `reserveFileStem` does.
    ///
    /// Returns the name; nil if the download was taken out of the queue meanwhile.
    public func begin(
        _ id: EpisodeID, owner: Int32, folder: String, preferredStem: String, now: Date
    ) async throws(StoreError) -> String? {
        try await sharingTransaction { library throws(StoreError) in
            let stem = try library.chooseReservedStem(
                for: id, folder: folder, preferredStem: preferredStem, now: now)
            let begins = try library.apply(
                Self.start(owner), to: id, ifIn: Self.startable, now: now)
            return begins ? stem : nil
        }
    }

    private static let startable: [DownloadState] = [.queued, .waiting]

    private static func start(_ owner: Int32) -> StateChange {
        StateChange(state: .active, owner: owner, isAttempt: true)
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

    /// Records what lies on the disk of a download that was paused while it ran.
    public func recordPartial(
        of id: EpisodeID, byteCount: Int64, hasResumeData: Bool
    ) throws(StoreError) {
        try connection.run(
            """
            UPDATE download SET byte_count = ?2, has_resume_data = ?3 WHERE episode_id = ?1 AND state = 'paused'
            """, id, byteCount, hasResumeData)
    }

    /// Records a finished file, with a snapshot of what is known about the episode now.
    ///
    /// It is the user's own, which no rule deletes. `reason` is for the journal, where the file did not come from the
    /// network. `false`, and nothing recorded, where the episode has got another file than `former` meanwhile.
    @discardableResult
    public func markDone(
        _ id: EpisodeID, _ result: DownloadResult, former: String? = nil, reason: String? = nil, now: Date
    ) throws(StoreError) -> Bool {
        try connection.transaction(.full) { () throws(StoreError) in
            try ensureDownload(id, origin: .user, now: now)
            let file: String? = try connection.value(
                "SELECT file_path FROM download WHERE episode_id = ?1 AND state = 'done'", id)
            guard file == nil || file == former || file == result.path else { return false }
            try connection.run("UPDATE download SET origin = 'user' WHERE episode_id = ?1", id)
            try storeFile(id, result, reason: reason, now: now)
            return true
        }
    }

    /// Records the file of a download that runs; `false` if somebody deleted or withdrew it meanwhile.
    public func finish(
        _ id: EpisodeID, _ result: DownloadResult, now: Date
    ) async throws(StoreError) -> Bool {
        try await sharingTransaction { library throws(StoreError) in
            let isWanted =
                switch try library.downloadState(of: id) {
                case .active, .paused, .waiting, .queued: true
                default: false
                }
            guard isWanted else { return false }
            try library.storeFile(id, result, reason: nil, now: now)
            return true
        }
    }

    private func storeFile(
        _ id: EpisodeID, _ result: DownloadResult, reason: String?, now: Date
    ) throws(StoreError) {
        try connection.run(
            """
            UPDATE download SET
                file_path = ?2, byte_count = ?3, expected_byte_count = ?3, is_expected_exact = ?4,
                is_verified = ?4, original_checksum = NULL, tagged_checksum = NULL, content_type = ?5, container = ?6, codec = ?7, finished_at = ?9,
                snapshot_title = episode.title,
                snapshot_feed_title = coalesce(feed.name, feed.title), snapshot_published = episode.published,
                snapshot_duration = coalesce(?8, episode.duration), snapshot_season = episode.season,
                snapshot_episode = episode.episode, snapshot_image = coalesce(episode.image, feed.image),
                snapshot_chapters = coalesce(episode_detail.chapters, episode_extra.chapters)
            FROM episode JOIN feed ON feed.id = episode.feed_id
            JOIN episode_detail ON episode_detail.episode_id = episode.id
            LEFT JOIN episode_extra ON episode_extra.episode_id = episode.id
            WHERE download.episode_id = ?1 AND episode.id = ?1
            """,
            id, result.path, result.byteCount, result.isVerified, result.contentType, result.container,
            result.codec, result.duration, now)
        try connection.reopenExtras(of: id)
        let change = StateChange(state: .done, reason: reason, hasResumeData: false, isTemporary: false)
        try apply(change, to: id, now: now)
    }

    /// Records a failure; `false` if somebody took the download out of the queue meanwhile.
    @discardableResult
    public func markFailed(
        _ id: EpisodeID, _ message: String, isTemporary: Bool, hasResumeData: Bool, now: Date
    ) throws(StoreError) -> Bool {
        let change = StateChange(
            state: .failed, reason: message, hasResumeData: hasResumeData, isTemporary: isTemporary)
        return try self.change(id, from: Self.wanted, to: change, now: now)
    }

    /// Stops a download until the user asks again; without `hasResumeData` what is known of that stays.
    @discardableResult
    public func markPaused(
        _ id: EpisodeID, hasResumeData: Bool? = nil, now: Date
    ) throws(StoreError) -> Bool {
        let change = StateChange(state: .paused, hasResumeData: hasResumeData)
        return try self.change(id, from: Self.wanted, to: change, now: now)
    }

    /// Holds a download back until a time, or until the network or an unmetered connection is there.
    @discardableResult
    public func markWaiting(
        _ id: EpisodeID, reason: String, until: Date?, now: Date
    ) throws(StoreError) -> Bool {
        let change = StateChange(state: .waiting, reason: reason, notBefore: until)
        return try self.change(id, from: Self.wanted, to: change, now: now)
    }

    /// Puts a running or waiting download back into the queue, as when the program is interrupted.
    @discardableResult
    public func markQueued(
        _ id: EpisodeID, reason: String, hasResumeData: Bool, now: Date
    ) throws(StoreError) -> Bool {
        let change = StateChange(state: .queued, reason: reason, hasResumeData: hasResumeData)
        return try self.change(id, from: [.active, .waiting], to: change, now: now)
    }

    /// Takes a download out of the queue.
    @discardableResult
    public func cancel(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) -> Bool {
        let change = StateChange(state: .none, reason: reason, hasResumeData: false)
        return try self.change(id, from: Self.wanted + [.paused, .failed], to: change, now: now)
    }

    /// Takes a download that does not run out of the queue; `false` where it is not queued.
    public func withdraw(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) -> Bool {
        let change = StateChange(state: .none, reason: reason, hasResumeData: false)
        return try self.change(id, from: [.queued, .waiting], to: change, now: now)
    }

    /// Records that a file was deleted, and why; no refresh undoes it.
    public func markDeleted(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) {
        try settle(id, StateChange(state: .deleted, reason: reason, hasResumeData: false), now: now)
    }

    /// Records that a rule deleted a file which it may want again.
    ///
    /// How large the file was, its tags and picture included, is what the rules expect of it then.
    public func giveUp(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            try connection.run(
                """
                UPDATE download SET expected_byte_count = byte_count, is_expected_exact = 0
                WHERE episode_id = ?1 AND state = 'done'
                """, id)
            try apply(StateChange(state: .none, reason: reason, hasResumeData: false), to: id, now: now)
        }
    }

    /// Records that the file of a finished download is gone; `false` if it is not recorded as finished any more.
    @discardableResult
    public func markMissing(_ id: EpisodeID, now: Date) throws(StoreError) -> Bool {
        let change = StateChange(state: .missing, reason: "the file was removed", hasResumeData: false)
        return try self.change(id, from: [.done], to: change, now: now)
    }

    /// Records that a missing file is there again; `false` if it is not recorded as missing.
    @discardableResult
    public func markReturned(_ id: EpisodeID, now: Date) throws(StoreError) -> Bool {
        try change(id, from: [.missing], to: StateChange(state: .done, reason: "the file is back"), now: now)
    }

    /// Records that a rule said no; what somebody asked for meanwhile stays as it is.
    public func markSkipped(_ id: EpisodeID, reason: String, now: Date) throws(StoreError) {
        let change = StateChange(state: .skipped, reason: reason, hasResumeData: false)
        try connection.transaction(.full) { () throws(StoreError) in
            try ensureDownload(id, origin: .policy, now: now)
            guard [.none, .skipped].contains(try downloadState(of: id)) else { return }
            try apply(change, to: id, now: now)
        }
    }

    /// Records that no rule says no any more.
    @discardableResult
    public func takeBackSkip(of id: EpisodeID, reason: String, now: Date) throws(StoreError) -> Bool {
        try change(id, from: [.skipped], to: StateChange(state: .none, reason: reason), now: now)
    }
}
