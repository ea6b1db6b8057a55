import EpisodeStore
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5))) struct LibraryEpisodesTests {
    /// Two feeds with three episodes each; of the first, season 2 has episodes 5 and 6.
    private func filledLibrary() async throws -> Library {
        let (library, first) = try await libraryWithFeed()
        let second = try await library.addFeed(
            NewFeed(url: "https://o.example", title: "Day Ferries"), now: day(0)
        ).id
        var seasonal = [item(3), item(2), item(1)]
        seasonal[0].season = 2
        seasonal[0].episode = 6
        seasonal[1].season = 2
        seasonal[1].episode = 5
        _ = try await library.recordRefresh(of: first, document(seasonal), now: day(20))
        _ = try await library.recordRefresh(
            of: second, document([item(6), item(5), item(4)], title: "Day Ferries"), now: day(20))
        return library
    }

    @Test func `episodes of all feeds are listed by date`() async throws {
        let library = try await filledLibrary()
        let newest = try await library.episodes(EpisodeQuery(limit: 4))
        #expect(newest.map(\.guid) == ["guid-6", "guid-5", "guid-4", "guid-3"])
        #expect(newest.map(\.feedTitle) == ["Day Ferries", "Day Ferries", "Day Ferries", "Night Trains"])
        let oldest = try await library.episodes(EpisodeQuery(order: .oldestFirst, limit: 1))
        #expect(oldest.map(\.guid) == ["guid-1"])
        #expect(try await library.episodes(EpisodeQuery(since: day(5))).map(\.guid) == ["guid-6", "guid-5"])
        #expect(try await library.episodes(EpisodeQuery(feed: 1, limit: 1)).map(\.guid) == ["guid-3"])
    }

    @Test func `played, unplayed, new and kept are lists of their own`() async throws {
        let library = try await filledLibrary()
        try await library.setPlayed(true, [1, 2], now: day(21))
        try await library.setNew(true, [3], now: day(21))
        try await library.setKept(true, [4], now: day(21))
        try await library.setPosition(.seconds(30), of: 5)
        #expect(try await library.episodes(EpisodeQuery(filter: .played)).map(\.id) == [2, 1])
        #expect(try await library.episodes(EpisodeQuery(filter: .unplayed)).map(\.id) == [6, 5, 4, 3])
        #expect(try await library.episodes(EpisodeQuery(filter: .new)).map(\.id) == [3])
        #expect(try await library.episodes(EpisodeQuery(filter: .kept)).map(\.id) == [4])
        #expect(try await library.episode(5)?.position == .seconds(30))
        #expect(try await library.journal(of: 4).map(\.event) == [.marked("keep")])
    }

    @Test func `playing to the end forgets the position and the novelty`() async throws {
        let library = try await filledLibrary()
        try await library.setNew(true, [1], now: day(21))
        try await library.setPosition(.seconds(30), of: 1)
        try await library.setPlayed(true, [1], now: day(22))
        let episode = try #require(try await library.episode(1))
        #expect(episode.isPlayed)
        #expect(!episode.isNew)
        #expect(episode.position == .zero)
    }

    @Test func `marking is all or nothing`() async throws {
        let library = try await filledLibrary()
        await #expect(throws: StoreError.unknownIdentifier(99)) {
            try await library.setPlayed(true, [1, 99], now: day(21))
        }
        #expect(try await library.episode(1)?.isPlayed == false)
    }

    @Test(arguments: [
        ("4", ["guid-4"]),
        ("night-trains:latest", ["guid-3"]),
        ("Night Trains:S2E5", ["guid-2"]),
        ("1:s2", ["guid-3", "guid-2"]),
        ("https://feeds.example/night:all", ["guid-3", "guid-2", "guid-1"]),
    ])
    func `a selector names episodes`(selector: String, guids: [String]) async throws {
        let library = try await filledLibrary()
        guard case .found(let episodes) = try await library.episodes(matching: selector) else {
            Issue.record("\(selector) found nothing")
            return
        }
        #expect(episodes.map(\.guid) == guids)
    }

    @Test(arguments: ["99", "night-trains:S9", "night-trains:E77", "nothing:latest", "night-trains", ":", ""])
    func `a selector that fits nothing says so`(selector: String) async throws {
        let library = try await filledLibrary()
        guard case .none = try await library.episodes(matching: selector) else {
            Issue.record("\(selector) found something")
            return
        }
    }

    @Test func `an ambiguous feed lists its candidates`() async throws {
        let library = try await filledLibrary()
        _ = try await library.addFeed(NewFeed(url: "https://p.example", title: "Night Ferries"), now: day(0))
        guard case .ambiguous(let feeds) = try await library.episodes(matching: "ferries:latest") else {
            Issue.record("not ambiguous")
            return
        }
        #expect(feeds.map(\.title) == ["Day Ferries", "Night Ferries"])
    }
}
