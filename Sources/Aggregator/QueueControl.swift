public import EpisodeStore

/// What the user may do to downloads that are queued, running or stopped.
public enum QueueAction: Sendable {
    case pause, cancel, resume, retry

    /// Whether the action fits a download in a state.
    public func fits(_ state: DownloadState) -> Bool {
        switch (self, state) {
        case (.pause, .queued), (.pause, .waiting), (.pause, .active): true
        case (.cancel, .queued), (.cancel, .waiting), (.cancel, .active): true
        case (.cancel, .paused), (.cancel, .failed): true
        case (.resume, .paused), (.resume, .failed), (.resume, .waiting), (.resume, .queued): true
        case (.retry, .paused), (.retry, .failed), (.retry, .waiting): true
        default: false
        }
    }

    /// The downloads that the action is for where none are named.
    public func targets(_ status: DownloadsStatus) -> [QueuedDownload] {
        switch self {
        case .pause: status.active + status.queued + status.waiting
        case .cancel: status.active + status.queued + status.waiting + status.paused
        case .resume: status.paused + status.queued + status.waiting + status.failed.filter(\.hasResumeData)
        case .retry: status.failed
        }
    }
}

extension Aggregator {
    /// Those of some downloads that somebody has paused or taken out of the queue.
    public func stopped(_ ids: [EpisodeID]) async throws(AggregatorError) -> [EpisodeID] {
        let stopped: Set<DownloadState> = [.none, .paused, .skipped, .deleted]
        let episodes = try await stored { library, _ throws(StoreError) in try await library.episodes(ids) }
        return episodes.filter { stopped.contains($0.state) }.map(\.id)
    }

    /// Pauses downloads, whichever process runs them; it notices within two seconds and keeps what arrived.
    ///
    /// Returns those that were in the queue or running.
    public func pause(_ ids: [EpisodeID]) async throws(AggregatorError) -> Set<EpisodeID> {
        try await stored { library, now throws(StoreError) in
            var changed: Set<EpisodeID> = []
            for id in ids where try await library.markPaused(id, now: now) { changed.insert(id) }
            return changed
        }
    }

    /// Takes downloads out of the queue, whichever process runs them, and drops what arrived of them.
    ///
    /// Returns those that were in the queue, running, paused or failed.
    public func cancel(_ ids: [EpisodeID]) async throws(AggregatorError) -> Set<EpisodeID> {
        let changed = try await stored { library, now throws(StoreError) in
            var changed: Set<EpisodeID> = []
            for id in ids where try await library.cancel(id, reason: "cancelled by the user", now: now) {
                changed.insert(id)
            }
            return changed
        }
        try await removeUnwantedPartials()
        return changed
    }
}
