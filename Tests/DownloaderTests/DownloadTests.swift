import Downloader
import TestServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    @Test func `a whole file arrives byte for byte, under its name and with one request`() async throws {
        server.serve("/a.mp3", .pattern(3_000_000, etag: "\"v1\""))
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(finished.path == scratch.library + "/episode 1.mp3")
        #expect(finished.byteCount == 3_000_000)
        #expect(finished.isVerified)
        #expect(finished.container == .mp3)
        #expect(Pattern(byteCount: 3_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.range == nil)
        #expect(story.starts.first?.expected == .exact(3_000_000))
    }

    @Test(arguments: [0.5, 0.99])
    func `a torn transfer goes on with one range request`(_ part: Double) async throws {
        let tear = Int64(2_000_000 * part)
        let reply = Reply.pattern(2_000_000, etag: "\"v1\"")
        server.serve("/a.mp3", inTurn: [reply.with { $0.tearAfter = tear }, reply])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished)
        #expect(Pattern(byteCount: 2_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == [nil, "bytes=\(tear)-"])
        #expect(server.requests.last?.headers["if-range"] == "\"v1\"")
        #expect(server.bodyByteCount(on: "/a.mp3") == 2_000_000)
        #expect(finished.requestCount == 2)
        #expect(finished.restartCount == 0)
        #expect(finished.bodyByteCount == 2_000_000)
    }
}
