/// A page where listeners can support the feed.
public struct Funding: Sendable, Equatable, Encodable {
    public var url: String
    public var text: String?

    public init(url: String, text: String? = nil) {
        self.url = url
        self.text = text
    }
}
