import Testing

@testable import EpisodeStore

/// What to listen to next.
@Suite struct PlayQueueTests {
    private func library() async throws -> Library {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(
            of: feed, document([item(3), item(2), item(1)]), now: day(5))
        return library
    }

    private func queue(_ library: Library) async throws -> [Int64] {
        try await library.playQueue().map(\.id.rawValue)
    }

    @Test func `the order is that of adding, and what is there keeps its place`() async throws {
        let library = try await library()
        try await library.addToPlayQueue([2, 1])
        try await library.addToPlayQueue([1, 3, 2])
        #expect(try await queue(library) == [2, 1, 3])
    }

    @Test func `episodes come in front in the order given, and move there`() async throws {
        let library = try await library()
        try await library.addToPlayQueue([1])
        try await library.addToPlayQueue([3, 2], inFront: true)
        #expect(try await queue(library) == [3, 2, 1])
        try await library.addToPlayQueue([1], inFront: true)
        #expect(try await queue(library) == [1, 3, 2])
    }

    @Test func `what is removed or played leaves the queue`() async throws {
        let library = try await library()
        try await library.addToPlayQueue([1, 2, 3])
        #expect(try await library.removeFromPlayQueue([2]) == 1)
        #expect(try await library.removeFromPlayQueue([2]) == 0)
        try await library.setPlayed(true, [1], now: day(6))
        #expect(try await queue(library) == [3])
    }

    @Test func `an unknown episode changes nothing`() async throws {
        let library = try await library()
        await #expect(throws: StoreError.unknownIdentifier(9)) { try await library.addToPlayQueue([1, 9]) }
        #expect(try await queue(library) == [])
    }
}
