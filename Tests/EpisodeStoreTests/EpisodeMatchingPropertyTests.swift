import TestServer
import Testing

@testable import EpisodeStore

/// Replays random histories of a feed and looks at what becomes of the identities.
@Suite struct EpisodeMatchingPropertyTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `no edit splits an episode or merges two that were listed together`(seed: UInt64) {
        var feed = EditedFeed(seed: seed)
        var store = ModelStore()
        for _ in 0..<25 {
            let document = feed.document()
            store.refresh(document.map(\.key))
            for (item, truth) in zip(document, store.lastIdentities) {
                #expect(
                    feed.recognised[item.truth, default: truth] == truth, "seed \(seed): an episode was split"
                )
                feed.recognised[item.truth] = truth
            }
            #expect(
                Set(store.lastIdentities).count == document.count, "seed \(seed): two episodes were merged")
            feed.edit()
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `the same document in any order changes nothing`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        // Any nonsense: few values, so that guids, links, addresses, titles and dates are shared at random.
        let document = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            EpisodeKey(
                guid: ["a", "b", "c", nil].randomElement(using: &random) ?? nil,
                title: ["x", "y", "z"].randomElement(using: &random) ?? "",
                link: ["l", "m", nil].randomElement(using: &random) ?? nil,
                enclosureURL: ["u", "u?1", "v", nil].randomElement(using: &random) ?? nil,
                published: [0, 60, nil].randomElement(using: &random) ?? nil)
        }
        var store = ModelStore()
        store.refresh(document)
        let episodes = store.episodes
        for _ in 0..<5 {
            store.refresh(document.shuffled(using: &random))
            #expect(store.episodes == episodes, "seed \(seed)")
        }
    }
}

/// What the store does with the matches, without a database.
private struct ModelStore {
    struct Stored: Equatable {
        var key: EpisodeKey
        var isListed: Bool
    }

    private(set) var episodes: [Stored] = []

    /// The number of the episode that each item of the last document was, in document order.
    private(set) var lastIdentities: [Int] = []

    mutating func refresh(_ document: [EpisodeKey]) {
        let known = episodes.enumerated().map { index, stored in
            KnownEpisode(id: EpisodeID(rawValue: Int64(index)), key: stored.key, isListed: stored.isListed)
        }
        let result = matchEpisodes(known: known, incoming: document)
        lastIdentities = []
        for (key, match) in zip(document, result.matches) {
            switch match {
            case .known(let index, _):
                episodes[index] = Stored(key: key, isListed: true)
                episodes[index].key.guid = key.guid ?? known[index].key.guid
                lastIdentities.append(index)
            case .new:
                lastIdentities.append(episodes.count)
                episodes.append(Stored(key: key, isListed: true))
            case .repeated: break
            }
        }
        for index in result.unlisted {
            episodes[index].isListed = false
        }
    }
}

/// A feed whose author keeps adding, dropping, taking up again, renaming, re-dating and re-hosting.
private struct EditedFeed {
    struct Item {
        let truth: Int
        var key: EpisodeKey
    }

    private var random: SeededNumbers
    private let hasGuids: Bool
    private let sharesPath: Bool
    private let sharesTitle: Bool
    private var listed: [Item] = []
    private var dropped: [Item] = []
    private var count = 0

    /// The identity that the store gave each episode.
    var recognised: [Int: Int] = [:]

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        hasGuids = Bool.random(using: &random)
        // Without guids the addresses are all there is, and those of a shared path may not rotate.
        sharesPath = hasGuids && Bool.random(using: &random)
        sharesTitle = Bool.random(using: &random)
        // That a path is shared shows only where two items have it.
        for _ in 0..<Int.random(in: 2...15, using: &random) { add() }
    }

    mutating func document() -> [Item] {
        Bool.random(using: &random) ? listed : listed.shuffled(using: &random)
    }

    mutating func edit() {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let index = listed.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<8, using: &random), index) {
            case (0, _), (_, nil): add()
            case (1, let index?): dropped.append(listed.remove(at: index))
            case (2, _):
                guard let back = dropped.indices.randomElement(using: &random) else { break }
                listed.append(dropped.remove(at: back))
            case (3, let index?): listed[index].key.title = "Renamed \(Int.random(in: 0...9, using: &random))"
            case (4, let index?): listed[index].key.published = Int64.random(in: 0...900, using: &random)
            case (5, let index?): rotateToken(of: index)
            case (6, let index?): rewriteGuid(of: index)
            case (_, let index?): listed[index].key.duration = Int64.random(in: 0...9, using: &random)
            }
        }
    }

    private mutating func add() {
        count += 1
        listed.insert(
            Item(
                truth: count,
                key: EpisodeKey(
                    guid: hasGuids ? "guid-\(count)" : nil, title: sharesTitle ? "News" : "Title \(count)",
                    enclosureURL: sharesPath
                        ? "https://m.example/get?id=\(count)" : "https://m.example/\(count).mp3",
                    published: Int64.random(in: 0...900, using: &random))), at: 0)
    }

    private mutating func rotateToken(of index: Int) {
        let token = Int.random(in: 0...999, using: &random)
        let item = listed[index]
        listed[index].key.enclosureURL =
            sharesPath
            ? "https://m.example/get?id=\(item.truth)&token=\(token)"
            : "https://m.example/\(item.truth).mp3?token=\(token)"
    }

    /// Only where the enclosure has a path of its own is anything left to recognise the episode by.
    private mutating func rewriteGuid(of index: Int) {
        guard hasGuids, !sharesPath else { return }
        listed[index].key.guid = "guid-\(listed[index].truth)-\(Int.random(in: 0...9, using: &random))"
    }
}
