public import EpisodeStore
import Downloader

extension Aggregator {
    /// The running, waiting and stopped downloads as they are now, whatever the last process left in the store.
    ///
    /// Rows of a process that died are queued in truth, and what does not run has as many bytes as lie on the disk.
    public func downloadsStatus() async throws(AggregatorError) -> DownloadsStatus {
        var status = try await stored { library, _ throws(StoreError) in try await library.downloadsStatus() }
        if !QueueLock.isHeld(at: places.queueLock) {
            let orphaned = status.active.map { download in
                var download = download
                download.state = .queued
                download.owner = nil
                download.reason = "interrupted"
                return download
            }
            status.queued = orphaned + status.queued
            status.active = []
            status.owner = nil
        }
        let resumeFolder = ResumeFolder(path: places.resumeFolder)
        status.queued = status.queued.map { measured($0, resumeFolder) }
        status.waiting = status.waiting.map { measured($0, resumeFolder) }
        status.paused = status.paused.map { measured($0, resumeFolder) }
        status.failed = status.failed.map { measured($0, resumeFolder) }
        return status
    }
}

/// Takes what is known of a partial file from the file itself.
private func measured(_ download: QueuedDownload, _ folder: ResumeFolder) -> QueuedDownload {
    var download = download
    if case .resumable(let byteCount) = folder.status(of: download.id.description, url: download.url) {
        download.byteCount = byteCount
        download.hasResumeData = true
    } else {
        download.hasResumeData = false
    }
    return download
}
