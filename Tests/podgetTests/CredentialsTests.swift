import TestServer
import Testing

@testable import podget

/// Names and passwords go to the feed's own host and nowhere else.
@Suite(.timeLimit(.minutes(5)))
struct CredentialsTests {
    /// A show whose feed and first file ask for a password; the second file lies on another host.
    private func show() throws -> DummyServer {
        let server = try DummyServer(hostCount: 2)
        let addresses = [server.url("/1.mp3"), server.url("/2.mp3", host: "127.0.0.2"), server.url("/3.mp3")]
        let items = zip(1..., addresses).map { number, url in
            FeedItem(title: "Part \(number)", guid: "\(number)", url: url, day: number)
        }
        server.serve("/feed.xml", Reply.feed(feed("Show", items)).with { $0.basicAuth = "ann:secret" })
        server.serve("/1.mp3", .pattern(50_000).with { $0.basicAuth = "ann:secret" })
        server.serve("/2.mp3", .pattern(50_000))
        server.serve("/3.mp3", .redirect(to: server.url("/elsewhere.mp3", host: "127.0.0.2")))
        server.serve("/elsewhere.mp3", .pattern(50_000))
        return server
    }

    private func expectDiscretion(_ server: DummyServer, _ home: TestHome) async {
        #expect(home.mediaFiles().count == 3)
        #expect(server.requests(to: "/1.mp3").last?.headers["authorization"] != nil)
        for path in ["/2.mp3", "/elsewhere.mp3"] {
            #expect(server.requests(to: path).count == 1)
            #expect(server.requests(to: path).allSatisfy { $0.headers["authorization"] == nil })
        }
        for words in ["feeds", "episodes", "status", "storage"] {
            #expect(await !home.podget(words, "--json").output.contains("secret"))
        }
    }

    @Test func `credentials in the feed's address are used for its files on the same host`() async throws {
        let server = try show()
        let home = try TestHome()
        let address = server.url("/feed.xml").replacing("http://", with: "http://ann:secret@")
        #expect(await home.podget("subscribe", "--latest", "3", address).code == .done)
        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        #expect(!synced.output.contains("secret"))
        await expectDiscretion(server, home)
    }

    @Test func `credentials of a netrc file are used for the host they are for`() async throws {
        let server = try show()
        let home = try TestHome()
        try home.write("machine 127.0.0.1 login ann password secret\n", to: ".netrc")
        let address = server.url("/feed.xml")
        #expect(
            try await PodgetProcess(["subscribe", "--latest", "3", address], home: home.path).wait() == 0)
        #expect(try await PodgetProcess(["sync"], home: home.path).wait() == 0)
        await expectDiscretion(server, home)
    }

    @Test func `without credentials the refusal is told`() async throws {
        let server = try show()
        let home = try TestHome()
        let outcome = await home.podget("subscribe", server.url("/feed.xml"))
        #expect(outcome.code == .failed)
        #expect(outcome.errors.contains("401"))
    }
}
