/// Where the public talks about a feed or an episode.
public struct SocialInteract: Sendable, Equatable, Encodable {
    public var `protocol`: String
    public var uri: String?
    public var accountId: String?
    public var accountUrl: String?
    public var priority: Int?

    public init(
        protocol: String, uri: String? = nil, accountId: String? = nil, accountUrl: String? = nil,
        priority: Int? = nil
    ) {
        self.protocol = `protocol`
        self.uri = uri
        self.accountId = accountId
        self.accountUrl = accountUrl
        self.priority = priority
    }
}
