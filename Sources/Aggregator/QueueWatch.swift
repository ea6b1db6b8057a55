public import EpisodeStore
import Downloader

/// What the queue looks like to a process that does not drain it.
public struct QueueSight: Sendable {
    public let status: DownloadsStatus

    /// Whether a process drains the queue, and something is left for it to do.
    public let isMoving: Bool
}

extension Aggregator {
    /// Whether a process drains the queue now.
    public var isQueueHeld: Bool { QueueLock.isHeld(at: places.queueLock) }

    /// Looks at the queue; what runs has as many bytes as lie on the disk now, which is more than the last row tells.
    public func lookAtQueue() async throws(AggregatorError) -> QueueSight {
        let isHeld = isQueueHeld
        var status = try await downloadsStatus()
        let folder = ResumeFolder(path: places.resumeFolder)
        status.active = status.active.map { download in
            var download = download
            switch folder.status(of: download.id.description) {
            case .none: break
            case .resumable(let byteCount), .restartOnly(let byteCount): download.byteCount = byteCount
            }
            return download
        }
        let isLeft = !(status.active + status.queued + status.waiting).isEmpty
        return QueueSight(status: status, isMoving: isHeld && isLeft)
    }

    /// How a download that was seen running has ended, as the process that ran it would have told; nil where it goes on.
    public func ending(of id: EpisodeID) async throws(AggregatorError) -> SyncEvent? {
        let episode = try await stored { library, _ throws(StoreError) in try await library.episode(id) }
        return episode.flatMap { ending(of: $0) }
    }

    /// What the state of an episode tells of the download that was seen running; nil where it goes on.
    func ending(of episode: EpisodeRecord) -> SyncEvent? {
        let reference = EpisodeReference(episode)
        switch episode.state {
        case .active: return nil
        case .done:
            return .downloadFinished(
                reference,
                FinishedFile(
                    path: absolutePath(ofStored: episode.filePath ?? ""), byteCount: episode.byteCount ?? 0,
                    isVerified: true, requestCount: 0, restartCount: 0, exemption: nil))
        case .failed:
            return .downloadFailed(
                reference, message: episode.error ?? "failed", canResume: episode.hasResumeData)
        case .waiting: return .downloadPostponed(reference, reason: episode.reason ?? "it waits")
        case .queued: return .downloadInterrupted(reference, canResume: episode.hasResumeData)
        case .none, .paused, .missing, .deleted, .skipped:
            return .downloadStopped(reference, state: episode.state)
        }
    }
}
