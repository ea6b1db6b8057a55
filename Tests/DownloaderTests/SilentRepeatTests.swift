import Downloader
import TestServer
import Testing

/// The failure from practice: a large file begun again at zero, byte for byte, without a word.
@Suite(.timeLimit(.minutes(5)))
struct SilentRepeatTests {
    @Test func `seven tears of 200 MB cost not one byte twice`() async throws {
        let scratch = try Scratch()
        let server = try DummyServer()
        let loop = try TransferLoop(.quick)
        let size: Int64 = 200_000_000
        let tears: [Int64] = [1, 30_000_000, 511, 64_000_001, 12_345_678, 40_000_000, 7_000_000]
        let reply = Reply.pattern(size, etag: "\"film\"")
        server.serve("/film.mp4") { _, count in
            count <= tears.count ? reply.with { $0.tearAfter = tears[count - 1] } : reply
        }
        let story = await loop.run(scratch.request(server.url("/film.mp4")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(finished.requestCount == tears.count + 1)
        #expect(finished.restartCount == 0)
        // What libcurl had in its buffer when the connection broke is all that may be asked for again.
        let buffer: Int64 = 512 << 10
        #expect(server.bodyByteCount(on: "/film.mp4") <= size + Int64(tears.count) * buffer)
        let starts = server.requests.map { Int64($0.range?.dropFirst(6).dropLast() ?? "0") ?? -1 }
        #expect(starts == starts.sorted())
        #expect(starts.dropFirst(2).allSatisfy { $0 > 0 })
    }
}
