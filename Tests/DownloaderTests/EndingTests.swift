import Downloader
import TestServer
import Testing

/// When a body counts as complete, and what may never pass for audio.
@Suite(.timeLimit(.minutes(5)))
struct EndingTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private let reply = Reply.pattern(1_000_000, etag: "\"v1\"")

    @Test func `a film torn at 60 percent again and again is never finished`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.failureLimit = 2
        let loop = try TransferLoop(configuration)
        server.serve(
            "/a.mp4",
            inTurn: [
                reply.with { $0.tearAfter = 600_000 }, reply.with { $0.tearAfter = 0 },
            ])
        let story = await loop.run(scratch.request(server.url("/a.mp4")))
        let failure = try #require(story.failure)
        #expect(failure.byteCount == 600_000)
        #expect(failure.expected == .exact(1_000_000))
        #expect(failure.hasResume)
        #expect(scratch.libraryFiles.isEmpty)
    }

    @Test func `chunks with their end are complete, whatever the feed's length says`() async throws {
        server.serve("/a.mp3", reply.with { $0.framing = .chunked })
        var request = scratch.request(server.url("/a.mp3"))
        request.estimatedByteCount = 99
        let finished = try #require(await loop.run(request).finished)
        #expect(finished.byteCount == 1_000_000)
        #expect(finished.isVerified)
    }

    @Test func `chunks without their end are not complete`() async throws {
        server.serve(
            "/a.mp3",
            inTurn: [
                reply.with {
                    $0.framing = .chunkedWithoutEnd
                    $0.tearAfter = 300_000
                }, reply.with { $0.framing = .chunked },
            ])
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == [nil, "bytes=300000-"])
    }

    @Test func `a body that ends by closing is accepted, unverified`() async throws {
        server.serve("/a.mp3", reply.with { $0.framing = .untilClose })
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(finished.byteCount == 1_000_000)
        #expect(!finished.isVerified)
    }

    @Test func `a Content-Length larger than the body is never finished`() async throws {
        server.serve("/a.mp3", reply.with { $0.framing = .claimedLength(1_000_001) })
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect(failure.expected == .exact(1_000_001))
        #expect(scratch.libraryFiles.isEmpty)
    }

    @Test func `a Content-Length smaller than the body is believed to the byte`() async throws {
        server.serve("/a.mp3", reply.with { $0.framing = .claimedLength(999_999) })
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(finished.byteCount == 999_999)
    }

    struct ContentCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let type: String?
        let message: String
    }

    @Test(arguments: [
        ContentCase(
            testDescription: "12 bytes of text", text: "Unauthorized", type: "audio/mpeg",
            message: "not audio: the server sent text"),
        ContentCase(
            testDescription: "a page as audio", text: "<!DOCTYPE html><html>…", type: "audio/mpeg",
            message: "not audio: the server sent a web page"),
        ContentCase(
            testDescription: "JSON", text: "{\"error\":\"expired\"}", type: "application/json",
            message: "not audio: the server sent JSON"),
        ContentCase(
            testDescription: "HLS", text: "#EXTM3U\n#EXT-X-TARGETDURATION:6\n", type: "audio/x-mpegurl",
            message: "not audio: the server sent a playlist"),
        ContentCase(
            testDescription: "nothing", text: "", type: "audio/mpeg",
            message: "not audio: the server sent nothing"),
    ])
    func `a 200 with something else is no download`(_ test: ContentCase) async throws {
        server.serve("/a.mp3", .text(test.text, type: test.type))
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect("\(failure.error)" == test.message)
        #expect(!failure.hasResume)
        #expect(scratch.libraryFiles.isEmpty)
        #expect(scratch.resumeFolder.status(of: "1") == .none)
        #expect(server.requests.count == 1)
    }

    @Test func `a file above the limit is refused at its head`() async throws {
        server.serve("/a.mp3", reply)
        var request = scratch.request(server.url("/a.mp3"))
        request.byteLimit = 999_999
        let failure = try #require(await loop.run(request).failure)
        #expect("\(failure.error)" == "larger than the limit of 0.9 MB")
        #expect(!failure.isTemporary)
    }

    @Test func `an endless stream is stopped at the limit`() async throws {
        server.serve("/live", .pattern(1 << 50).with { $0.framing = .untilClose })
        var request = scratch.request(server.url("/live"))
        request.byteLimit = 3_000_000
        let failure = try #require(await loop.run(request).failure)
        guard case .tooLarge(3_000_000) = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(scratch.resumeFolder.keys().isEmpty)
    }

    @Test(arguments: ["Repr-Digest", "Content-Digest"])
    func `a digest that does not match discards the bytes`(_ field: String) async throws {
        let digest = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        server.serve("/a.mp3", reply.with { $0.headers = [(field, digest)] })
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect("\(failure.error)" == "the sha256 checksum does not match")
        #expect(!failure.hasResume)
        #expect(scratch.libraryFiles.isEmpty)
        #expect(scratch.resumeFolder.status(of: "1") == .none)
    }

    @Test func `a digest that matches verifies a body of unknown size, also over two requests`() async throws
    {
        let pattern = Pattern(byteCount: 1_000_000)
        let digest = try Integrity(sha256Of: pattern.bytes)
        server.serve(
            "/a.mp3",
            inTurn: [
                reply.with {
                    $0.framing = .chunkedWithoutEnd
                    $0.tearAfter = 500_000
                }, reply,
            ])
        var request = scratch.request(server.url("/a.mp3"))
        request.integrity = [digest]
        let finished = try #require(await loop.run(request).finished)
        #expect(finished.isVerified)
        #expect(finished.requestCount == 2)
    }
}
