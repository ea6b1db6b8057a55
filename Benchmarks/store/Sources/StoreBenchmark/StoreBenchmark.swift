import EpisodeStore
import FoundationEssentials

/// Fills a library and asks it one question per process, as the command line does.
@main struct StoreBenchmark {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let action = words.first, let path = words.dropFirst().first else {
            print("usage: StoreBenchmark fill PATH FEEDS EPISODES | ACTION PATH")
            return
        }
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        switch action {
        case "fill": try await fill(path, feeds: numbers[0], episodesPerFeed: numbers[1])
        case "again": try await refreshAgain(path, feeds: numbers[0], episodesPerFeed: numbers[1])
        case "open": _ = try Library(path: path, mode: .readOnly)
        case "open-writing": _ = try Library(path: path)
        case "feeds": print(try await Library(path: path, mode: .readOnly).feeds().count)
        case "episodes":
            print(try await Library(path: path, mode: .readOnly).episodes(EpisodeQuery(limit: 50)).count)
        case "storage": print(try await Library(path: path, mode: .readOnly).storage().count)
        case "status": print(try await Library(path: path, mode: .readOnly).downloadsStatus().queued.count)
        case "show": print(try await Library(path: path, mode: .readOnly).episodeDetail(500)?.summary ?? "")
        case "index": try await index(path)
        case "search":
            let text = words.dropFirst(2).joined(separator: " ")
            print(try await Library(path: path, mode: .readOnly).search(text).count)
        case "word": print(InventedFeed.word(rank: Int(path) ?? 0))
        default: print("unknown action \(action)")
        }
    }

    private static func fill(_ path: String, feeds: Int, episodesPerFeed: Int) async throws {
        let library = try Library(path: path)
        let clock = ContinuousClock()
        var generating = Duration.zero
        var storing = Duration.zero
        var byteCount = 0
        for number in 0..<feeds {
            let start = clock.now
            var invented = InventedFeed(seed: UInt64(number))
            let document = invented.document(feed: number, episodes: 0..<episodesPerFeed, byteCount: &byteCount)
            let now = Date(timeIntervalSince1970: 1_750_000_000)
            let generated = clock.now
            let new = NewFeed(url: "https://show\(number).example/feed.xml", title: document.title)
            let feed = try await library.addFeed(new, now: now)
            let outcome = try await library.recordRefresh(of: feed.id, document, now: now)
            for id in outcome.newEpisodes.prefix(5) {
                let result = DownloadResult(
                    path: "/Podcasts/\(number)/\(id).mp3", byteCount: 1000 + id.rawValue, isVerified: true)
                try await library.markDone(id, result, now: now)
            }
            storing += clock.now - generated
            generating += generated - start
        }
        print("text: \(byteCount) bytes; stored in \(storing), invented in \(generating)")
    }

    private static func index(_ path: String) async throws {
        let library = try Library(path: path)
        let clock = ContinuousClock()
        let start = clock.now
        try await library.updateSearchIndex()
        print("indexed in \(clock.now - start)")
    }

    /// Stores the documents once more, in which nothing has changed.
    private static func refreshAgain(_ path: String, feeds: Int, episodesPerFeed: Int) async throws {
        let library = try Library(path: path)
        let clock = ContinuousClock()
        var storing = Duration.zero
        for feed in try await library.feeds().sorted(by: { $0.id < $1.id }).prefix(feeds) {
            let number = Int(feed.id.rawValue) - 1
            var byteCount = 0
            var invented = InventedFeed(seed: UInt64(number))
            let document = invented.document(feed: number, episodes: 0..<episodesPerFeed, byteCount: &byteCount)
            let start = clock.now
            let outcome = try await library.recordRefresh(
                of: feed.id, document, now: Date(timeIntervalSince1970: 1_760_000_000))
            storing += clock.now - start
            guard outcome == RefreshOutcome() else {
                print("feed \(number) changed")
                return
            }
        }
        print("unchanged documents of \(feeds) feeds: \(storing)")
    }
}
