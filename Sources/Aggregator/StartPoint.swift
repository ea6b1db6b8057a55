public import EpisodeStore

/// Where in an episode to start.
public enum StartPoint: Equatable, Sendable {
    /// So far from the beginning.
    case time(Duration)

    /// The chapter of this number, from 1.
    case chapter(Int)

    /// The chapter of this title, or of an unambiguous part of it.
    case title(String)

    /// Reads what stands after the `@`: `12:34`, `1:02:03`, `90s` or `1h2m` are times, `3` is a chapter's number, and
    /// anything else a chapter's title.
    ///
    /// Nil for an empty text.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        if let number = Int(text), number > 0 {
            self = .chapter(number)
        } else if text.first?.isNumber == true, let time = parseLength(text) {
            self = .time(time)
        } else {
            self = .title(text)
        }
    }
}

/// An episode with a point in it, as `play` takes it: `EPISODE`, `EPISODE@CHAPTER` or `EPISODE@12:34`.
public struct EpisodePoint: Equatable, Sendable {
    /// The part that names episodes.
    public let selector: String
    public let start: StartPoint?

    /// Parts a word of the command line at its last `@`.
    ///
    /// An `@` with a `/` behind it belongs to an address (`https://me@host/feed:latest`).
    public init(_ word: String) {
        if let at = word.lastIndex(of: "@"), at > word.startIndex {
            let rest = word[word.index(after: at)...]
            if !rest.contains("/"), let start = StartPoint(rest) {
                self.init(selector: String(word[..<at]), start: start)
                return
            }
        }
        self.init(selector: word, start: nil)
    }

    private init(selector: String, start: StartPoint?) {
        self.selector = selector
        self.start = start
    }

    /// Every way to part a word at one of its `@`, the longest episode first: titles of chapters may hold `@` and `/`.
    ///
    /// The first is the word as a whole. Beyond sixteen `@` the rest is taken for the title.
    static func readings(of word: String) -> [EpisodePoint] {
        let places = word.indices.filter { word[$0] == "@" && $0 > word.startIndex }.prefix(16)
        let parted = places.reversed().compactMap { at in
            StartPoint(word[word.index(after: at)...]).map {
                EpisodePoint(selector: String(word[..<at]), start: $0)
            }
        }
        return [EpisodePoint(selector: word, start: nil)] + parted
    }
}

extension Aggregator {
    /// The episodes that a word names, `EPISODE` or `EPISODE@POINT`, and the point.
    ///
    /// Where no part of the word names an episode, the error is that of its usual reading, at the last `@`.
    public func episodes(
        at word: String
    ) async throws(AggregatorError) -> (episodes: [EpisodeRecord], start: StartPoint?) {
        let readings = EpisodePoint.readings(of: word)
        if readings.count > 1 {
            for reading in readings {
                do throws(AggregatorError) {
                    return (try await episodes(matching: [reading.selector]), reading.start)
                } catch {
                    guard error.isOfSelector else { throw error }
                }
            }
        }
        let point = EpisodePoint(word)
        return (try await episodes(matching: [point.selector]), point.start)
    }
}

extension AggregatorError {
    /// Whether it says that a selector names nothing, or too much.
    fileprivate var isOfSelector: Bool {
        switch self {
        case .ambiguous, .unknown, .noSuchEpisode, .feedForEpisode: true
        default: false
        }
    }
}

/// A time within an episode as `EPISODE@TIME` takes it, whole seconds: `2:03`, or `1:02:03` from an hour on.
public func clockText(_ time: Duration) -> String {
    let seconds = max(time.components.seconds, 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let end = "\(two(seconds % 60))"
    return seconds < 3600
        ? "\(seconds / 60):\(end)" : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(end)"
}

/// What a point comes to in one episode.
public enum StartPosition: Equatable, Sendable {
    case found(Duration)

    /// More than one chapter fits; their titles.
    case ambiguous([String])
    case unknown
}

/// Finds the position of a point among the chapters of an episode.
///
/// An exact title, upper or lower case, beats a part of one.
public func startPosition(of point: StartPoint, in chapters: [Chapter]) -> StartPosition {
    switch point {
    case .time(let time): return .found(time)
    case .chapter(let number):
        return chapters.indices.contains(number - 1) ? .found(chapters[number - 1].start) : .unknown
    case .title(let title):
        let wanted = title.lowercased()
        let exact = chapters.filter { $0.title?.lowercased() == wanted }
        let fitting =
            exact.isEmpty ? chapters.filter { $0.title?.lowercased().contains(wanted) == true } : exact
        switch fitting.count {
        case 0: return .unknown
        case 1: return .found(fitting[0].start)
        default: return .ambiguous(fitting.compactMap(\.title))
        }
    }
}
