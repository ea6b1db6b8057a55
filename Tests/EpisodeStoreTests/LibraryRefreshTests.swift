import EpisodeStore
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(1))) struct LibraryRefreshTests {
    @Test func `the first refresh stores everything as old news`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let outcome = try await library.recordRefresh(
            of: feed, document([item(3), item(2), item(1)]), now: day(10))
        #expect(outcome.isFirst)
        #expect(outcome.newEpisodes == [3, 2, 1])
        let episodes = try await library.episodes(EpisodeQuery())
        #expect(episodes.map(\.title) == ["Part 3", "Part 2", "Part 1"])
        #expect(
            episodes.allSatisfy { $0.isOldNews && !$0.isNew && $0.state == .none && $0.verb == .download })
        #expect(try await library.feed(feed)?.episodeCount == 3)
    }

    @Test func `the same document again changes nothing`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(10))
        let before = try await library.episodes(EpisodeQuery())
        let outcome = try await library.recordRefresh(of: feed, document([item(1), item(2)]), now: day(11))
        #expect(outcome == RefreshOutcome())
        #expect(try await library.episodes(EpisodeQuery()) == before)
    }
}
