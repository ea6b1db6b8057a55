public import FoundationEssentials

/// A feed document as it came from a server, ready to be stored.
public struct IncomingFeed: Equatable, Sendable {
    public var title: String?
    public var link: String?
    public var description: String?
    public var image: String?
    public var language: String?
    public var author: String?
    public var type: String?
    public var podcastGUID: String?
    public var details = FeedDetails()
    public var schedule = FeedSchedule()
    public var validators = FeedValidators()

    /// Whether the document was cut off, so that a missing episode proves nothing.
    public var isTruncated = false

    /// What is wrong with the document, though it could be read; nil where nothing is.
    public var damage: String?

    /// Whether the feed's older pages are joined to it: what they bring is old news.
    public var hasOlderPages = false

    /// The episodes in document order.
    public var episodes: [IncomingEpisode] = []
    public var liveItems: [IncomingLiveItem] = []

    public init(title: String? = nil, episodes: [IncomingEpisode] = []) {
        self.title = title
        self.episodes = episodes
    }
}

/// An episode as one feed document lists it.
public struct IncomingEpisode: Equatable, Sendable {
    public var guid: String?
    public var title: String?
    public var link: String?
    public var published: Date?
    public var updated: Date?
    public var summary: String?
    public var contentHTML: String?
    public var author: String?
    public var image: String?
    public var duration: Duration?
    public var season: Int?
    public var episode: Int?
    public var episodeType: String?
    public var isExplicit: Bool?

    /// Every playable file, the best first.
    public var enclosures: [Enclosure] = []
    public var alternateEnclosures: [AlternateEnclosure] = []
    public var chapters: [Chapter] = []
    public var chaptersURL: ChaptersLink?
    public var transcripts: [TranscriptLink] = []
    public var transcript: [TranscriptSegment] = []
    public var persons: [Person] = []
    public var categories: [String] = []

    /// The state of an AI-made episode; anything but `nil` and `ready` is not downloadable yet.
    public var status: String?

    /// Whether the enclosure is a file: a stream or playlist is never downloaded.
    public var isStream = false

    public init(
        guid: String? = nil, title: String? = nil, published: Date? = nil, enclosures: [Enclosure] = []
    ) {
        self.guid = guid
        self.title = title
        self.published = published
        self.enclosures = enclosures
    }
}

/// A playable file of an episode.
public struct Enclosure: Codable, Hashable, Sendable {
    public var url: String
    public var type: String?

    /// The size the feed claims, in bytes: a hint and never a check.
    public var length: Int64?
    public var title: String?

    public init(url: String, type: String? = nil, length: Int64? = nil, title: String? = nil) {
        self.url = url
        self.type = type
        self.length = length
        self.title = title
    }
}

/// Another rendition of an episode (`podcast:alternateEnclosure`).
public struct AlternateEnclosure: Codable, Hashable, Sendable {
    public var type: String?
    public var length: Int64?
    public var bitrate: Double?
    public var height: Int?
    public var language: String?
    public var title: String?
    public var codecs: String?
    public var isDefault: Bool?
    public var sources: [Enclosure]

    /// The kind (`sri`, `pgp-signature`) and value of the integrity check.
    public var integrityType: String?
    public var integrityValue: String?

    public init(type: String? = nil, length: Int64? = nil, sources: [Enclosure] = []) {
        self.type = type
        self.length = length
        self.sources = sources
    }
}

/// A chapter mark.
public struct Chapter: Codable, Hashable, Sendable {
    public var start: Duration
    public var title: String?
    public var url: String?
    public var image: String?

    public init(start: Duration, title: String? = nil, url: String? = nil, image: String? = nil) {
        self.start = start
        self.title = title
        self.url = url
        self.image = image
    }
}

/// Where the chapters of an episode are.
public struct ChaptersLink: Codable, Hashable, Sendable {
    public var url: String
    public var type: String?

    public init(url: String, type: String? = nil) {
        self.url = url
        self.type = type
    }
}

/// Where a transcript of an episode is.
public struct TranscriptLink: Codable, Hashable, Sendable {
    public var url: String
    public var type: String?
    public var language: String?
    public var rel: String?

    public init(url: String, type: String? = nil, language: String? = nil, rel: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
        self.rel = rel
    }
}

/// Something said in an episode.
public struct TranscriptSegment: Codable, Hashable, Sendable {
    public var speaker: String?
    public var text: String
    public var start: Duration?
    public var end: Duration?

    public init(speaker: String? = nil, text: String, start: Duration? = nil, end: Duration? = nil) {
        self.speaker = speaker
        self.text = text
        self.start = start
        self.end = end
    }
}

/// Somebody who takes part in a show or an episode.
public struct Person: Codable, Hashable, Sendable {
    public var name: String
    public var role: String?
    public var group: String?
    public var href: String?
    public var image: String?

    public init(
        name: String, role: String? = nil, group: String? = nil, href: String? = nil, image: String? = nil
    ) {
        self.name = name
        self.role = role
        self.group = group
        self.href = href
        self.image = image
    }
}

/// A live broadcast as a feed announces it.
public struct IncomingLiveItem: Codable, Equatable, Sendable {
    public var guid: String?
    public var title: String?
    public var link: String?

    /// `pending`, `live` or `ended`.
    public var status: String?
    public var start: Date?
    public var end: Date?
    public var image: String?
    public var enclosures: [Enclosure] = []
    public var contentLinks: [FundingLink] = []
    public var chat: String?

    public init(
        guid: String? = nil, title: String? = nil, status: String? = nil, start: Date? = nil, end: Date? = nil
    ) {
        self.guid = guid
        self.title = title
        self.status = status
        self.start = start
        self.end = end
    }
}

/// What one refresh changed.
public struct RefreshOutcome: Equatable, Sendable {
    /// The new episodes, the newest first.
    public var newEpisodes: [EpisodeID] = []
    public var updatedEpisodes: [EpisodeID] = []

    /// Episodes that left the feed with this refresh.
    public var unlistedEpisodes: [EpisodeID] = []

    /// New episodes that look like one that left the feed: shown, not downloaded by policy.
    public var suspectedDuplicates: [EpisodeID] = []

    /// Whether the feed changed the identity of most of its episodes: nothing of it is to be downloaded by policy.
    public var isRewrittenCatalogue = false

    /// Whether this was the first refresh of the feed, whose episodes are old news.
    public var isFirst = false

    /// The feed after the refresh.
    public var feed: FeedRecord?

    public init() {}
}
