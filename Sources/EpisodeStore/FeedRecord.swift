public import FoundationEssentials

/// One feed as the store knows it.
public struct FeedRecord: Identifiable, Equatable, Sendable {
    public let id: FeedID

    /// A short name for the command line, unique and fixed.
    public let slug: String

    /// The name set by the user, else the feed's own title, else its address.
    public let title: String
    public let url: String

    /// Addresses the feed had before, the latest last.
    public let formerURLs: [String]
    public let isSubscribed: Bool
    public let subscribedAt: Date
    public let podcastGUID: String?
    public let link: String?
    public let description: String?
    public let image: String?
    public let language: String?
    public let author: String?
    public let type: String?
    public let settings: FeedSettings
    public let validators: FeedValidators

    public let episodeCount: Int
    public let downloadedCount: Int

    /// The date of its newest episode; nil where it has none.
    public let newestEpisode: Date?

    /// The last answered request, a failed one included.
    public let lastChecked: Date?
    public let lastSucceeded: Date?

    /// The last request whose answer was read in full, without conditions.
    public let lastFullFetch: Date?
    public let nextCheck: Date?

    /// Why then, in words.
    public let nextCheckReason: String?

    /// Failures in a row, without those of being offline.
    public let failureCount: Int
    public let lastError: String?
    public let lastErrorKind: FeedFailureKind?

    /// Whether the feed said that it is gone for good (410): no more polling.
    public let isGone: Bool
}

/// One feed with what is shown of it alone.
public struct FeedDetail: Equatable, Sendable {
    public let record: FeedRecord
    public let schedule: FeedSchedule
    public let details: FeedDetails
}

/// A feed to subscribe to.
public struct NewFeed: Equatable, Sendable {
    public var url: String

    /// The title as far as it is known, from which the slug is made.
    public var title: String?
    public var settings: FeedSettings

    public init(url: String, title: String? = nil, settings: FeedSettings = FeedSettings()) {
        self.url = url
        self.title = title
        self.settings = settings
    }
}

/// What became of one feed of a list.
public struct ImportedFeed: Equatable, Sendable {
    public let feed: FeedRecord
    public let wasSubscribed: Bool
}

/// The settings of one feed, each `nil` where the global one applies.
public struct FeedSettings: Codable, Equatable, Sendable {
    /// The name shown instead of the feed's title.
    public var name: String?
    public var latest: Int?
    public var first: Int?

    /// Regular expressions on the episode's title.
    public var include: String?
    public var exclude: String?
    public var minDuration: Duration?
    public var maxDuration: Duration?
    public var types: [String]?

    /// A count of episodes or an age, in the words of the configuration file (`10`, `30d`).
    public var keep: String?
    public var order: String?
    public var template: String?
    public var userAgent: String?

    /// Which of an episode's files is downloaded, in the words of the configuration file (`smallest`, `64k`).
    public var quality: String?

    /// Whether tags are written into finished files.
    public var writeTags: Bool?

    /// What the user sorts the feed by; `Arts/Music` is Music within Arts.
    public var tags: [String]?

    public init() {}

    /// These settings, with those that `other` has in their place.
    public func overridden(by other: FeedSettings) -> FeedSettings {
        var all = self
        all.name = other.name ?? name
        all.latest = other.latest ?? latest
        all.first = other.first ?? first
        all.include = other.include ?? include
        all.exclude = other.exclude ?? exclude
        all.minDuration = other.minDuration ?? minDuration
        all.maxDuration = other.maxDuration ?? maxDuration
        all.types = other.types ?? types
        all.keep = other.keep ?? keep
        all.order = other.order ?? order
        all.template = other.template ?? template
        all.userAgent = other.userAgent ?? userAgent
        all.quality = other.quality ?? quality
        all.writeTags = other.writeTags ?? writeTags
        all.add(tags: other.tags ?? [])
        return all
    }

