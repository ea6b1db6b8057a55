public import EpisodeStore
public import FoundationEssentials

/// What happens during a refresh, download or sync, as it happens.
public enum SyncEvent: Sendable {
    case feedRefreshed(FeedReference, new: Int, total: Int)
    case feedFailed(FeedReference, message: String)
    case downloadStarted(EpisodeReference, resumedFrom: Int64, restartReason: String?)
    case downloadProgressed(EpisodeReference, DownloadProgress)
    /// Nothing moves for so long; `forHost` at the longest, for it goes on as soon as the host answers.
    case downloadWaits(EpisodeReference, reason: String, seconds: Double, forHost: Bool)
    /// It waits beyond this run: for the network, for space, or because the server asked for it.
    /// With `until`, no run before that time takes it up.
    case downloadPostponed(EpisodeReference, reason: String, until: Date? = nil)
    /// It waits beyond this run by the user's wish: the connection is metered.
    case downloadHeld(EpisodeReference, reason: String)
    case downloadFinished(EpisodeReference, FinishedFile)
    case downloadFailed(EpisodeReference, message: String, canResume: Bool)
    case downloadInterrupted(EpisodeReference, canResume: Bool)
    case fileDeleted(EpisodeReference, path: String, byteCount: Int64, reason: String)

    /// Somebody paused, cancelled or deleted it while it ran; `state` is what it is now.
    case downloadStopped(EpisodeReference, state: DownloadState)
    case fileMissing(EpisodeReference, path: String)
    case playlistWritten(path: String, entries: Int)

    /// What this run is to download besides what runs, as often as the queue is read.
    case queueRead([QueuedSize])

    /// Another process drains the queue; this one follows it.
    case queueHeldElsewhere

    /// This process was ended before the other one that it follows had come to an end.
    case queueLeftElsewhere

    /// Something did not go as it should.
    case note(String)

    /// Something to know, and nothing to act on.
    case remark(String)
}

/// A feed by the names that a message needs.
public struct FeedReference: Equatable, Sendable, Codable {
    public let id: Int64
    public let slug: String
    public let title: String

    public init(_ record: FeedRecord) {
        id = record.id.rawValue
        slug = record.slug
        title = record.title
    }
}

/// An episode by the names that a message needs.
public struct EpisodeReference: Equatable, Hashable, Sendable, Codable {
    public let id: Int64
    public let title: String
    public let feedTitle: String

    init(_ download: QueuedDownload) {
        id = download.id.rawValue
        title = download.title
        feedTitle = download.feedTitle
    }

    init(_ file: StoredFile) {
        id = file.id.rawValue
        title = file.title
        feedTitle = file.feedTitle
    }
}

/// A download that has not begun.
public struct QueuedSize: Equatable, Sendable {
    /// The number of its episode.
    public let id: Int64

    /// How many bytes are to come; nil where nobody tells.
    public let byteCount: Int64?
}

/// How far a transfer has come.
public struct DownloadProgress: Equatable, Sendable {
    public let byteCount: Int64
    public let expectedByteCount: Int64?
    public let expectedIsExact: Bool
    public let bytesPerSecond: Double?
    public let secondsLeft: Double?
}

/// A file that was just published in the library.
public struct FinishedFile: Equatable, Sendable {
    public let path: String
    public let byteCount: Int64
    public let isVerified: Bool
    public let requestCount: Int
    public let restartCount: Int

    /// Why no rule will delete it, where one would otherwise.
    public let exemption: String?
}

/// How a sync, or one half of it, ended.
public struct SyncSummary: Equatable, Sendable {
    public var refreshed = 0
    public var newEpisodes = 0
    public var failedFeeds = 0
    public var downloaded = 0
    public var deletedFiles = 0
    public var failedDownloads = 0
    public var interruptedDownloads = 0

    /// Downloads that go on by themselves in a later run.
    public var waitingDownloads = 0

    /// Downloads held back because the connection is metered.
    public var heldDownloads = 0

    /// Downloads that no run takes up until the user resumes them.
    public var pausedDownloads = 0

    /// Downloads that did not begin before the run was interrupted.
    public var queuedDownloads = 0

    /// Episodes that were asked for and have no file.
    public var refusedDownloads = 0

    /// Whether some step was left out for want of space.
    public var isDiskFull = false

    /// Whether nothing was downloaded or deleted because the library folder is not there.
    public var isLibraryAbsent = false

    public init() {}

    public var hasFailures: Bool {
        failedFeeds + failedDownloads + waitingDownloads + refusedDownloads > 0 || isDiskFull
            || isLibraryAbsent
    }
}

/// Takes the events of a running use case, on any thread.
public typealias SyncReport = @Sendable (SyncEvent) -> Void

extension EpisodeReference {
    init(_ record: EpisodeRecord) {
        id = record.id.rawValue
        title = record.title
        feedTitle = record.feedTitle
    }
}
