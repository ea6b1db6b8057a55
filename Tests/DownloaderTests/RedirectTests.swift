import Downloader
import TestServer
import Testing

/// Redirects, schemes and secrets.
@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private let reply = Reply.pattern(1_000_000, etag: "\"v1\"")

    @Test func `every attempt starts at the original address, for the last hop's signature expires`()
        async throws
    {
        server.serve("/track/a.mp3") { [server] _, count in
            .redirect(to: server.url("/signed/a.mp3?sig=\(count)"))
        }
        server.serve("/signed/a.mp3?sig=1", reply.with { $0.tearAfter = 400_000 })
        server.serve("/signed/a.mp3?sig=2", reply)
        let finished = try #require(await loop.run(scratch.request(server.url("/track/a.mp3"))).finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(
            server.requests.map(\.target) == [
                "/track/a.mp3", "/signed/a.mp3?sig=1", "/track/a.mp3", "/signed/a.mp3?sig=2",
            ])
        #expect(server.requests.last?.range == "bytes=400000-")
    }

    @Test func `six hops are followed`() async throws {
        for hop in 1...6 { server.serve("/\(hop)", .redirect(to: "/\(hop + 1)")) }
        server.serve("/7", reply)
        let finished = try #require(await loop.run(scratch.request(server.url("/1"))).finished)
        #expect(finished.byteCount == 1_000_000)
    }

    @Test func `a loop ends with an error, after few requests and for good`() async throws {
        server.serve("/a", .redirect(to: "/b"))
        server.serve("/b", .redirect(to: "/a"))
        let failure = try #require(await loop.run(scratch.request(server.url("/a"))).failure)
        guard case .tooManyRedirects = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(!failure.isTemporary)
        #expect(server.requests.count == 11)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/a.mp3", "gopher://127.0.0.1:70/", "scp://127.0.0.1/a",
    ])
    func `a redirect to another scheme is refused`(_ location: String) async throws {
        server.serve("/a.mp3", .redirect(to: location))
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        guard case .refusedProtocol = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(!failure.isTemporary)
        #expect(scratch.libraryFiles.isEmpty)
    }

    @Test(arguments: ["ftp://127.0.0.1/a.mp3", "gopher://127.0.0.1/", "pop3://127.0.0.1/"])
    func `a request for another scheme is refused`(_ url: String) async throws {
        let failure = try #require(await loop.run(scratch.request(url)).failure)
        guard case .refusedProtocol = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
    }

    @Test(arguments: ["", "no address", "http://", "http://[::1/a", "http://a b/"])
    func `what is no address is told so`(_ url: String) async throws {
        let failure = try #require(await loop.run(scratch.request(url)).failure)
        guard case .invalidURL = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(!failure.isTemporary)
    }

    @Test func `credentials go again to the same host and to no other`() async throws {
        let other = try DummyServer()
        server.serve("/start", .redirect(to: "/again"))
        server.serve("/again", .redirect(to: other.url("/a.mp3", host: "localhost")))
        other.serve("/a.mp3", reply)
        var request = scratch.request(server.url("/start"))
        request.credentials = Credentials(user: "me", password: "secret")
        #expect(await loop.run(request).finished != nil)
        #expect(
            server.requests.map { $0.headers["authorization"] } == [
                "Basic bWU6c2VjcmV0", "Basic bWU6c2VjcmV0",
            ])
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test func `credentials in an address are used, and neither written nor told`() async throws {
        server.serve(
            "/a.mp3",
            inTurn: [
                reply.with {
                    $0.basicAuth = "me:secret"
                    $0.tearAfter = 5000
                }, .status(403),
            ])
        let url = "http://me:secret@127.0.0.1:\(server.port)/a.mp3?token=hidden"
        let story = await loop.run(scratch.request(url))
        let failure = try #require(story.failure)
        #expect(server.requests.first?.headers["authorization"] == "Basic bWU6c2VjcmV0")
        #expect(!"\(failure.error)".contains("secret"))
        #expect(!"\(failure.error)".contains("hidden"))
        let record = try #require(scratch.bytes(scratch.resumeFolder.path + "/1.json"))
        #expect(!String(decoding: record, as: UTF8.self).contains("secret"))
    }

    @Test func `no text of credentials shows them`() {
        let credentials = Credentials(user: "me", password: "secret")
        var request = DocumentRequest(url: "http://h/")
        request.credentials = credentials
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\(request)", dumped] {
            #expect(!text.contains("secret"))
        }
    }

    @Test func `an address with blanks and umlauts is asked for encoded`() async throws {
        server.serve("/gr%C3%BC%C3%9Fe%20an%20alle.mp3", reply)
        let url = server.url("/grüße an alle.mp3")
        #expect(await loop.run(scratch.request(url)).finished != nil)
    }
}
