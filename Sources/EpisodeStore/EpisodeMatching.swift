/// What an episode can be recognised by.
struct EpisodeKey: Hashable, Sendable {
    /// Trimmed; `nil` where the feed gives none.
    var guid: String?
    var title: String
    var link: String?
    var enclosureURL: String?

    /// Unix seconds.
    var published: Int64?

    /// Milliseconds.
    var duration: Int64?

    /// The enclosure's address without query and fragment, where tokens rotate.
    var enclosurePath: String? {
        enclosureURL.map { url in String(url.prefix { $0 != "?" && $0 != "#" }) }
    }

    /// Title and minute of publication, by which two episodes look alike.
    var appearance: Appearance? {
        published.map { Appearance(title: title, minute: $0 / 60) }
    }

    struct Appearance: Hashable {
        let title: String
        let minute: Int64
    }
}

/// A stored episode as far as matching needs it.
struct KnownEpisode: Sendable {
    let id: EpisodeID
    var key: EpisodeKey
    var isListed: Bool
}

/// What became of the items of one feed document.
struct EpisodeMatches: Equatable, Sendable {
    enum Match: Equatable, Sendable {
        /// The stored episode at this index is the same.
        case known(Int, IdentityRule)
        case new

        /// The document lists this item before, equal in everything an episode can be recognised by.
        case repeated
    }

    /// One for each item, in document order.
    var matches: [Match]

    /// The new items that look like an episode that has left the feed.
    var suspectedDuplicates: Set<Int> = []

    /// The stored episodes that leave the feed with this document.
    var unlisted: [Int] = []
    var isRewrittenCatalogue = false
}

/// Recognises the items of a feed document among the stored episodes of the feed.
///
/// The rules are tried one after the other over the whole document, so that a sure sign of one item is never taken
/// away by a weaker sign of another. A stored episode is given to one item at most: two items listed together are
/// two episodes, however alike.
func matchEpisodes(
    known: [KnownEpisode], incoming: [EpisodeKey], feedLink: String? = nil, isTruncated: Bool = false
) -> EpisodeMatches {
    var matcher = EpisodeMatcher(known: known, incoming: incoming, feedLink: feedLink)
    matcher.matchUnchanged()
    matcher.matchGuids()
    matcher.matchEnclosurePaths()
    matcher.matchWithoutGuid()
    let isRewritten = matcher.isRewrittenCatalogue
    if isRewritten {
        matcher.matchRewrittenCatalogue()
    }
    return EpisodeMatches(
        matches: matcher.matches.map { $0 ?? .new },
        suspectedDuplicates: matcher.suspectedDuplicates(isTruncated: isTruncated),
        unlisted: isTruncated ? [] : matcher.unmatchedKnown.filter { known[$0].isListed },
        isRewrittenCatalogue: isRewritten)
}

/// The state of one matching: which items and which stored episodes are still free.
private struct EpisodeMatcher {
    let known: [KnownEpisode]
    let incoming: [EpisodeKey]
    let feedLink: String?

    private(set) var matches: [EpisodeMatches.Match?]
    private var isTaken: [Bool]

    init(known: [KnownEpisode], incoming: [EpisodeKey], feedLink: String?) {
        self.known = known
        self.incoming = incoming
        self.feedLink = feedLink
        matches = Array(repeating: nil, count: incoming.count)
        isTaken = Array(repeating: false, count: known.count)
        var seen: Set<EpisodeKey> = []
        for (item, key) in incoming.enumerated() where !seen.insert(key).inserted {
            matches[item] = .repeated
        }
    }

    var unmatchedKnown: [Int] { known.indices.filter { !isTaken[$0] } }

    private var mayMatchMore: Bool { isTaken.contains(false) && matches.contains { $0 == nil } }

    private var unmatchedItems: [Int] { incoming.indices.filter { matches[$0] == nil } }

    private mutating func match(_ item: Int, _ episode: Int, _ rule: IdentityRule) {
        matches[item] = .known(episode, rule)
        isTaken[episode] = true
    }

