import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite(.timeLimit(.minutes(5))) struct LibraryRefreshGroupTests {
    @Test func `documents that come at once are each stored and answered as their own feed`() async throws {
        let (library, feeds) = try await library(feedCount: 40)
        let outcomes = try await withThrowingTaskGroup(of: (FeedID, RefreshOutcome).self) { group in
            for (place, feed) in feeds.enumerated() {
                group.addTask {
                    let episodes = (0...place).map { item($0) }
                    let outcome = try await library.recordRefresh(
                        of: feed, document(episodes, title: "Show \(place)"), now: day(50))
                    return (feed, outcome)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (place, feed) in feeds.enumerated() {
            #expect(outcomes[feed]?.newEpisodes.count == place + 1)
            #expect(outcomes[feed]?.feed?.title == "Show \(place)")
            #expect(outcomes[feed]?.feed == (try await library.feed(feed)))
        }
    }

    @Test func `a document that cannot be stored takes none of its group along`() async throws {
        let (library, feeds) = try await library(feedCount: 2)
        let unknown = FeedID(rawValue: 77)
        let results = await library.store(
            [feeds[0], unknown, feeds[1]].map {
                FeedDocument(id: $0, feed: document([item(1)]), nextCheck: nil, now: day(1))
            })
        #expect(throws: StoreError.unknownIdentifier(77)) { try results[1].get() }
        #expect(try results[0].get().newEpisodes.count == 1)
        #expect(try results[2].get().newEpisodes.count == 1)
        #expect(try await library.episodes(EpisodeQuery()).count == 2)
    }

    @Test func `a group with one feed twice finds nothing new the second time`() async throws {
        let (library, feeds) = try await library(feedCount: 1)
        let results = await library.store(
            [1, 2].map {
                FeedDocument(id: feeds[0], feed: document([item(1)]), nextCheck: nil, now: day($0))
            })
        #expect(try results.map { try $0.get().newEpisodes } == [[1], []])
    }

    private func library(feedCount: Int) async throws -> (Library, [FeedID]) {
        let library = try Library(path: ":memory:")
        var feeds: [FeedID] = []
        for number in 0..<feedCount {
            let feed = NewFeed(url: "https://feeds.example/\(number)", title: "Feed")
            feeds.append(try await library.addFeed(feed, now: day(0)).id)
        }
        return (library, feeds)
    }
}
