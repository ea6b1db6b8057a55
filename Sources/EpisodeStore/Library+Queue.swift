public import FoundationEssentials

extension Library {
    /// Puts episodes into the queue, as far as it may be asked for them.
    ///
    /// With `keepsOrigin` those that were wanted before go on as that: a download of the rules that the user resumes
    /// is still the rules' own.
    public func enqueue(
        _ ids: [EpisodeID], origin: DownloadOrigin, keepsOrigin: Bool = false, now: Date
    ) throws(StoreError) -> [EpisodeID: EnqueueOutcome] {
        try connection.transaction(.full) { () throws(StoreError) in
            var outcomes: [EpisodeID: EnqueueOutcome] = [:]
            for id in ids {
                outcomes[id] = try enqueue(id, origin: origin, keepsOrigin: keepsOrigin, now: now)
            }
            return outcomes
        }
    }

    private func enqueue(
        _ id: EpisodeID, origin: DownloadOrigin, keepsOrigin: Bool, now: Date
    ) throws(StoreError) -> EnqueueOutcome {
        let present: (state: DownloadState, outcome: EnqueueOutcome)? = try connection.first(
            """
            SELECT download.state, episode.is_downloadable,
                coalesce(download.is_temporary, 0)
            FROM episode LEFT JOIN download ON download.episode_id = episode.id
            WHERE episode.id = ?1
            """, id
        ) { row throws(StoreError) in
            let state: DownloadState = row.nextCase() ?? .none
            let outcome = decideEnqueue(
                state, origin: origin, isDownloadable: row.next(), mayRecover: row.next())
            return (state, outcome)
        }
        guard let (state, outcome) = present else { throw .unknownIdentifier(id.rawValue) }
        if outcome == .queued {
            // What the user asked for stays theirs, though the rules try it again.
            let keepsOrigin = keepsOrigin || (state == .failed && origin == .policy)
            try ensureDownload(id, origin: origin, now: now)
            try connection.run(
                """
                UPDATE download SET
                    origin = iif(?4, origin, ?2), requested_at = ?3, attempt_count = 0, is_temporary = 0,
                    byte_count = iif(has_resume_data, byte_count, 0),
                    expected_byte_count = iif(has_resume_data, expected_byte_count, NULL),
                    is_expected_exact = has_resume_data AND is_expected_exact
                WHERE episode_id = ?1
                """, id, origin.rawValue, now, keepsOrigin)
            let reason =
                switch (origin, state) {
                case (.user, .paused) where keepsOrigin: "resumed by the user"
                case (.user, .failed) where keepsOrigin: "tried again by the user"
                case (.user, _): "requested by the user"
                case (.policy, .failed): "tried again"
                case (.policy, _): "wanted by the rules"
                }
            try apply(StateChange(state: .queued, reason: reason), to: id, now: now)
        } else if origin == .user {
            // What the policy fetched becomes the user's own once they ask for it, and waits no longer.
            try connection.run(
                "UPDATE download SET origin = iif(?2, origin, 'user'), not_before = NULL WHERE episode_id = ?1",
                id,
                keepsOrigin)
        }
        return outcome
    }

    /// Returns what is queued or waiting, in the order in which it is to be fetched.
    public func queue() throws(StoreError) -> [QueuedDownload] {
        inQueueOrder(try queuedDownloads(in: ["queued", "waiting"]))
    }

    /// Returns the running, waiting and stopped downloads, whichever process runs them.
    public func downloadsStatus() throws(StoreError) -> DownloadsStatus {
        let downloads = inQueueOrder(
            try queuedDownloads(in: ["active", "queued", "waiting", "paused", "failed"]))
        var status = DownloadsStatus()
        status.active = downloads.filter { $0.state == .active }
        status.queued = downloads.filter { $0.state == .queued }
        status.waiting = downloads.filter { $0.state == .waiting }
        status.paused = downloads.filter { $0.state == .paused }
        status.failed = downloads.filter { $0.state == .failed }
        status.owner = status.active.lazy.compactMap(\.owner).first
        return status
    }

    /// Counts the downloads in a state.
    public func count(of state: DownloadState) throws(StoreError) -> Int {
        try connection.value("SELECT count(*) FROM download WHERE state = ?1", state.rawValue) ?? 0
    }

    /// Returns a download that is queued or waits; nil for any other.
    public func queuedDownload(_ id: EpisodeID) throws(StoreError) -> QueuedDownload? {
        try queuedDownloads(
            from: "download", where: "download.episode_id = ?1 AND download.state IN ('queued', 'waiting')",
            id
        ).first
    }

    private func queuedDownloads(in states: [String]) throws(StoreError) -> [QueuedDownload] {
        try queuedDownloads(
            from: "json_each(?1) AS wanted CROSS JOIN download ON download.state = wanted.value", where: "1",
            jsonColumn(states))
    }

