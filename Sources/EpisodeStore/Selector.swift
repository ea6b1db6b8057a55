/// Chooses the feed that a user means by a number, slug, address, part of a title or slug, or the last part of an address.
///
/// An exact match beats a part, and a name the end of an address.
func selectFeed(_ selector: String, from feeds: [FeedRecord]) -> SelectorMatch<FeedRecord> {
    let wanted = selector.lowercased()
    guard !wanted.isEmpty else { return .none(nearest: []) }
    let exact = feeds.filter { feed in
        feed.id.description == wanted || feed.slug == wanted || feed.title.lowercased() == wanted
    }
    let parts = feeds.filter { $0.title.lowercased().contains(wanted) || $0.slug.contains(wanted) }
    let found = [exact, parts].first { !$0.isEmpty } ?? feeds.filter { endOfPath($0.url).contains(wanted) }
    switch found.count {
    case 1: return .found(found[0])
    case 0: return .none(nearest: nearestNames(to: wanted, from: feeds.map(\.slug)))
    default: return .ambiguous(found)
    }
}

/// The last part of an address's path in lower case, with and without the ending of its name.
private func endOfPath(_ url: String) -> [String] {
    let path = url.lowercased().prefix { $0 != "?" && $0 != "#" }
    guard let slash = path.lastIndex(of: "/") else { return [] }
    let name = path[path.index(after: slash)...]
    return [String(name), String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))]
}

/// What `FEED:…` asks for of a feed.
public enum EpisodeSelection: Equatable, Sendable {
    case latest
    case all
    case season(Int)
    case numbered(season: Int?, episode: Int)

    /// Reads the part after the colon: `latest`, `all`, `S2`, `S2E5`, or `E5` where the seasons do not matter.
    public init?(_ text: some StringProtocol) {
        let word = text.lowercased()
        switch word {
        case "latest": self = .latest
        case "all": self = .all
        default:
            if word.first == "e", let episode = Int(word.dropFirst()), episode >= 0 {
                self = .numbered(season: nil, episode: episode)
                return
            }
            guard word.first == "s" else { return nil }
            let numbers = word.dropFirst().split(separator: "e", omittingEmptySubsequences: false)
            guard let season = numbers.first.flatMap({ Int($0) }) else { return nil }
            switch numbers.count {
            case 1: self = .season(season)
            case 2:
                guard let episode = Int(numbers[1]) else { return nil }
                self = .numbered(season: season, episode: episode)
            default: return nil
            }
        }
    }

    /// The season that it names.
    public var season: Int? {
        switch self {
        case .latest, .all: nil
        case .season(let season): season
        case .numbered(let season, _): season
        }
    }
}
