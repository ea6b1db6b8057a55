public import FoundationEssentials

/// Where the download of an episode stands.
public enum DownloadState: String, Codable, CaseIterable, Sendable {
    case none, queued, waiting, active, paused, failed, done, missing, deleted, skipped
}

/// Who wants a download.
public enum DownloadOrigin: String, Codable, CaseIterable, Sendable {
    case user, policy
}

/// What can be done with an episode now.
public enum DownloadVerb: String, Codable, CaseIterable, Sendable {
    case download, pause, resume, retry, play
}

/// One download that is wanted.
public struct QueuedDownload: Identifiable, Equatable, Sendable {
    public let id: EpisodeID
    public let feedID: FeedID
    public let feedTitle: String

    /// The address of the feed, to whose host its credentials go.
    public let feedURL: String
    public let title: String
    public let url: String
    public let type: String?

    /// The size the feed claims, in bytes: a hint and never a check.
    public let claimedLength: Int64?
    public var state: DownloadState
    public let origin: DownloadOrigin

    /// When a download that waits may go on.
    public var notBefore: Date?
    public var reason: String?
    public var byteCount: Int64
    public let expectedByteCount: Int64?
    public let isExpectedExact: Bool
    public var hasResumeData: Bool
    public let attemptCount: Int
    public let folder: String?
    public let fileStem: String?
    public let published: Date?
    public let sortDate: Date
    public let season: Int?
    public let episode: Int?
    public let duration: Duration?
    public let isSerial: Bool

    /// The setting `quality` of its feed's own.
    public let quality: String?
    public var owner: Int32?

    /// Bytes per second at the last progress report.
    public let rate: Double?
}

/// What one request to download came to.
public enum EnqueueOutcome: Equatable, Sendable {
    /// It is in the queue now and was not before.
    case queued

    /// It was wanted already.
    case alreadyQueued

    /// The file is there.
    case alreadyDone

    /// The policy may not ask for it: the user deleted, paused or lost it, or a rule skipped it.
    case refused(DownloadState)

    /// There is no file to download.
    case notDownloadable
}

/// A finished file, as it is recorded.
public struct DownloadResult: Equatable, Sendable {
    public var path: String
    public var byteCount: Int64

    /// Whether the size was checked against an exact one.
    public var isVerified: Bool
    public var contentType: String?
    public var container: String?
    public var codec: String?
    public var duration: Duration?

    public init(
        path: String, byteCount: Int64, isVerified: Bool, contentType: String? = nil,
        container: String? = nil,
        codec: String? = nil, duration: Duration? = nil
    ) {
        self.path = path
        self.byteCount = byteCount
        self.isVerified = isVerified
        self.contentType = contentType
        self.container = container
        self.codec = codec
        self.duration = duration
    }
}

/// A finished file with what was known about it when it was downloaded.
///
/// What the episode is now (played, kept, position) is told by the episodes in the state `done`.
public struct StoredFile: Identifiable, Equatable, Sendable {
    public let id: EpisodeID
    public let feedID: FeedID
    public let title: String
    public let feedTitle: String
    public let byteCount: Int64
    public let path: String
    public let published: Date?
    public let duration: Duration?
    public let season: Int?
    public let episode: Int?
    public let contentType: String?
    public let container: String?
    public let codec: String?
    public let chapters: [Chapter]
    public let image: String?
    public let isVerified: Bool
    public let downloadedAt: Date
    public let origin: DownloadOrigin
    public let isSubscribed: Bool
}

/// The place that a download was given in the library before its first byte moved.
public struct ReservedName: Equatable, Sendable {
    public let id: EpisodeID
    public let feedID: FeedID

    /// Relative to the media folder.
    public let folder: String

    /// The file's name without its extension.
    public let stem: String
}

/// The running and waiting downloads, from whatever process.
public struct DownloadsStatus: Equatable, Sendable {
    /// The process that drains the queue.
    public var owner: Int32?
    public var active: [QueuedDownload] = []
    public var queued: [QueuedDownload] = []
    public var waiting: [QueuedDownload] = []
    public var paused: [QueuedDownload] = []
    public var failed: [QueuedDownload] = []

    public init() {}
}

/// One line of an episode's history.
public struct JournalEntry: Equatable, Sendable {
    public let date: Date
    public let episodeID: EpisodeID
    public let event: JournalEvent
    public let reason: String?
}

/// What happened to an episode.
public enum JournalEvent: Equatable, Sendable {
    case state(from: DownloadState, to: DownloadState)

    /// The feed changed what it is known by, and it was recognised nevertheless.
    case recognised(IdentityRule)
    case marked(String)
    case suspectedDuplicate
}

/// A live broadcast that a subscribed feed announces.
public struct LiveItemRecord: Equatable, Sendable {
    public let feedID: FeedID
    public let feedSlug: String
    public let feedTitle: String
    public let item: IncomingLiveItem
}

/// Names what can be done with an episode in a state.
///
/// Resume is promised only where usable resume data exist.
public func downloadVerb(state: DownloadState, hasResumeData: Bool, isDownloadable: Bool) -> DownloadVerb? {
    switch state {
    case .done: .play
    case .queued: hasResumeData ? .resume : .pause
    case .waiting, .active: .pause
    case .paused, .failed: hasResumeData ? .resume : .retry
    case .none, .missing, .deleted, .skipped: isDownloadable ? .download : nil
    }
}