    private func queuedDownloads(
        from source: String, where condition: String, _ value: any SQLValue
    ) throws(StoreError) -> [QueuedDownload] {
        try connection.rows(
            """
            SELECT episode.id, feed.id, coalesce(feed.name, feed.title), feed.url, episode.title,
                coalesce(episode.enclosure_url, ''), episode.enclosure_type, episode.enclosure_length,
                download.state, download.origin, download.not_before, download.reason, download.byte_count,
                download.expected_byte_count, download.is_expected_exact, download.has_resume_data,
                download.attempt_count, download.folder, download.file_stem, episode.published,
                episode.sort_date, episode.season, episode.episode, episode.duration,
                coalesce(feed.type = 'serial', 0),
                iif(json_valid(feed.settings), feed.settings ->> '$.quality', NULL), download.owner,
                download.rate
            FROM \(source)
            CROSS JOIN episode ON episode.id = download.episode_id
            CROSS JOIN feed ON feed.id = episode.feed_id
            WHERE \(condition)
            """, value
        ) { row throws(StoreError) in
            QueuedDownload(
                id: row.next(), feedID: row.next(), feedTitle: row.next(), feedURL: row.next(),
                title: row.next(), url: row.next(), type: row.next(), claimedLength: row.next(),
                state: row.nextCase() ?? .none, origin: row.nextCase() ?? .policy, notBefore: row.next(),
                reason: row.next(), byteCount: row.next(), expectedByteCount: row.next(),
                isExpectedExact: row.next(), hasResumeData: row.next(), attemptCount: row.next(),
                folder: row.next(), fileStem: row.next(), published: row.next(), sortDate: row.next(),
                season: row.next(), episode: row.next(), duration: row.next(), isSerial: row.next(),
                quality: row.next(), owner: row.next(), rate: row.next())
        }
    }

    /// Fixes the file name, without extension, under which a download will be published.
    ///
    /// The first choice holds for good, in this folder; only a name in `occupied` (files of somebody else) makes it
    /// choose again.
    public func reserveFileStem(
        for id: EpisodeID, folder: String, preferredStem: String, occupied: [String] = [], now: Date
    ) throws(StoreError) -> String {
        try connection.transaction(.full) { () throws(StoreError) in
            try chooseReservedStem(
                for: id, folder: folder, preferredStem: preferredStem, occupied: occupied, now: now)
        }
    }

    /// Reserves a name within a transaction.
    func chooseReservedStem(
        for id: EpisodeID, folder: String, preferredStem: String, occupied: [String] = [], now: Date
    ) throws(StoreError) -> String {
        try ensureDownload(id, origin: .policy, now: now)
        let reserved: String? = try connection.value(
            "SELECT file_stem FROM download WHERE episode_id = ?1 AND folder = ?2", id, folder)
        let occupied = occupied.map { $0.lowercased() }
        if let reserved, !occupied.contains(reserved.lowercased()) { return reserved }
        // A name of its own that it may not have any more would be in the way.
        if reserved != nil { fileStems.forget() }
        try fileStems.prepare(folder, except: id, connection)
        let stem = chooseFileStem(preferredStem, number: id) { name in
            occupied.contains(name) || fileStems.isTaken(name, in: folder)
        }
        try connection.run(
            "UPDATE download SET folder = ?2, file_stem = ?3 WHERE episode_id = ?1", id, folder, stem)
        fileStems.add(stem, in: folder)
        return stem
    }

    /// Puts downloads that failed for a reason that may have passed back into the queue, once a run.
    public func requeueFailed(now: Date) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            let failed: [EpisodeID] = try connection.rows(
                """
                SELECT download.episode_id FROM download JOIN episode ON episode.id = download.episode_id
                WHERE download.state = 'failed' AND download.is_temporary AND episode.is_downloadable
                """
            ) { row throws(StoreError) in row.next() }
            for id in failed {
                try apply(StateChange(state: .queued, reason: "tried again"), to: id, now: now)
            }
        }
    }

    /// Puts downloads that a process left running back into the queue, if it is gone.
    public func recoverActive(now: Date, isOwnerAlive: (Int32) -> Bool) throws(StoreError) -> [EpisodeID] {
        try connection.transaction(.full) { () throws(StoreError) in
            let active: [(id: EpisodeID, owner: Int32?)] = try connection.rows(
                "SELECT episode_id, owner FROM download WHERE state = 'active'"
            ) { row throws(StoreError) in (row.next(), row.next()) }
            let orphaned = active.filter { download in download.owner.map { !isOwnerAlive($0) } ?? true }
            for download in orphaned {
                let change = StateChange(state: .queued, reason: "the process that ran it ended")
                try apply(change, to: download.id, now: now)
            }
            return orphaned.map(\.id)
        }
    }
}

extension QueuedDownload {
    /// The host to fetch from, with its port if that is not the usual one.
    public var host: String { FeedAddress(url).shortName }
}
