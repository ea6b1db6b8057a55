public import FoundationEssentials

/// One episode as lists show it.
public struct EpisodeRecord: Identifiable, Equatable, Sendable {
    public let id: EpisodeID
    public let feedID: FeedID
    public let feedSlug: String
    public let feedTitle: String
    public let guid: String?
    public let title: String
    public let link: String?
    public let image: String?

    /// The date in the feed; `nil` where none could be read.
    public let published: Date?
    public let firstSeen: Date

    /// The date to order by: the published one, but never later than the first sight of the episode.
    public let sortDate: Date
    public let duration: Duration?

    /// Whether the feed tells the duration, and not only the file.
    public let isDurationOfFeed: Bool
    public let season: Int?
    public let episode: Int?
    public let episodeType: String?

    public let enclosureURL: String?
    public let enclosureType: String?

    /// The size the feed claims, in bytes: a hint and never a check.
    public let enclosureLength: Int64?
    public let isDownloadable: Bool

    public var state: DownloadState
    public var hasResumeData: Bool

    /// Whether a failed download is worth another attempt by itself.
    public let mayRecover: Bool
    public let origin: DownloadOrigin?
    public var byteCount: Int64?
    public let expectedByteCount: Int64?
    public let isExpectedExact: Bool
    public let filePath: String?
    public let downloadedAt: Date?

    /// Why the download failed, waits, was skipped or was deleted.
    public var reason: String?

    public let isPlayed: Bool
    public let position: Duration

    /// Whether it arrived after the first refresh and was neither played, deleted nor marked old.
    public let isNew: Bool

    /// Whether it was there already at the first refresh of its feed.
    public let isOldNews: Bool

    /// Whether the user wants its file to be kept whatever the policy says.
    public let isKept: Bool
    public let isListed: Bool
    public let isSuspectedDuplicate: Bool

    /// Whether its file is there because the user asked for it by hand.
    public var isRequested: Bool { state == .done && origin == .user }

    /// Whether no rule deletes its file because the user said so: marked it `keep`, or requested it.
    public var isSpared: Bool { isKept || isRequested }

    /// What can be done with it now.
    public var verb: DownloadVerb? {
        downloadVerb(state: state, hasResumeData: hasResumeData, isDownloadable: isDownloadable)
    }

    /// The error of a failed download.
    public var error: String? {
        state == .failed ? reason : nil
    }
}

/// One episode with everything that is stored about it.
public struct EpisodeDetail: Equatable, Sendable {
    public var record: EpisodeRecord
    public let updated: Date?
    public let summary: String?
    public let contentHTML: String?
    public let author: String?
    public let isExplicit: Bool?
    public let enclosures: [Enclosure]
    public let alternateEnclosures: [AlternateEnclosure]
    public let chapters: [Chapter]
    public let chaptersURL: ChaptersLink?
    public let transcripts: [TranscriptLink]
    public let transcript: [TranscriptSegment]
    public let persons: [Person]
    public let categories: [String]
    public let status: String?

    /// The rule by which the episode was last recognised.
    public let identity: IdentityRule

    /// The name of the stored artwork's file in the folder of fetched extras.
    public let artwork: String?

    /// The codec of the downloaded file, in ffprobe's words.
    public let codec: String?

    /// The type that the server gave the downloaded file.
    public let contentType: String?

    /// Whether the size of the downloaded file was checked against an exact one.
    public let isVerified: Bool

    /// What is known of the file's bytes where tags were written into it.
    public let checksums: FileChecksums?
}

/// Which episodes to list, and in what order.
public struct EpisodeQuery: Equatable, Sendable {
    public enum Order: Sendable { case newestFirst, oldestFirst }

    public enum Filter: Equatable, Sendable {
        case state(DownloadState)
        case new, played, unplayed

        /// Played up to a position.
        case started

        /// Marked `keep`.
        case kept

        /// Downloaded by hand.
        case requested
    }

    public var feed: FeedID?
    public var filter: Filter?

    /// Whether what is recorded as running counts as queued: no process runs it.
    public var countsActiveAsQueued = false

    /// Only episodes whose sort date is this one or later.
    public var since: Date?
    public var season: Int?
    public var episode: Int?
    public var order: Order
    public var limit: Int?

    public init(
        feed: FeedID? = nil, filter: Filter? = nil, since: Date? = nil, order: Order = .newestFirst,
        limit: Int? = nil
    ) {
        self.feed = feed
        self.filter = filter
        self.since = since
        self.order = order
        self.limit = limit
    }
}

/// What a selector of the command line stands for.
public enum SelectorMatch<Found: Equatable & Sendable>: Equatable, Sendable {
    case found(Found)

    /// More than one feed fits.
    case ambiguous([FeedRecord])

    /// Nothing fits; these names come nearest.
    case none(nearest: [String])
}
