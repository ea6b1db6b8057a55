/// A named point in an episode.
public struct Chapter: Sendable, Equatable, Encodable {
    /// Seconds.
    public var start: Double
    public var title: String?
    public var url: String?
    public var image: String?

    public init(start: Double, title: String? = nil, url: String? = nil, image: String? = nil) {
        self.start = start
        self.title = title
        self.url = url
        self.image = image
    }
}

/// Where an episode's chapters are to be fetched.
public struct ChaptersReference: Sendable, Equatable, Encodable {
    public var url: String
    public var type: String?

    public init(url: String, type: String? = nil) {
        self.url = url
        self.type = type
    }
}
