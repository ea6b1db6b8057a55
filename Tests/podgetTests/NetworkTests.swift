import Foundation
import TestServer
import Testing

@testable import podget

/// The network, or a server in it, goes away and comes back.
@Suite(.timeLimit(.minutes(5)))
struct NetworkTests {
    private struct Status: Decodable {
        struct Item: Decodable {
            let verb: String?
            let reason: String?
        }
        let waiting: [Item]
        let failed: [Item]
    }

    private let whole = Reply.pattern(2_000_000, etag: "\"strong\"")
    private let fileName = "Show/2026-11-01 Long.mp3"

    private func isWaiting(_ line: String) -> Bool { line.contains("\"event\":\"waiting\"") }
    private func isProgress(_ line: String) -> Bool { line.contains("\"event\":\"progress\"") }

    private func offerShow(on server: DummyServer, media: DummyServer? = nil) {
        let item = FeedItem(title: "Long", guid: "1", url: (media ?? server).url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
    }

    private func isWhole(_ home: TestHome) -> Bool {
        Pattern(byteCount: 2_000_000).firstDifference(fromFileAt: home.library + "/" + fileName) == nil
    }

    @Test func `a download waits while the server is away, and goes on in the same run`() async throws {
        let server = try DummyServer()
        offerShow(on: server)
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        server.stop()
        #expect(await process.line { isWaiting($0) && $0.contains(" does not answer") } != nil)
        try server.start()
        #expect(await process.wait() == 0)
        #expect(isWhole(home))
        #expect(isResumed(server.requests(to: "/long.mp3"), within: 1_000_000))
    }

    @Test func `a wait is told at once: for what, how long at most, and that nothing is lost`() async throws {
        let server = try DummyServer()
        offerShow(on: server)
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        server.stop()
        let line = await process.line {
            $0.hasPrefix("Waiting: Show: Long: 127.0.0.1:\(server.port) does not answer; ")
        }
        #expect(
            line?.hasSuffix(
                "it goes on as soon as the host answers, and is left to a later sync after 2:00") == true)
        process.send(SIGINT)
        #expect(await process.wait() == 130)
        try server.start()
        #expect(await home.podget("sync").code == .done)
        #expect(isWhole(home))
        #expect(isResumed(server.requests(to: "/long.mp3"), within: 1_000_000))
    }

    @Test func `a process killed while it waits leaves nothing that the next one has to wait for`()
        async throws
    {
        let server = try DummyServer()
        offerShow(on: server)
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        server.stop()
        #expect(await process.line(where: isWaiting) != nil)
        process.send(SIGKILL)
        _ = await process.wait()
        try server.start()
        #expect(await home.podget("sync").code == .done)
        #expect(isWhole(home))
        #expect(server.requests(to: "/long.mp3").count == 2)
    }

    @Test func `a download of a host that is away waits for the next run, and never fails`() async throws {
        let server = try DummyServer()
        let media = try DummyServer()
        offerShow(on: server, media: media)
        media.serve("/long.mp3", whole)
        media.stop()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(synced.errors.contains("podget: Waiting: Show: Long: for the network: "))
        #expect(synced.output.contains("0 files downloaded, 1 download waiting"))
        let status = try await home.podget("status", "--json").json(Status.self)
        #expect(status.failed.isEmpty)
        #expect(status.waiting.first?.reason?.hasPrefix("for the network: ") == true)

        try media.start()
        #expect(await home.podget("sync").code == .done)
        #expect(isWhole(home))
    }

    @Test func `a file that is gone is asked for once, and not again by itself`() async throws {
        let server = try DummyServer()
        offerShow(on: server)
        server.serve(
            "/long.mp3",
            inTurn: [
                whole.with { $0.tearAfter = 1_000_000 }, .status(410), .status(410), .status(404), whole,
            ])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .partly)
        let count = server.requests(to: "/long.mp3").count
        #expect(count == 2)
        for _ in 1...3 { #expect(await home.podget("sync").code == .done) }
        #expect(server.requests(to: "/long.mp3").count == count)
        #expect(await home.podget("download", "show:latest").code == .partly)
        #expect(server.requests(to: "/long.mp3").count == count + 1)
    }

    @Test(.enabled(if: NetworkNamespace.isPossible, "a network of its own needs root and iproute2"))
    func `without a network a download waits, and goes on once the cable is back`() async throws {
        let network = try NetworkNamespace()
        let server = try DummyServer(address: network.outerAddress)
        offerShow(on: server)
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let first = try PodgetProcess(["sync", "--json"], home: home.path, under: network.command)
        #expect(await first.line(where: isProgress) != nil)
        first.send(SIGKILL)
        _ = await first.wait()

        try network.unplug()
        let second = try PodgetProcess(["download", "--json"], home: home.path, under: network.command)
        #expect(await second.line(where: isWaiting) != nil)
        try network.plugIn()
        let back = ContinuousClock.now
        #expect(await second.wait() == 0)
        // The campaign "network" holds the ten seconds that are promised; here other tests take the processors.
        #expect(ContinuousClock.now - back < .seconds(60))
        #expect(isWhole(home))
        #expect(server.requests(to: "/long.mp3").count == 2)
        #expect(server.requests(to: "/long.mp3").last?.range?.hasPrefix("bytes=") == true)
    }

    @Test(.enabled(if: NetworkNamespace.isPossible, "a network of its own needs root and iproute2"))
    func `a cable pulled for a moment costs not even a request`() async throws {
        let network = try NetworkNamespace()
        let server = try DummyServer(address: network.outerAddress)
        offerShow(on: server)
        server.serve("/long.mp3", whole.with { $0.bytesPerSecond = 2_000_000 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync", "--json"], home: home.path, under: network.command)
        #expect(await process.line(where: isProgress) != nil)
        try network.unplug()
        try network.plugIn()
        #expect(await process.wait() == 0)
        #expect(isWhole(home))
        #expect(server.requests(to: "/long.mp3").count == 1)
    }
}
