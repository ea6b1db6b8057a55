public import FoundationEssentials

/// A short recording that advertises a feed or a season.
public struct Trailer: Sendable, Equatable {
    public var title: String?
    public var url: String
    public var published: Date?
    /// Bytes.
    public var length: Int64?
    public var type: String?
    public var season: Int?

    public init(
        title: String? = nil, url: String, published: Date? = nil, length: Int64? = nil, type: String? = nil,
        season: Int? = nil
    ) {
        self.title = title
        self.url = url
        self.published = published
        self.length = length
        self.type = type
        self.season = season
    }
}

extension Trailer: Encodable {
    enum CodingKeys: CodingKey {
        case title, url, published, length, type, season
    }

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(title, forKey: .title)
        try object.encode(url, forKey: .url)
        try object.encodeTimestamp(published, forKey: .published)
        try object.encodeIfPresent(length, forKey: .length)
        try object.encodeIfPresent(type, forKey: .type)
        try object.encodeIfPresent(season, forKey: .season)
    }
}
