public import FoundationEssentials

/// One episode of a feed.
///
/// Its `Encodable` form is the episode object that `podget inspect --json` prints.
public struct Episode: Sendable, Equatable {
    /// The identifier that the feed gives, without blanks around it; nil if it gives none.
    public var guid: String?
    public var title: String?
    public var link: String?
    public var published: Date?
    public var updated: Date?
    /// Plain text.
    public var summary: String?
    public var contentHTML: String?
    public var author: String?
    public var image: String?
    /// Seconds.
    public var duration: Double?
    public var season: Int?
    public var episode: Int?
    public var seasonName: String?
    public var episodeDisplay: String?
    /// `full`, `trailer` or `bonus`.
    public var episodeType: String?
    public var explicit: Bool?
    public var categories: [String] = []
    public var persons: [Person] = []
    public var soundbites: [Soundbite] = []
    /// Every playable file, the best first.
    public var enclosures: [Enclosure] = []
    public var alternateEnclosures: [AlternateEnclosure] = []
    public var chapters: [Chapter] = []
    public var chaptersURL: ChaptersReference?
    public var transcripts: [TranscriptReference] = []
    public var transcript: [TranscriptSegment] = []
    public var funding: [Funding] = []
    public var images: [Artwork] = []
    public var location: Location?
    public var license: String?
    public var value: PaymentValue?
    public var txt: [PurposeText] = []
    public var socialInteract: [SocialInteract] = []
    /// The state of an AI episode; anything but `ready` cannot be downloaded yet.
    public var status: String?

    public init(
        guid: String? = nil, title: String? = nil, published: Date? = nil, enclosures: [Enclosure] = []
    ) {
        self.guid = guid
        self.title = title
        self.published = published
        self.enclosures = enclosures
    }
}

extension Episode: Encodable {
    enum CodingKeys: CodingKey {
        case guid, title, link, published, updated, summary, contentHTML, author, image, duration
        case season, episode, seasonName, episodeDisplay, episodeType, explicit
        case categories, persons, soundbites, enclosures, alternateEnclosures
        case chapters, chaptersURL, transcripts, transcript
        case funding, images, location, license, value, txt, socialInteract, status
    }

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(guid, forKey: .guid)
        try object.encodeIfPresent(title, forKey: .title)
        try object.encodeIfPresent(link, forKey: .link)
        try object.encodeTimestamp(published, forKey: .published)
        try object.encodeTimestamp(updated, forKey: .updated)
        try object.encodeIfPresent(summary, forKey: .summary)
        try object.encodeIfPresent(contentHTML, forKey: .contentHTML)
        try object.encodeIfPresent(author, forKey: .author)
        try object.encodeIfPresent(image, forKey: .image)
        try object.encodeIfPresent(duration, forKey: .duration)
        try object.encodeIfPresent(season, forKey: .season)
        try object.encodeIfPresent(episode, forKey: .episode)
        try object.encodeIfPresent(seasonName, forKey: .seasonName)
        try object.encodeIfPresent(episodeDisplay, forKey: .episodeDisplay)
        try object.encodeIfPresent(episodeType, forKey: .episodeType)
        try object.encodeIfPresent(explicit, forKey: .explicit)
        try object.encodeUnlessEmpty(categories, forKey: .categories)
        try object.encodeUnlessEmpty(persons, forKey: .persons)
        try object.encodeUnlessEmpty(soundbites, forKey: .soundbites)
        try object.encodeUnlessEmpty(enclosures, forKey: .enclosures)
        try object.encodeUnlessEmpty(alternateEnclosures, forKey: .alternateEnclosures)
        try object.encodeUnlessEmpty(chapters, forKey: .chapters)
        try object.encodeIfPresent(chaptersURL, forKey: .chaptersURL)
        try object.encodeUnlessEmpty(transcripts, forKey: .transcripts)
        try object.encodeUnlessEmpty(transcript, forKey: .transcript)
        try object.encodeUnlessEmpty(funding, forKey: .funding)
        try object.encodeUnlessEmpty(images, forKey: .images)
        try object.encodeIfPresent(location, forKey: .location)
        try object.encodeIfPresent(license, forKey: .license)
        try object.encodeIfPresent(value, forKey: .value)
        try object.encodeUnlessEmpty(txt, forKey: .txt)
        try object.encodeUnlessEmpty(socialInteract, forKey: .socialInteract)
        try object.encodeIfPresent(status, forKey: .status)
    }
}
