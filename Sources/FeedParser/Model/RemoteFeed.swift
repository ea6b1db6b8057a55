/// Another feed that this one names.
public struct RemoteFeed: Sendable, Equatable, Encodable {
    public var feedGUID: String?
    public var feedURL: String?
    public var title: String?
    public var medium: String?

    public init(
        feedGUID: String? = nil, feedURL: String? = nil, title: String? = nil, medium: String? = nil
    ) {
        self.feedGUID = feedGUID
        self.feedURL = feedURL
        self.title = title
        self.medium = medium
    }
}
