public import FoundationEssentials

/// A parsed feed.
///
/// Its `Encodable` form is the object that `podget inspect --json` prints: what is unknown is left out.
public struct Feed: Sendable, Equatable {
    public var format: FeedFormat
    public var title: String?
    public var description: String?
    public var language: String?
    public var author: String?
    public var copyright: String?
    public var generator: String?
    /// `episodic` or `serial`.
    public var type: String?
    public var link: String?
    public var image: String?
    /// The feed's own address, as it states it.
    public var feedURL: String?
    public var newFeedURL: String?
    public var nextPageURL: String?
    public var hubURL: String?
    public var podcastGUID: String?
    public var medium: String?
    public var updateFrequency: String?
    /// The recurrence rule of `podcast:updateFrequency` (RFC 5545 §3.3.10); for machines, so not printed.
    public var updateRule: String?
    public var explicit: Bool?
    public var complete: Bool?
    public var locked: Bool?
    public var usesPodping: Bool?
    public var published: Date?
    public var updated: Date?
    /// Minutes that the feed may be kept before it is asked for again.
    public var ttl: Int?
    public var skipHours: [Int] = []
    public var skipDays: [String] = []
    public var updatePeriodSeconds: Int?
    public var categories: [String] = []
    public var funding: [Funding] = []
    public var persons: [Person] = []
    public var liveItems: [LiveItem] = []
    public var podroll: [RemoteFeed] = []
    public var publisher: RemoteFeed?
    public var value: PaymentValue?
    public var txt: [PurposeText] = []
    public var location: Location?
    public var license: String?
    public var trailers: [Trailer] = []
    public var images: [Artwork] = []
    public var socialInteract: [SocialInteract] = []
    /// The services that the feed asks not to list it; `*` means all.
    public var block: [String] = []
    public var episodes: [Episode] = []
    public var diagnostics: [Diagnostic] = []
    /// Whether the document ended before its root was closed.
    public var isTruncated = false
    /// Whether it ended within its last episode, whose fields may be missing or cut.
    public var isLastEpisodeCut = false

    public init(format: FeedFormat = .rss20) {
        self.format = format
    }
}

extension Feed: Encodable {
    enum CodingKeys: CodingKey {
        case format, title, description, language, author, copyright, generator, type
        case link, image, feedURL, newFeedURL, nextPageURL, hubURL
        case podcastGUID, medium, updateFrequency, explicit, complete, locked, usesPodping
        case published, updated, ttl, skipHours, skipDays, updatePeriodSeconds
        case categories, funding, persons, liveItems, podroll, publisher, value, txt, location, license
        case trailers, images, socialInteract, block, episodes, diagnostics
    }

    public func encode(to encoder: any Encoder) throws {
        try properties.encode(to: encoder)
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(episodes, forKey: .episodes)
    }

    /// Everything but the episodes, to be encoded where these are handed over one by one.
    public var properties: FeedProperties { FeedProperties(feed: self) }

    fileprivate func encodeProperties(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(format, forKey: .format)
        try object.encodeIfPresent(title, forKey: .title)
        try object.encodeIfPresent(description, forKey: .description)
        try object.encodeIfPresent(language, forKey: .language)
        try object.encodeIfPresent(author, forKey: .author)
        try object.encodeIfPresent(copyright, forKey: .copyright)
        try object.encodeIfPresent(generator, forKey: .generator)
        try object.encodeIfPresent(type, forKey: .type)
        try object.encodeIfPresent(link, forKey: .link)
        try object.encodeIfPresent(image, forKey: .image)
        try object.encodeIfPresent(feedURL, forKey: .feedURL)
        try object.encodeIfPresent(newFeedURL, forKey: .newFeedURL)
        try object.encodeIfPresent(nextPageURL, forKey: .nextPageURL)
        try object.encodeIfPresent(hubURL, forKey: .hubURL)
        try object.encodeIfPresent(podcastGUID, forKey: .podcastGUID)
        try object.encodeIfPresent(medium, forKey: .medium)
        try object.encodeIfPresent(updateFrequency, forKey: .updateFrequency)
        try object.encodeIfPresent(explicit, forKey: .explicit)
        try object.encodeIfPresent(complete, forKey: .complete)
        try object.encodeIfPresent(locked, forKey: .locked)
        try object.encodeIfPresent(usesPodping, forKey: .usesPodping)
        try object.encodeTimestamp(published, forKey: .published)
        try object.encodeTimestamp(updated, forKey: .updated)
        try object.encodeIfPresent(ttl, forKey: .ttl)
        try object.encodeUnlessEmpty(skipHours, forKey: .skipHours)
        try object.encodeUnlessEmpty(skipDays, forKey: .skipDays)
        try object.encodeIfPresent(updatePeriodSeconds, forKey: .updatePeriodSeconds)
        try object.encodeUnlessEmpty(categories, forKey: .categories)
        try object.encodeUnlessEmpty(funding, forKey: .funding)
        try object.encodeUnlessEmpty(persons, forKey: .persons)
        try object.encodeUnlessEmpty(liveItems, forKey: .liveItems)
        try object.encodeUnlessEmpty(podroll, forKey: .podroll)
        try object.encodeIfPresent(publisher, forKey: .publisher)
        try object.encodeIfPresent(value, forKey: .value)
        try object.encodeUnlessEmpty(txt, forKey: .txt)
        try object.encodeIfPresent(location, forKey: .location)
        try object.encodeIfPresent(license, forKey: .license)
        try object.encodeUnlessEmpty(trailers, forKey: .trailers)
        try object.encodeUnlessEmpty(images, forKey: .images)
        try object.encodeUnlessEmpty(socialInteract, forKey: .socialInteract)
        try object.encodeUnlessEmpty(block, forKey: .block)
        try object.encodeUnlessEmpty(diagnostics, forKey: .diagnostics)
    }
}

/// The fields of a feed in the form of `Feed`, without `episodes`.
public struct FeedProperties: Encodable, Sendable {
    fileprivate let feed: Feed

    public func encode(to encoder: any Encoder) throws {
        try feed.encodeProperties(to: encoder)
    }
}
