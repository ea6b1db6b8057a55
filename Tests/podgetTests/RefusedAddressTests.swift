import TestServer
import Testing

@testable import podget

/// A server that refuses the address that the feed gave some time ago.
@Suite(.timeLimit(.minutes(5)))
struct RefusedAddressTests {
    private func offer(_ token: String, count: Int = 2, on server: DummyServer) {
        let items = (1...count).map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)", url: server.url("/\(number).mp3?token=\(token)"),
                day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
    }

    /// Gives out the files for one token only.
    private func guardFiles(_ token: String, status: Int, on server: DummyServer) {
        server.serveOtherPaths { request, _ in
            request.target.hasSuffix("token=\(token)") ? .pattern(100_000, etag: "\"v1\"") : .status(status)
        }
    }

    @Test(arguments: [401, 403, 404])
    func `an expired token costs one refresh of the feed and one more request`(_ status: Int) async throws {
        let server = try DummyServer()
        let home = try TestHome()
        offer("old", on: server)
        guardFiles("new", status: status, on: server)
        await home.podget("subscribe", server.url("/feed.xml"))
        offer("new", on: server)
        server.clearLog()
        #expect(await home.podget("download", "show:all").code == .done)
        #expect(home.mediaFiles().count == 2)
        #expect(server.requests(to: "/feed.xml").count == 1)
        for number in 1...2 {
            #expect(
                server.requests(to: "/\(number).mp3").map(\.target) == [
                    "/\(number).mp3?token=old", "/\(number).mp3?token=new",
                ])
        }
    }

    @Test func `a new address that is refused too ends it`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        offer("old", count: 1, on: server)
        guardFiles("none", status: 403, on: server)
        await home.podget("subscribe", server.url("/feed.xml"))
        offer("new", count: 1, on: server)
        #expect(await home.podget("download", "show:latest").code == .partly)
        #expect(server.requests(to: "/1.mp3").count == 2)
        #expect(server.requests(to: "/feed.xml").count == 2)
    }

    @Test func `an address that has not changed is not asked for again`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        offer("old", count: 1, on: server)
        guardFiles("none", status: 403, on: server)
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("download", "show:latest").code == .partly)
        #expect(server.requests(to: "/1.mp3").count == 1)
    }
}
