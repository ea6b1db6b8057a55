/// A media file of an episode.
public struct Enclosure: Sendable, Equatable, Encodable {
    /// Absolute where the document's address was known.
    public var url: String
    /// The media type as the feed states it.
    public var type: String?
    /// Bytes, as the feed states them: a hint, never a check.
    public var length: Int64?
    public var title: String?

    public init(url: String, type: String? = nil, length: Int64? = nil, title: String? = nil) {
        self.url = url
        self.type = type
        self.length = length
        self.title = title
    }
}
