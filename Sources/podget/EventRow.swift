import Aggregator
import EpisodeStore
import FoundationEssentials

/// One event of `sync`, `refresh` and `download` as a line of JSON; absent keys are left out.
struct EventRow: Encodable {
    let event: String
    var feed: FeedReference?
    var episode: EpisodeReference?
    var new: Int?
    var total: Int?
    var bytes: Int64?
    var expectedBytes: Int64?
    var expectedIsExact: Bool?
    var rate: Double?
    var secondsLeft: Double?
    var resumedFrom: Int64?
    var restartReason: String?
    var file: String?
    var verified: Bool?
    var canResume: Bool?
    var state: DownloadState?
    var entries: Int?
    var message: String?
    var until: Date?
    var refreshed: Int?
    var failedFeeds: Int?
    var downloaded: Int?
    var failedDownloads: Int?
    var waiting: Int?
    var held: Int?
    var interrupted: Int?
    var paused: Int?
    var deleted: Int?

    init?(_ happened: SyncEvent) {
        switch happened {
        case .feedRefreshed(let feed, let new, let total):
            event = "refreshed"
            (self.feed, self.new, self.total) = (feed, new, total)
        case .feedFailed(let feed, let message):
            event = "feedFailed"
            (self.feed, self.message) = (feed, message)
        case .downloadStarted(let episode, let resumedFrom, let restartReason):
            event = "started"
            (self.episode, self.resumedFrom, self.restartReason) = (episode, resumedFrom, restartReason)
        case .downloadProgressed(let episode, let progress):
            event = "progress"
            self.episode = episode
            bytes = progress.byteCount
            expectedBytes = progress.expectedByteCount
            expectedIsExact = progress.expectedIsExact
            rate = progress.bytesPerSecond
            secondsLeft = progress.secondsLeft
        case .downloadWaits(let episode, let reason, let seconds, _):
            event = "waiting"
            (self.episode, message, secondsLeft) = (episode, reason, seconds)
        case .downloadPostponed(let episode, let reason, let until):
            event = "postponed"
            (self.episode, message, self.until) = (episode, reason, until)
        case .downloadHeld(let episode, let reason):
            event = "postponed"
            (self.episode, message) = (episode, reason)
        case .downloadFinished(let episode, let file):
            event = "downloaded"
            self.episode = episode
            (self.file, bytes, verified) = (file.path, file.byteCount, file.isVerified)
        case .downloadFailed(let episode, let message, let canResume):
            event = "failed"
            (self.episode, self.message, self.canResume) = (episode, message, canResume)
        case .downloadInterrupted(let episode, let canResume):
            event = "interrupted"
            (self.episode, self.canResume) = (episode, canResume)
        case .fileDeleted(let episode, let path, let byteCount, let reason):
            event = "deleted"
            (self.episode, file, bytes, message) = (episode, path, byteCount, reason)
        case .downloadStopped(let episode, let state):
            event = "stopped"
            (self.episode, self.state) = (episode, state)
        case .fileMissing(let episode, let path):
            event = "missing"
            (self.episode, file) = (episode, path)
        case .playlistWritten(let path, let entries):
            event = "playlist"
            (file, self.entries) = (path, entries)
        case .queueRead: return nil
        case .queueHeldElsewhere:
            event = "following"
        case .queueLeftElsewhere:
            event = "left"
        case .note(let text), .remark(let text):
            event = "note"
            message = text
        }
    }

    init(_ summary: SyncSummary) {
        event = "summary"
        refreshed = summary.refreshed
        new = summary.newEpisodes
        failedFeeds = summary.failedFeeds
        downloaded = summary.downloaded
        failedDownloads = summary.failedDownloads
        waiting = summary.waitingDownloads
        held = summary.heldDownloads
        interrupted = summary.interruptedDownloads
        paused = summary.pausedDownloads
        deleted = summary.deletedFiles
    }
}
