public import EpisodeStore
import Downloader

extension Aggregator {
    /// The running, waiting and stopped downloads as they are now, whatever the last process left in the store.
    ///
    /// Rows of a process that died are queued in truth, and what does not run has as many bytes as lie on the disk.
    public func downloadsStatus() async throws(AggregatorError) -> DownloadsStatus {
        // Asked first: what is read then runs, or has ended by itself meanwhile.
        let isHeld = isQueueHeld
        var status = try await stored { library, _ throws(StoreError) in try await library.downloadsStatus() }
        if !isHeld {
            let orphaned = status.active.map { download in
                var download = download
                download.state = .queued
                download.owner = nil
                download.reason = interruptedReason
                return download
            }
            status.queued = orphaned + status.queued
            status.active = []
            status.owner = nil
        }
        let resumeFolder = ResumeFolder(path: places.resumeFolder)
        let now = now()
        let pauses = HostPauses(status.waiting, now: now)
        func measured(_ download: QueuedDownload) -> QueuedDownload {
            var download = download
            let partial = Partial(of: download.id, url: download.url, in: resumeFolder)
            // What the process that runs the queue holds in memory is written within two seconds.
            if partial.byteCount > 0 || !isHeld { download.byteCount = partial.byteCount }
            download.hasResumeData = partial.canResume
            return download
        }
        status.queued = status.queued.map { download in
            var download = measured(download)
            if let hold = download.hold(pauses, now: now) {
                (download.notBefore, download.reason) = (hold.until, hold.reason)
            }
            return download
        }
        status.waiting = status.waiting.map(measured)
        status.paused = status.paused.map(measured)
        status.failed = status.failed.map(measured)
        return status
    }

    /// The episodes that a query asks for, with their downloads as `downloadsStatus` tells them; nothing is written.
    public func episodes(_ query: EpisodeQuery) async throws(AggregatorError) -> [EpisodeRecord] {
        let isHeld = isQueueHeld
        var query = query
        query.countsActiveAsQueued = !isHeld
        let episodes = try await stored { [query] library, _ throws(StoreError) in
            try await library.episodes(query)
        }
        return episodes.map { withTrueDownload($0, isQueueHeld: isHeld) }
    }

    /// An episode with everything that is stored, and its download as `downloadsStatus` tells it.
    public func episodeDetail(_ id: EpisodeID) async throws(AggregatorError) -> EpisodeDetail? {
        let isHeld = isQueueHeld
        var detail = try await stored { library, _ throws(StoreError) in try await library.episodeDetail(id) }
        if let record = detail?.record {
            detail?.record = withTrueDownload(record, isQueueHeld: isHeld)
        }
        return detail
    }

    /// What to listen to, the next first, with the downloads as `downloadsStatus` tells them.
    public func playQueue() async throws(AggregatorError) -> [EpisodeRecord] {
        let isHeld = isQueueHeld
        let episodes = try await stored { library, _ throws(StoreError) in try await library.playQueue() }
        return episodes.map { withTrueDownload($0, isQueueHeld: isHeld) }
    }

    /// `isQueueHeld` is asked before the episode is read.
    func withTrueDownload(_ episode: EpisodeRecord, isQueueHeld: Bool) -> EpisodeRecord {
        var episode = episode
        if episode.state == .active, !isQueueHeld {
            episode.state = .queued
            episode.reason = interruptedReason
        }
        switch episode.state {
        case .queued, .waiting, .paused, .failed:
            let partial = Partial(
                of: episode.id, url: episode.enclosureURL ?? "",
                in: ResumeFolder(path: places.resumeFolder))
            if partial.byteCount > 0 || !isQueueHeld {
                episode.byteCount = partial.byteCount
            }
            episode.hasResumeData = partial.canResume
        case .none, .active, .done, .missing, .deleted, .skipped: break
        }
        return episode
    }
}

/// Why a download is queued whose process is gone.
private let interruptedReason = "interrupted"

/// What lies on the disk of a download that does not run, whatever the store says.
private struct Partial {
    let byteCount: Int64
    let canResume: Bool

    init(of id: EpisodeID, url: String, in folder: ResumeFolder) {
        switch folder.status(of: id.description, url: url) {
        case .resumable(let byteCount): (self.byteCount, canResume) = (byteCount, true)
        case .restartOnly(let byteCount): (self.byteCount, canResume) = (byteCount, false)
        case .none: (byteCount, canResume) = (0, false)
        }
    }
}
