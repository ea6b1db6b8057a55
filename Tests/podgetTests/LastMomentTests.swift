import Foundation
import TestServer
import Testing

@testable import podget

/// What other hands do while podget works, at the worst moment.
@Suite(.timeLimit(.minutes(5)))
struct LastMomentTests {
    private func show(_ reply: Reply) throws -> DummyServer {
        let server = try DummyServer()
        let item = FeedItem(title: "Part", guid: "1", url: server.url("/1.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        server.serve("/1.mp3", reply)
        return server
    }

    @Test(arguments: [["delete", "1"], ["unsubscribe", "--delete-files", "show"], ["cancel", "1"]])
    func `what is deleted while its last bytes come does not come back`(_ words: [String]) async throws {
        let server = try show(.pattern(600_000, etag: "\"1\"").with { $0.stallAfter = 599_999 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = try PodgetProcess(["sync"], home: home.path)
        await server.waitForBodyBytes(599_999, on: "/1.mp3")
        #expect(await home.run(words).code == .done)
        server.release("/1.mp3")
        #expect(await sync.wait() >= 0)
        #expect(home.mediaFiles().isEmpty)
        #expect(await home.podget("episodes", "--state", "done").output.contains("Part") == false)
    }

    @Test func `an emptied database is not taken for a new one`() async throws {
        let server = try show(.pattern(10_000, etag: "\"1\""))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        for name in ["podget.db", "podget.db-wal", "podget.db-shm"] {
            let path = home.path + "/data/" + name
            if FileManager.default.fileExists(atPath: path) { #expect(truncate(path, 0) == 0) }
        }
        for command in ["feeds", "sync", "episodes"] {
            let outcome = await home.podget(command)
            #expect(outcome.code == .failed)
            #expect(outcome.errors.contains("podget doctor --repair"))
        }
        #expect(await home.podget("doctor", "--repair").code != .usage)
        #expect(await home.podget("feeds").output.contains("Show"))
    }

    @Test func `a link in the place of the partial file is not published`() async throws {
        let server = try show(.pattern(600_000, etag: "\"1\"").with { $0.stallAfter = 300_000 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await sync.line { $0.contains("\"event\":\"progress\"") } != nil)
        let part = home.resumeFolder + "/1.part"
        try FileManager.default.removeItem(atPath: part)
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/etc/hostname")
        server.release("/1.mp3")
        #expect(await sync.wait() == 0)
        let file = try #require(home.mediaFiles().first)
        #expect(Pattern(byteCount: 600_000).firstDifference(fromFileAt: home.library + "/" + file) == nil)
    }

    @Test(arguments: [1_000, 255_000])
    func `a part that ends before its range does is no whole`(_ count: Int64) async throws {
        let whole = Reply.pattern(400_000, etag: "\"1\"").with { $0.framing = .chunked }
        let torn = whole.with { $0.tearAfter = 150_000 }
        let short = whole.with {
            $0.ranges = .unknownTotal
            $0.tearAfter = nil
        }
        let server = try show(whole)
        // The second answer claims the whole rest, and brings less of it in a well-formed body.
        let bytes = Array(Pattern(byteCount: 400_000).bytes[150_000..<Int(150_000 + min(count, 249_000))])
        let lie = Reply.bytes(bytes, type: "audio/mpeg").with {
            $0.status = 206
            $0.etag = "\"1\""
            $0.framing = .chunked
            $0.headers = [("Content-Range", "bytes 150000-399999/*")]
        }
        server.serve("/1.mp3", inTurn: [torn, lie, short])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        await home.podget("sync")
        for file in home.mediaFiles() {
            #expect(Pattern(byteCount: 400_000).firstDifference(fromFileAt: home.library + "/" + file) == nil)
        }
    }

    @Test func `a fast server brings nothing beyond the storage limit into the library`() async throws {
        let server = try show(.pattern(2_000_000, etag: "\"1\""))
        let item = FeedItem(title: "Part", guid: "1", url: server.url("/1.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item]).replacing(#" length="1000""#, with: "")))
        let home = try TestHome()
        try home.write("{ storageLimit: '50 kB' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let asked = await home.podget("download", "show:all")
        #expect(asked.code == .partly)
        #expect(asked.errors.contains("no room within the storage limit"))
        #expect(home.mediaFiles().isEmpty)
    }

    @Test func `what was promised to resume resumes, also after a refusal`() async throws {
        let whole = Reply.pattern(400_000, etag: "\"1\"")
        let server = try show(whole)
        server.serve(
            "/1.mp3", inTurn: [whole.with { $0.tearAfter = 150_000 }, .status(403), whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let failed = await home.podget("sync")
        #expect(failed.errors.contains("'podget retry 1' resumes there"))
        #expect(await home.podget("retry", "1").code == .done)
        #expect(server.requests(to: "/1.mp3").last?.range == "bytes=150000-")
        #expect(home.mediaFiles().count == 1)
    }

    @Test func `processes that change settings at once lose none`() async throws {
        let home = try TestHome()
        await home.podget("config", "latest", "1")
        let changes = [
            ["config", "latest", "7"], ["config", "keep", "30d"], ["config", "exclude", "rerun"],
            ["config", "transfers", "2"], ["config", "minDuration", "5m"], ["config", "order", "oldest"],
        ]
        let processes = try changes.map { try PodgetProcess($0, home: home.path) }
        for process in processes { #expect(await process.wait() == 0) }
        let file = try home.read(home.path + "/config.json5")
        for key in ["latest", "keep", "exclude", "transfers", "minDuration", "order"] {
            #expect(file.contains(key), "\(key) is lost")
        }
    }
}