    /// Adds the tags that are not there yet, whatever their case.
    public mutating func add(tags new: [String]) {
        for tag in new where !(tags ?? []).contains(where: { $0.lowercased() == tag.lowercased() }) {
            tags = (tags ?? []) + [tag]
        }
    }

    /// Takes a tag away, whatever its case; returns false where the feed does not have it.
    public mutating func remove(tag: String) -> Bool {
        let rest = (tags ?? []).filter { $0.lowercased() != tag.lowercased() }
        defer { tags = rest.isEmpty ? nil : rest }
        return rest.count < (tags ?? []).count
    }

    /// Whether a tag of the feed is this one, or lies within it.
    public func isTagged(_ tag: String) -> Bool {
        let wanted = tag.lowercased()
        return (tags ?? []).contains { $0.lowercased() == wanted || $0.lowercased().hasPrefix(wanted + "/") }
    }
}

/// What a conditional request sends back to the server.
public struct FeedValidators: Codable, Equatable, Sendable {
    public var etag: String?
    public var lastModified: String?

    /// A hash of the body, for servers that give no validator.
    public var bodyHash: String?

    public init(etag: String? = nil, lastModified: String? = nil, bodyHash: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.bodyHash = bodyHash
    }
}

/// What the feed and its server say about when to ask again.
public struct FeedSchedule: Codable, Equatable, Sendable {
    public var ttl: Duration?
    public var maxAge: Duration?
    public var updatePeriod: Duration?
    public var updateFrequency: String?

    /// The recurrence rule of `podcast:updateFrequency` (RFC 5545 §3.3.10).
    public var updateRule: String?
    public var skipHours: [Int]
    public var skipDays: [String]

    /// The usual time between two episodes, from their dates.
    public var publicationGap: Duration?
    public var lastPublished: Date?

    public init(
        ttl: Duration? = nil, maxAge: Duration? = nil, updatePeriod: Duration? = nil,
        updateFrequency: String? = nil, skipHours: [Int] = [], skipDays: [String] = []
    ) {
        self.ttl = ttl
        self.maxAge = maxAge
        self.updatePeriod = updatePeriod
        self.updateFrequency = updateFrequency
        self.skipHours = skipHours
        self.skipDays = skipDays
    }
}

/// When the scheduled sync asks a feed again, and why then.
public struct NextCheck: Equatable, Sendable {
    /// `nil` is at once.
    public var date: Date?
    public var reason: String

    public init(date: Date?, reason: String) {
        self.date = date
        self.reason = reason
    }
}

/// The parts of a feed that are shown and never searched for.
public struct FeedDetails: Codable, Equatable, Sendable {
    public var copyright: String?
    public var medium: String?
    public var isComplete: Bool?
    public var isExplicit: Bool?
    public var categories: [String]
    public var persons: [Person]
    public var funding: [FundingLink]

    public init(
        copyright: String? = nil, medium: String? = nil, isComplete: Bool? = nil, isExplicit: Bool? = nil,
        categories: [String] = [], persons: [Person] = [], funding: [FundingLink] = []
    ) {
        self.copyright = copyright
        self.medium = medium
        self.isComplete = isComplete
        self.isExplicit = isExplicit
        self.categories = categories
        self.persons = persons
        self.funding = funding
    }
}

/// A way to support the show.
public struct FundingLink: Codable, Equatable, Sendable {
    public var url: String
    public var text: String?

    public init(url: String, text: String? = nil) {
        self.url = url
        self.text = text
    }
}

/// Why a feed could not be refreshed, as far as the next step depends on it.
public enum FeedFailureKind: String, Codable, CaseIterable, Sendable {
    /// No network at all: never counted against the feed.
    case offline

    /// The server cannot be found, refuses or does not answer in time.
    case unreachable

    /// The server answered with an error status.
    case http

    /// 410: the feed is gone for good.
    case gone

    /// The answer is not a feed.
    case notAFeed

    /// The feed was read as far as it could be: a repair, not counted as a failure.
    case damaged
}
