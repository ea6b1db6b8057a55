/// Why a document could not be read as a feed.
public enum FeedError: Error, Sendable, Equatable {
    /// The document is HTML; the feeds are those that it offers.
    case webPage(feeds: [DiscoveredFeed])
    /// The document is OPML: a list of feeds, not one.
    case feedList
    case empty
    /// Neither a feed's root element nor JSON was found.
    case noFeedRoot
    /// A list of feeds was to be read, and the root element is not `opml`.
    case noOPMLRoot
    /// The decoded document is longer than this many bytes.
    case tooLarge(byteCount: Int)
    /// Elements, or JSON values, are nested deeper than this.
    case tooDeep(depth: Int)
    /// A JSON document holds more values than this.
    case tooManyValues(count: Int)
    /// The bytes cannot be decoded from this character encoding.
    case undecodable(encoding: String)
    case malformedJSON
    case outOfMemory
}

extension FeedError: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .webPage(let feeds) where feeds.isEmpty: "a web page, not a feed"
        case .webPage(let feeds):
            "a web page, not a feed; it offers " + feeds.map(\.url).joined(separator: " ")
        case .feedList: "a list of feeds (OPML), not a feed; save it, and give the file to 'podget subscribe'"
        case .empty: "an empty document"
        case .noFeedRoot: "not a feed: neither RSS, Atom nor JSON"
        case .noOPMLRoot: "not an OPML list of feeds"
        case .tooLarge(let byteCount): "larger than \(byteCount) bytes"
        case .tooDeep(let depth): "nested deeper than \(depth) levels"
        case .tooManyValues(let count): "more than \(count) JSON values"
        case .undecodable(let encoding): "not readable as \(encoding)"
        case .malformedJSON: "broken JSON: it ends early or is damaged"
        case .outOfMemory: "no memory left"
        }
    }
}
