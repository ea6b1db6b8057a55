/// A feed that a web page offers.
public struct DiscoveredFeed: Sendable, Equatable {
    public var url: String
    public var title: String?
    public var type: String?

    public init(url: String, title: String? = nil, type: String? = nil) {
        self.url = url
        self.title = title
        self.type = type
    }
}