    /// An item that is equal in everything is the same, whatever its neighbours are.
    mutating func matchUnchanged() {
        let episodes = Dictionary(known.indices.map { (known[$0].key, $0) }) { first, _ in first }
        for item in unmatchedItems {
            if let episode = episodes[incoming[item]] {
                match(item, episode, ownRule(of: incoming[item]))
            }
        }
    }

    /// Rule 1: the guid is equal.
    ///
    /// Where a feed gives one guid to several items it proves little, and a second sign must agree.
    mutating func matchGuids() {
        guard mayMatchMore else { return }
        let items = Dictionary(grouping: incoming.indices.filter { matches[$0] != .repeated }) {
            incoming[$0].guid
        }
        let episodes = Dictionary(grouping: known.indices) { known[$0].key.guid }
        for (guid, items) in items where guid != nil {
            guard let episodes = episodes[guid] else { continue }
            if items.count == 1, episodes.count == 1 {
                if matches[items[0]] == nil { match(items[0], episodes[0], .guid) }
            } else {
                matchSharedGuid(items: items, episodes: episodes)
            }
        }
    }

    private mutating func matchSharedGuid(items: [Int], episodes: [Int]) {
        let signs: [(EpisodeKey) -> [String?]?] = [
            { [$0.enclosureURL, $0.title] },
            { $0.enclosureURL.map { [$0] } },
            { $0.appearance.map { [$0.title, String($0.minute)] } },
            { $0.enclosurePath.map { [$0] } },
            { [$0.title] },
        ]
        // Taken from the end: of those that look the same, a listed one first.
        let listedLast = episodes.filter { !known[$0].isListed } + episodes.filter { known[$0].isListed }
        for sign in signs {
            var free = Dictionary(grouping: listedLast.filter { !isTaken[$0] }) { sign(known[$0].key) }
            free[nil] = nil
            for item in items where matches[item] == nil {
                if let same = free[sign(incoming[item])]?.popLast() { match(item, same, .guid) }
            }
        }
    }

    /// Rule 2: the enclosure is equal but for its query, and the guid is new or absent.
    ///
    /// A path that several items share (`/media.mp3?id=7`) says nothing; then the whole URL counts, unless it is
    /// shared too.
    mutating func matchEnclosurePaths() {
        guard mayMatchMore else { return }
        let knownGuids = Set(known.lazy.compactMap(\.key.guid))
        let paths = uniqueMatches(by: \.enclosurePath)
        let wholeURLs = uniqueMatches(by: \.enclosureURL)
        for item in unmatchedItems {
            if let guid = incoming[item].guid, knownGuids.contains(guid) { continue }
            if let episode = paths.episode(of: item) ?? wholeURLs.episode(of: item), !isTaken[episode] {
                match(item, episode, .enclosure)
            }
        }
    }

    /// Rule 3: without a guid the link counts, else the enclosure, else title and date.
    ///
    /// A sign that several items share, or a link to the show's own page, is passed over as if it were absent.
    mutating func matchWithoutGuid() {
        guard mayMatchMore else { return }
        let links = uniqueMatches { key in key.link == feedLink ? nil : key.link }
        let enclosures = uniqueMatches(by: \.enclosureURL)
        let titles = uniqueMatches { $0.withoutAddresses }
        for item in unmatchedItems where incoming[item].guid == nil {
            let found: (episode: Int?, rule: IdentityRule) =
                if links.identifies(item) {
                    (links.episode(of: item), .link)
                } else if enclosures.identifies(item) {
                    (enclosures.episode(of: item), .enclosureURL)
                } else {
                    (titles.episode(of: item), .titleAndDate)
                }
            if let episode = found.episode, !isTaken[episode] {
                match(item, episode, found.rule)
            }
        }
    }

