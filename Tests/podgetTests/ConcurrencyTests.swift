import Foundation
import TestServer
import Testing

@testable import EpisodeStore
@testable import podget

/// Several processes on one library at once.
@Suite(.timeLimit(.minutes(5)))
struct ConcurrencyTests {
    /// A feed with six episodes of which the newest one's transfer stops in the middle until it is released.
    private func show() async throws -> (DummyServer, TestHome) {
        let server = try DummyServer(hostCount: 6)
        let items = (1...6).reversed().map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)",
                url: server.url("/\(number).mp3", host: "127.0.0.\(number)"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...6 { server.serve("/\(number).mp3", .pattern(200_000, etag: "\"\(number)\"")) }
        let whole = Reply.pattern(2_000_000, etag: "\"six\"")
        server.serve("/6.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        return (server, home)
    }

    private func mediaRequests(_ server: DummyServer) -> [String] {
        server.requests.map(\.path).filter { $0.hasSuffix(".mp3") }.sorted()
    }

    private func isProgress(_ line: String) -> Bool { line.contains("\"event\":\"progress\"") }
    private func isFollowing(_ line: String) -> Bool { line.contains("\"event\":\"following\"") }

    @Test func `a download joins the queue of the process that downloads, and follows it to the end`()
        async throws
    {
        let (server, home) = try await show()
        defer { server.stop() }
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await first.line(where: isProgress) != nil)
        let second = try PodgetProcess(["download", "--json", "show:all"], home: home.path)
        #expect(await second.line(where: isFollowing) != nil)
        // The first process takes on what the second one asks for; nobody has to wait for the stalled transfer.
        #expect(await second.line { $0.contains("Part 1") && $0.contains("\"event\":\"downloaded\"") } != nil)
        server.release("/6.mp3")
        let summary = await second.line { $0.contains("\"event\":\"summary\"") }
        #expect(summary?.contains("\"downloaded\":6") == true)
        #expect(await first.wait() == 0)
        #expect(await second.wait() == 0)
        #expect(mediaRequests(server) == (1...6).map { "/\($0).mp3" })
        #expect(home.mediaFiles().count == 6)
    }

    @Test func `whoever follows takes the queue over when the other process is killed`() async throws {
        let (server, home) = try await show()
        defer { server.stop() }
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await first.line(where: isProgress) != nil)
        let second = try PodgetProcess(["download", "--json", "show:all"], home: home.path)
        #expect(await second.line(where: isFollowing) != nil)
        first.send(SIGKILL)
        #expect(await first.wait() == -SIGKILL)
        #expect(await second.wait() == 0)
        #expect(home.mediaFiles().count == 6)
        let six = server.requests(to: "/6.mp3")
        #expect(six.count == 2)
        #expect(six.last?.range?.hasPrefix("bytes=") == true)
        let file = home.library + "/Show/2026-11-06 Part 6.mp3"
        #expect(Pattern(byteCount: 2_000_000).firstDifference(fromFileAt: file) == nil)
    }

    @Test func `processes that sync at once fetch and delete each file once`() async throws {
        let (server, home) = try await show()
        defer { server.stop() }
        await home.podget("set", "show", "latest", "5")
        await home.podget("set", "show", "keep", "5")
        server.release("/6.mp3")
        let processes = try (1...4).map { _ in try PodgetProcess(["sync", "--json"], home: home.path) }
        for process in processes { #expect(await process.wait() == 0) }
        #expect(mediaRequests(server) == (2...6).map { "/\($0).mp3" })
        #expect(home.mediaFiles().count == 5)

        await home.podget("set", "show", "keep", "2")
        let cleaners = try (1...4).map { _ in try PodgetProcess(["clean", "--json"], home: home.path) }
        for cleaner in cleaners { #expect(await cleaner.wait() == 0) }
        #expect(home.mediaFiles().count == 2)
        struct Why: Decodable {
            struct Event: Decodable { let to: String? }
            let history: [Event]
        }
        let told = try await home.podget("why", "show:all", "--json").json([Why].self)
        let deletions = told.map { $0.history.filter { $0.to == "deleted" }.count }
        #expect(deletions == [0, 0, 1, 1, 1, 0], "each deletion stands in the journal once")
    }

    @Test func `readers never wait for a writer`() async throws {
        let (server, home) = try await show()
        defer { server.stop() }
        let writer = try Connection(path: home.database, access: .readWrite)
        try writer.execute("BEGIN IMMEDIATE; UPDATE feed SET title = 'half-written'")
        // Whoever waited would give up with an error in the end.
        for words in [
            ["feeds"], ["episodes"], ["show", "show"], ["why", "1"], ["storage"], ["status"], ["playlist"],
            ["set", "show"], ["sync", "--dry-run"], ["clean", "--dry-run"], ["doctor"],
        ] {
            let outcome = await home.run(words)
            #expect(outcome.code == .done, "\(words)")
            #expect(outcome.errors.isEmpty, "\(words)")
            #expect(!outcome.output.contains("half-written"))
        }
        try writer.execute("ROLLBACK")
    }

    @Test func `a reader holds up no writer`() async throws {
        let (server, home) = try await show()
        defer { server.stop() }
        server.release("/6.mp3")
        let reader = try Connection(path: home.database, access: .readOnly)
        try reader.execute("BEGIN; SELECT * FROM feed")
        #expect(await home.podget("sync").code == .done)
        #expect(await home.podget("mark", "played", "1").code == .done)
        try reader.execute("COMMIT")
    }
}
