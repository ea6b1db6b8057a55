import Foundation
import TestServer
import Testing

@testable import Downloader

/// Sizes beyond 32 bits; the file is sparse, so that the test takes neither time nor space.
@Suite(.timeLimit(.minutes(5)))
struct LargeFileTests {
    private let start: Int64 = (4 << 30) - 100_000
    private let whole = Pattern(byteCount: (4 << 30) + 1_000_000)

    @Test func `a file over 4 GiB is resumed below and beyond 4 GiB`() async throws {
        let scratch = try Scratch()
        let server = try DummyServer()
        let reply = Reply.pattern(whole.byteCount, etag: "\"v1\"")
        server.serve("/film.mp3", inTurn: [reply.with { $0.tearAfter = 300_000 }, reply])
        try makeSparsePartial(scratch, url: server.url("/film.mp3"))

        let loop = try TransferLoop(.quick)
        let story = await loop.run(scratch.request(server.url("/film.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure?.error))")
        #expect(server.requests.map(\.range) == ["bytes=\(start)-", "bytes=\(start + 300_000)-"])
        #expect(server.bodyByteCount(on: "/film.mp3") == whole.byteCount - start)
        #expect(finished.byteCount == whole.byteCount)
        #expect(finished.isVerified)
        #expect(story.progress.allSatisfy { $0.expected == .exact(whole.byteCount) })
        #expect(try tail(of: finished.path) == tail(from: start))
    }

    /// Leaves what an earlier run would have left, but for the bytes between the first and the last ones.
    private func makeSparsePartial(_ scratch: Scratch, url: String) throws {
        var head = ResponseHead(status: 200, finalURL: url)
        head.etag = "\"v1\""
        head.contentLength = whole.byteCount
        head.contentType = "audio/mpeg"
        var record = ResumeRecord(originalURL: url, head: head)
        record.bootID = currentBootID
        try scratch.resumeFolder.save(record, "1", isDurable: true)
        let part = try PartFile.create(at: scratch.resumeFolder.path + "/1.part")
        try part.write(Pattern(byteCount: 4096).bytes, at: 0)
        // A hole at the very end would show that somebody cut the file.
        try part.write([UInt8](repeating: 1, count: 4096), at: start - 4096)
    }

    private func tail(of path: String) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        try file.seek(toOffset: UInt64(start))
        return try file.readToEnd() ?? Data()
    }

    /// The bytes of the pattern from an offset on.
    private func tail(from offset: Int64) -> Data {
        var bytes = Data()
        while offset + Int64(bytes.count) < whole.byteCount {
            whole.withPiece(at: offset + Int64(bytes.count), limit: .max) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
