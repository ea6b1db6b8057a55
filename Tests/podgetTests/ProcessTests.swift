import Foundation
import TestServer
import Testing

@testable import podget

/// What only the real process can show: signals, sudden death, closed pipes.
@Suite(.timeLimit(.minutes(5)))
struct ProcessTests {
    /// A show with one long episode whose first transfer stops in the middle.
    private func stalledShow() throws -> (server: DummyServer, whole: Pattern) {
        let server = try DummyServer()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        let whole = Reply.pattern(2_000_000, etag: "\"strong\"")
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        return (server, Pattern(byteCount: 2_000_000))
    }

    private struct Status: Decodable {
        struct Item: Decodable {
            let bytes: Int64
            let verb: String?
        }
        let owner: Int?
        let active: [Item]
        let queued: [Item]
    }

    private func isProgress(_ line: String) -> Bool { line.contains("\"event\":\"progress\"") }

    @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
    func `whatever ends it, the next sync goes on with one range request`(_ signal: Int32) async throws {
        let (server, whole) = try stalledShow()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))

        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await first.line(where: isProgress) != nil)
        first.send(signal)
        #expect(await first.wait() == (signal == SIGKILL ? -SIGKILL : ExitCode.interrupted.rawValue))
        #expect(home.mediaFiles().isEmpty)
        let status = try await home.podget("status", "--json").json(Status.self)
        #expect(status.owner == nil)
        #expect(status.active.isEmpty)
        #expect(status.queued.map(\.verb) == ["resume"])
        #expect(status.queued.allSatisfy { $0.bytes > 0 })

        let second = await home.podget("sync")
        #expect(second.code == .done)
        let requests = server.requests(to: "/long.mp3")
        #expect(requests.count == 2)
        #expect(requests.last?.range?.hasPrefix("bytes=") == true)
        #expect(requests.last?.range != "bytes=0-")
        #expect(home.mediaFiles() == ["Show/2026-11-01 Long.mp3"])
        #expect(whole.firstDifference(fromFileAt: home.library + "/Show/2026-11-01 Long.mp3") == nil)
    }

    @Test func `a stalled download and a host that is away cost no processor time`() async throws {
        let (server, _) = try stalledShow()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await process.line(where: isProgress) != nil)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        #expect(try await processorShare(of: process) < 0.1)

        server.stop()
        #expect(await process.line { $0.contains(" does not answer") } != nil)
        #expect(try await processorShare(of: process) < 0.1)
        process.send(SIGKILL)
        _ = await process.wait()
    }

    /// The part of one processor that a process takes, over a second and a half.
    private func processorShare(of process: PodgetProcess) async throws -> Double {
        // What came before, such as the last bytes, may still be under way.
        try await Task.sleep(for: .milliseconds(300))
        let (before, start) = (try processorTime(process.id), ContinuousClock.now)
        try await Task.sleep(for: .milliseconds(1500))
        return (try processorTime(process.id) - before) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// Seconds of processor time that a process has taken so far (proc(5), fields utime and stime).
    private func processorTime(_ id: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func `a closed pipe ends it quietly`() async throws {
        let home = try TestHome()
        let items = (1...20).map { FeedItem(title: "Part \($0)", guid: "\($0)", url: "x.mp3", day: $0) }
        await home.podget("subscribe", try home.write(feed("Show", items), to: "feed.xml"))
        let process = try PodgetProcess(["episodes"], home: home.path, readsOutput: false)
        #expect(await process.wait() == 0)
        #expect(await process.errorText() == "")
    }

    @Test func `closed standard descriptors become no file of ours, and lost output is told`() async throws {
        let server = try DummyServer()
        server.serve(
            "/feed.xml",
            .feed(feed("Show", [FeedItem(title: "Part", guid: "1", url: server.url("/1.mp3"), day: 1)])))
        server.serve("/1.mp3", .pattern(2_000_000, etag: "\"1\"").with { $0.stallAfter = 1_000_000 })
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(
            ["sync", "--verbose"], home: home.path, under: ["sh", "-c", "exec \"$@\" <&- >&-", "sh"])
        await server.waitForBodyBytes(1_000_000, on: "/1.mp3")
        for descriptor in 0...1 {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process.id)/fd/\(descriptor)")
            #expect(target == "/dev/null")
        }
        server.release("/1.mp3")
        #expect(await process.wait() == ExitCode.failed.rawValue)
        #expect(await process.errorText() == "podget: cannot write the output: Bad file descriptor\n")
        #expect(home.mediaFiles().count == 1)
    }

    @Test func `a second sync follows the first and fetches nothing twice`() async throws {
        let (server, whole) = try stalledShow()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await first.line(where: isProgress) != nil)
        let second = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await second.line { $0.contains("\"event\":\"following\"") } != nil)
        server.release("/long.mp3")
        #expect(await first.wait() == 0)
        #expect(await second.wait() == 0)
        #expect(server.requests(to: "/long.mp3").count == 1)
        #expect(whole.firstDifference(fromFileAt: home.library + "/Show/2026-11-01 Long.mp3") == nil)
    }
}
