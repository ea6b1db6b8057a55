import Foundation
import TestServer
import Testing

@testable import podget

/// `status --watch`: a second process looks on while the first downloads.
@Suite(.timeLimit(.minutes(5)))
struct StatusWatchTests {
    /// A show whose episode stalls in the middle.
    private func show() throws -> DummyServer {
        let server = try DummyServer()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        server.serve("/long.mp3", .pattern(2_000_000, etag: "\"1\"").with { $0.stallAfter = 1_000_000 })
        return server
    }

    private struct Status: Decodable {
        struct Item: Decodable {
            let title: String
            let bytes: Int64
        }
        let owner: Int32?
        let active: [Item]
    }

    @Test func `one JSON object a line, with the bytes on the disk, until the queue is empty`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        let second = try PodgetProcess(["status", "--json", "--follow"], home: home.path)
        // No row tells of them: the transfer stalls before the next one is due.
        let line = try #require(await second.line { $0.contains("1000000") })
        let status = try JSONDecoder().decode(Status.self, from: Data(line.utf8))
        #expect(status.owner == first.id)
        #expect(status.active.map(\.title) == ["Long"])
        server.release("/long.mp3")
        #expect(await first.wait() == 0)
        #expect(await second.wait() == 0)
    }

    @Test func `without a terminal there is a line for each download that ends`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        let second = try PodgetProcess(["status", "--watch", "--verbose"], home: home.path)
        #expect(await second.line { $0 == "1 download running, 0 queued" } != nil)
        #expect(await second.line { $0 == "Downloading Show: Long" } != nil)
        server.release("/long.mp3")
        #expect(await first.wait() == 0)
        #expect(await second.line { $0 == "Downloaded Show: Long (2 MB)" } != nil)
        #expect(await second.line { $0 == "Nothing is downloading now" } != nil)
        #expect(await second.wait() == 0)
    }

    @Test func `it ends when the process that downloads has died`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        let second = try PodgetProcess(["status", "--json", "--follow"], home: home.path)
        #expect(await second.line { $0.contains("\"active\":[{") } != nil)
        first.send(SIGKILL)
        #expect(await second.wait() == 0)
        #expect(await first.wait() == -SIGKILL)
    }

    @Test func `with nothing to follow it ends at once`() async throws {
        let home = try TestHome()
        #expect(await home.podget("status", "--watch").output == "Nothing is queued\n")
        await home.podget("subscribe", try home.write(feed("Show", []), to: "feed.xml"))
        #expect(await home.podget("status", "--watch").output == "Nothing is downloading now\n")
    }

    @Test(.enabled(if: TerminalSession.isInstalled, "tmux is not installed"))
    func `on a terminal it shows the line of the transfer`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        let terminal = try await TerminalSession(
            "\(builtPodget) status --watch; echo ended $?", columns: 80, variables: ["PODGET_HOME": home.path]
        )
        try await terminal.waitForScreen {
            $0.count == 2 && $0[0].hasPrefix("Show: Long ") && $0[0].contains("[=====")
                && $0[0].contains("1 MB / 2 MB") && $0[1].hasPrefix("Total: 1 running")
        }
        server.release("/long.mp3")
        let ended = try await terminal.waitForScreen { $0.last == "ended 0" }
        #expect(ended == ["Downloaded Show: Long (2 MB)", "Nothing is downloading now", "ended 0"])
        #expect(await first.wait() == 0)
    }
}