    /// Rule 5: whether more than half of the listed episodes came back as new ones: at least ten or, in a short feed,
    /// every one of them, each with its title and minute of publication.
    ///
    /// An item dated after everything known is news, which a window of few items may well be full of.
    var isRewrittenCatalogue: Bool {
        let listed = known.indices.filter { known[$0].isListed }
        let vanished = listed.filter { !isTaken[$0] }
        guard vanished.count * 2 > listed.count else { return false }
        let newest = known.compactMap(\.key.published).max() ?? .max
        let returned = unmatchedItems.filter { (incoming[$0].published ?? .min) <= newest }
        guard returned.count < 10 else { return returned.count * 2 > listed.count }
        guard vanished.count == listed.count, vanished.count >= 2 else { return false }
        let lookAlikes = uniqueMatches(among: returned, vanished, by: \.appearance)
        return returned.count { lookAlikes.episode(of: $0) != nil } == vanished.count
    }

    mutating func matchRewrittenCatalogue() {
        let free = uniqueMatches(among: unmatchedItems, unmatchedKnown, by: \.appearance)
        for item in unmatchedItems {
            if let episode = free.episode(of: item) {
                match(item, episode, .rewrittenCatalogue)
            }
        }
    }

    /// Rule 4: a new item looks like an episode that has left the feed.
    func suspectedDuplicates(isTruncated: Bool) -> Set<Int> {
        struct Look: Hashable {
            let appearance: EpisodeKey.Appearance
            let duration: Int64?
        }
        let departed = unmatchedKnown.filter { !(isTruncated && known[$0].isListed) }
        let looks = Set(
            departed.compactMap { episode in
                known[episode].key.appearance.map {
                    Look(appearance: $0, duration: known[episode].key.duration)
                }
            })
        guard !looks.isEmpty else { return [] }
        return Set(
            unmatchedItems.filter { item in
                incoming[item].appearance.map {
                    looks.contains(Look(appearance: $0, duration: incoming[item].duration))
                }
                    ?? false
            })
    }

    /// The rule by which an item is recognised as long as it does not change.
    private func ownRule(of key: EpisodeKey) -> IdentityRule {
        if key.guid != nil { return .guid }
        if key.link != nil { return .link }
        return key.enclosureURL != nil ? .enclosureURL : .titleAndDate
    }

    private func uniqueMatches<Sign: Hashable>(by sign: (EpisodeKey) -> Sign?) -> UniqueMatches<Sign> {
        uniqueMatches(
            among: incoming.indices.filter { matches[$0] != .repeated }, Array(known.indices), by: sign)
    }

    private func uniqueMatches<Sign: Hashable>(
        among items: [Int], _ episodes: [Int], by sign: (EpisodeKey) -> Sign?
    ) -> UniqueMatches<Sign> {
        let itemSigns = items.map { ($0, sign(incoming[$0])) }
        let episodeSigns = episodes.map { ($0, sign(known[$0].key)) }
        return UniqueMatches(items: itemSigns, episodes: episodeSigns)
    }
}

/// Which stored episodes carry the same sign as an item, where neither shares it with another.
private struct UniqueMatches<Sign: Hashable> {
    private var signs: [Int: Sign] = [:]
    private var itemCounts: [Sign: Int] = [:]
    private var episodes: [Sign: [Int]] = [:]

    init(items: [(Int, Sign?)], episodes: [(Int, Sign?)]) {
        for case (let item, let sign?) in items {
            signs[item] = sign
            itemCounts[sign, default: 0] += 1
        }
        for case (let episode, let sign?) in episodes {
            self.episodes[sign, default: []].append(episode)
        }
    }

    /// Whether the item has the sign, and shares it with no other item or among several stored episodes.
    func identifies(_ item: Int) -> Bool {
        guard let sign = signs[item] else { return false }
        return itemCounts[sign] == 1 && (episodes[sign]?.count ?? 0) <= 1
    }

    func episode(of item: Int) -> Int? {
        guard identifies(item), let sign = signs[item] else { return nil }
        return episodes[sign]?.first
    }
}

extension EpisodeKey {
    /// Title and date alone, for items that have nothing else.
    fileprivate var withoutAddresses: EpisodeKey? {
        EpisodeKey(title: title, published: published)
    }
}
