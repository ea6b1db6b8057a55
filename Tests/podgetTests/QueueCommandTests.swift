import Foundation
import TestServer
import Testing

@testable import podget

/// Pause, resume, retry and cancel, from a process other than the one that downloads.
@Suite(.timeLimit(.minutes(5)))
struct QueueCommandTests {
    private struct Row: Decodable {
        let title: String
        let state: String
        let verb: String?
        let bytes: Int64?
    }

    private func rows(_ home: TestHome) async throws -> [Row] {
        try await home.podget("episodes", "--json").json([Row].self)
    }

    /// A show of two episodes; the first transfer of the newest stalls in the middle.
    private func show() throws -> DummyServer {
        let server = try DummyServer()
        let items = [2, 1].map {
            FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        let whole = Reply.pattern(2_000_000, etag: "\"strong\"")
        server.serve("/2.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        server.serve("/1.mp3", .pattern(50_000))
        return server
    }

    @Test func `a stalled transfer is paused from outside and resumed with one range request`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        try await home.waitForPartials()
        #expect(
            await home.podget("pause").output
                == "Paused Show: Part 2\n'podget resume' goes on with it\n")
        #expect(await first.line { $0.contains("\"event\":\"stopped\"") }?.contains("\"paused\"") == true)
        #expect(await first.wait() == 0)
        #expect(try await rows(home).map(\.state) == ["paused", "none"])
        #expect(try await rows(home).first?.verb == "resume")
        #expect((1...1_000_000).contains(try await rows(home).first?.bytes ?? 0))

        // No sync goes on with it.
        #expect(await home.podget("sync").code == .done)
        #expect(server.requests(to: "/2.mp3").count == 1)
        let resumed = await home.podget("resume")
        #expect(resumed.code == .done)
        #expect(resumed.output.contains("Downloaded Show: Part 2"))
        #expect(isResumed(server.requests(to: "/2.mp3"), within: 1_000_000))
        #expect(await home.podget("resume").output == "Nothing was paused or interrupted\n")
    }

    @Test func `a stalled transfer that is paused and resumed at once goes on`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        try await home.waitForPartials()
        await home.podget("pause")
        #expect(await home.podget("resume").code == .done)
        #expect(await first.wait() == 0)
        #expect(isResumed(server.requests(to: "/2.mp3"), within: 1_000_000))
        #expect(home.mediaFiles() == ["Show/2026-11-02 Part 2.mp3"])
    }

    @Test func `what is paused while it is queued does not start`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        try home.write("{ transfers: 1 }", to: "config.json5")
        let first = try PodgetProcess(["download", "show:all", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        #expect(
            await home.podget("pause", "1").output
                == "Paused Show: Part 1\n'podget resume' goes on with it\n")
        server.release("/2.mp3")
        #expect(await first.wait() == ExitCode.partly.rawValue)
        #expect(server.requests(to: "/1.mp3").isEmpty)
        #expect(try await rows(home).map(\.state) == ["done", "paused"])
    }

    @Test func `what another process queues starts at once in the process that downloads`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        let second = await home.podget("download", "1")
        #expect(second.code == .done)
        #expect(second.output.contains("Downloaded Show: Part 1"))
        #expect(try await rows(home).map(\.state) == ["active", "done"])
        server.release("/2.mp3")
        #expect(await first.wait() == 0)
        #expect(server.requests(to: "/1.mp3").count == 1)
    }

    @Test func `a cancelled transfer stops and leaves no byte`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        #expect(await home.podget("cancel", "show:latest").output == "Cancelled Show: Part 2\n")
        #expect(await first.line { $0.contains("\"event\":\"stopped\"") } != nil)
        #expect(await first.wait() == 0)
        #expect(try await rows(home).map(\.state) == ["none", "none"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
        #expect(home.mediaFiles().isEmpty)
    }

    @Test(arguments: ["pause", "cancel"])
    func `a download that was asked for and is stopped elsewhere is not told as done`(_ command: String)
        async throws
    {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["download", "show:latest"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        #expect(await home.podget(command, "show:latest").code == .done)
        #expect(await first.wait() == ExitCode.partly.rawValue)
        #expect(await first.errorText() == "podget: 1 download of 1 paused or cancelled meanwhile\n")
    }

    @Test func `cancelling a paused download removes its partial file`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        try await home.waitForPartials()
        await home.podget("pause")
        #expect(await sync.value.code == .done)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
        await home.podget("cancel", "2")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
        #expect(await home.podget("cancel").output == "Nothing runs, waits or is paused\n")
    }

    @Test func `cancel without names takes what is paused too, and names what failed`() async throws {
        let server = try show()
        server.serve("/1.mp3", .status(404))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"), "--latest", "2")
        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        try await home.waitForPartials()
        await home.podget("pause", "2")
        #expect(await sync.value.code == .partly)
        #expect(await home.podget("cancel").output == "Cancelled Show: Part 2\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
        #expect(try await rows(home).map(\.state) == ["none", "failed"])
        #expect(
            await home.podget("cancel").output
                == "Nothing runs, waits or is paused; 1 failed: 'podget cancel EPISODE' drops one, "
                + "'podget retry' tries again\n")
        #expect(await home.podget("cancel", "1").output == "Cancelled Show: Part 1\n")
        #expect(await home.podget("cancel").output == "Nothing runs, waits or is paused\n")
    }

    @Test func `a failed download is tried again by retry`() async throws {
        let server = try show()
        server.serve("/2.mp3", inTurn: [.status(404), .pattern(2_000_000)])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .partly)
        #expect(
            await home.podget("resume").output
                == "Nothing was paused or interrupted; 1 download failed: 'podget retry' tries again\n")
        #expect(await home.podget("retry").code == .done)
        #expect(home.mediaFiles() == ["Show/2026-11-02 Part 2.mp3"])
        #expect(await home.podget("retry").output == "Nothing has failed\n")
    }

    @Test func `an action that does not fit says what the episode is`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let outcome = await home.podget("pause", "1")
        #expect(
            outcome.errors == "podget: Show: Part 1 is not in the queue; 'podget download 1' fetches it\n")
        #expect(outcome.output.isEmpty)
        #expect(outcome.code == .done)
    }

    @Test func `pause says what is paused already, and what a later sync still fetches`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"), "--latest", "2")
        #expect(await home.podget("pause").output == "Nothing runs or waits\n")
        try home.write("{ transfers: 1 }", to: "config.json5")
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/2.mp3")
        #expect(
            await home.podget("pause").output
                == "Paused Show: Part 2\nPaused Show: Part 1\n'podget resume' goes on with them\n")
        #expect(await first.wait() == 0)
        #expect(
            await home.podget("pause").output == "2 paused already; 'podget resume' goes on with them\n")
        #expect(await home.podget("pause", "--json").output == "[\n\n]\n")
        let named = await home.podget("pause", "1")
        #expect(
            named.errors == "podget: Show: Part 1 is paused already; 'podget resume 1' goes on with it\n")

        // What pause concerns is what there was.
        let items = [3, 2, 1].map {
            FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        server.serve("/3.mp3", .pattern(50_000))
        #expect(await home.podget("sync").code == .done)
        #expect(try await rows(home).map(\.state) == ["done", "paused", "paused"])
        let help = await home.podget("pause", "--help").output
        #expect(help.contains("new episodes that a later sync wants are still fetched"))
        #expect(!help.contains("everything that was") && !help.contains("stops everything"))
    }
}
