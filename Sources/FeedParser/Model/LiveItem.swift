public import FoundationEssentials

/// A live broadcast that a feed announces.
///
/// It is never an episode: its enclosure is a stream without end.
public struct LiveItem: Sendable, Equatable {
    /// Everything that a live item shares with an episode.
    public var episode: Episode
    /// `pending`, `live` or `ended`.
    public var status: String?
    public var start: Date?
    public var end: Date?
    public var contentLinks: [ContentLink] = []
    public var chat: Chat?

    public init(episode: Episode = Episode(), status: String? = nil, start: Date? = nil, end: Date? = nil) {
        self.episode = episode
        self.status = status
        self.start = start
        self.end = end
    }

    /// A page that carries the broadcast.
    public struct ContentLink: Sendable, Equatable, Encodable {
        public var href: String
        public var text: String?

        public init(href: String, text: String? = nil) {
            self.href = href
            self.text = text
        }
    }

    /// The room where listeners talk during the broadcast.
    public struct Chat: Sendable, Equatable, Encodable {
        public var server: String?
        /// `irc`, `xmpp`, `nostr` or `matrix`.
        public var `protocol`: String?
        public var accountId: String?
        public var space: String?

        public init(
            server: String? = nil, `protocol`: String? = nil, accountId: String? = nil, space: String? = nil
        ) {
            self.server = server
            self.protocol = `protocol`
            self.accountId = accountId
            self.space = space
        }
    }
}

extension LiveItem: Encodable {
    enum CodingKeys: CodingKey {
        case status, start, end, contentLinks, chat
    }

    public func encode(to encoder: any Encoder) throws {
        try episode.encode(to: encoder)
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(status, forKey: .status)
        try object.encodeTimestamp(start, forKey: .start)
        try object.encodeTimestamp(end, forKey: .end)
        try object.encodeUnlessEmpty(contentLinks, forKey: .contentLinks)
        try object.encodeIfPresent(chat, forKey: .chat)
    }
}
