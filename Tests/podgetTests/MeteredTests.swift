import Foundation
import TestServer
import Testing

@testable import podget

/// `metered = wait`, with a mock of NetworkManager on a bus of its own.
@Suite(.timeLimit(.minutes(5)), .enabled(if: PrivateBus.isInstalled, "needs dbus and python3-dbusmock"))
struct MeteredTests {
    private struct Status: Decodable {
        struct Item: Decodable {
            let title: String
            let bytes: Int64
            let reason: String?
        }
        let waiting: [Item]
    }

    private func show(_ reply: Reply) throws -> DummyServer {
        let server = try DummyServer()
        let items = (1...2).map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)", url: server.url("/\(number).mp3"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...2 { server.serve("/\(number).mp3", reply) }
        return server
    }

    private func podget(_ words: String..., home: TestHome, bus: PrivateBus) throws -> PodgetProcess {
        try PodgetProcess(words, home: home.path, variables: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    }

    @Test func `automatic downloads wait, and what is asked for by hand does not`() async throws {
        let server = try show(.pattern(100_000, etag: "\"v1\""))
        let home = try TestHome()
        let bus = try PrivateBus()
        try bus.startManager(metered: 1)
        try home.write("{ metered: 'wait' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))

        let held = try podget("sync", home: home, bus: bus)
        #expect(
            await held.line { $0 == "Waiting: Show: Part 2: for a connection that is not metered" } != nil)
        #expect(await held.wait() == 0)
        #expect(server.requests.map(\.path) == ["/feed.xml", "/feed.xml"])
        let status = try await home.podget("status", "--json").json(Status.self)
        #expect(status.waiting.map(\.reason) == ["for a connection that is not metered"])

        #expect(try await podget("download", "1", home: home, bus: bus).wait() == 0)
        #expect(home.mediaFiles() == ["Show/2026-11-01 Part 1.mp3"])
        #expect(server.requests(to: "/2.mp3").isEmpty)

        try bus.setMetered(2)
        #expect(try await podget("sync", home: home, bus: bus).wait() == 0)
        #expect(home.mediaFiles() == ["Show/2026-11-01 Part 1.mp3", "Show/2026-11-02 Part 2.mp3"])
    }

    @Test func `a connection that becomes metered stops automatic downloads, with their bytes kept`()
        async throws
    {
        let whole = Reply.pattern(10_000_000, etag: "\"v1\"")
        let server = try show(whole.with { $0.bytesPerSecond = 500_000 })
        let home = try TestHome()
        let bus = try PrivateBus()
        try bus.startManager(metered: 4)
        try home.write("{ metered: 'wait' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try podget("sync", "--json", home: home, bus: bus)
        #expect(await process.line { $0.contains("\"event\":\"progress\"") } != nil)
        try bus.setMetered(3)
        #expect(await process.line { $0.contains("\"event\":\"postponed\"") } != nil)
        #expect(await process.wait() == 0)
        let waiting = try #require(
            try await home.podget("status", "--json").json(Status.self).waiting.first)
        #expect(waiting.bytes > 0 && waiting.bytes < 10_000_000)

        server.serve("/2.mp3", whole)
        try bus.setMetered(2)
        #expect(try await podget("sync", home: home, bus: bus).wait() == 0)
        #expect(server.requests(to: "/2.mp3").last?.range?.hasPrefix("bytes=") == true)
        let file = home.library + "/Show/2026-11-02 Part 2.mp3"
        #expect(Pattern(byteCount: 10_000_000).firstDifference(fromFileAt: file) == nil)
    }

    @Test func `without NetworkManager nothing is metered`() async throws {
        let server = try show(.pattern(100_000))
        let home = try TestHome()
        let bus = try PrivateBus()
        try home.write("{ metered: 'wait' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(try await podget("sync", home: home, bus: bus).wait() == 0)
        #expect(home.mediaFiles() == ["Show/2026-11-02 Part 2.mp3"])
    }
}
