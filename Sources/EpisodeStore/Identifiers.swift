/// The number of a feed.
///
/// It never changes and is never used again, also after unsubscribing.
public struct FeedID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (left: FeedID, right: FeedID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The number of an episode.
///
/// It never changes. Of two episodes of one feed that were first seen together, the newer has the higher number.
public struct EpisodeID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (left: EpisodeID, right: EpisodeID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension FeedID: ExpressibleByIntegerLiteral, CustomStringConvertible {
    public init(integerLiteral value: Int64) {
        self.init(rawValue: value)
    }

    public var description: String { String(rawValue) }
}

extension EpisodeID: ExpressibleByIntegerLiteral, CustomStringConvertible {
    public init(integerLiteral value: Int64) {
        self.init(rawValue: value)
    }

    public var description: String { String(rawValue) }
}
