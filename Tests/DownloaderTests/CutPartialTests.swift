import Foundation
import TestServer
import Testing

@testable import Downloader

/// Partial files that other hands, or a power cut, made shorter or longer than their record says.
@Suite(.timeLimit(.minutes(5)))
struct CutPartialTests {
    private let scratch: Scratch
    private let server: DummyServer
    private let loop: TransferLoop
    private let size: Int64 = 1_000_000
    private let tear: Int64 = 400_000

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
        server.serve("/a.mp3", .pattern(size, etag: "\"v1\""))
    }

    private var part: String { scratch.resumeFolder.partPath("1") }

    /// What the last run left: it ended in order, was killed, or the power was cut.
    enum Ending: CaseIterable, Sendable {
        case settled, killed, powerCut
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The size of the file, cut or made longer by zeros, in this order.
        let sizes: [Int64]
        /// Where the next request begins, after each ending.
        let starts: [Ending: Int64]

        init(_ name: String, _ sizes: [Int64], settled: Int64, killed: Int64, powerCut: Int64) {
            testDescription = name
            self.sizes = sizes
            starts = [.settled: settled, .killed: killed, .powerCut: powerCut]
        }
    }

    // Of 400,000 bytes 300,000 were synced in the two disorderly endings.
    @Test(
        arguments: [
            Case("untouched", [], settled: 400_000, killed: 400_000, powerCut: 300_000),
            Case("one byte short", [399_999], settled: 399_999, killed: 399_999, powerCut: 300_000),
            Case("cut within a block", [123_457], settled: 123_457, killed: 123_457, powerCut: 123_457),
            Case("cut to one byte", [1], settled: 1, killed: 1, powerCut: 1),
            Case("cut to nothing", [0], settled: 0, killed: 0, powerCut: 0),
            Case("nothing, and sparse again", [0, 400_000], settled: 0, killed: 0, powerCut: 0),
            // The block with the cut is filled with zeros: not more than what lies surely before it is trusted.
            Case(
                "cut, and sparse again", [200_000, 400_000], settled: 135_168, killed: 135_168,
                powerCut: 135_168),
            Case(
                "cut, and sparse to more than the whole", [200_000, 2_000_000], settled: 135_168,
                killed: 135_168,
                powerCut: 135_168),
            Case("longer than the whole", [1_000_001], settled: 335_872, killed: 300_000, powerCut: 300_000),
        ], Ending.allCases)
    func `a cut partial goes on from what is surely there, and leaves no hole`(_ test: Case, _ ending: Ending)
        async throws
    {
        try leavePartial(ending)
        for size in test.sizes { #expect(truncate(part, off_t(size)) == 0) }
        let start = try #require(test.starts[ending])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == [start == 0 ? nil : "bytes=\(start)-"])
        #expect(server.bodyByteCount(on: "/a.mp3") == size - start)
    }

    @Test(arguments: [Ending.settled, .powerCut])
    func `bytes that somebody added to a partial never get into the file`(_ ending: Ending) async throws {
        try leavePartial(ending)
        let file = try FileHandle(forWritingTo: URL(filePath: part))
        try file.seekToEnd()
        try file.write(contentsOf: [UInt8](repeating: 7, count: 5000))
        try file.close()
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == ["bytes=\(ending == .settled ? 400_000 : 300_000)-"])
    }

    @Test func `a partial cut while its download runs leaves no hole`() async throws {
        let reply = Reply.pattern(size, etag: "\"v1\"")
        server.serve("/a.mp3", inTurn: [reply.with { $0.stallAfter = 600_000 }, reply])
        let events = loop.download(scratch.request(server.url("/a.mp3")))
        var finished: FinishedDownload?
        var isCut = false
        for await event in events {
            switch event {
            case .progress where !isCut:
                isCut = true
                await server.waitForBodyBytes(600_000, on: "/a.mp3")
                // What was sent may still be on its way to the disk, and nothing is cut before it is there.
                for _ in 0..<3000 where fileSize(part) <= 150_000 {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(truncate(part, 150_000) == 0)
                server.release("/a.mp3")
            case .finished(let file): finished = file
            case .failed(let failure): Issue.record("\(failure.error)")
            default: break
            }
        }
        let file = try #require(finished)
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: file.path) == nil)
    }

    private func fileSize(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private func leavePartial(_ ending: Ending) throws {
        var head = ResponseHead(status: 200, finalURL: server.url("/a.mp3"))
        head.etag = "\"v1\""
        head.contentLength = size
        head.contentType = "audio/mpeg"
        var record = ResumeRecord(originalURL: server.url("/a.mp3"), head: head)
        record.syncedByteCount = ending == .settled ? tear : 300_000
        record.isSettled = ending == .settled ? true : nil
        record.bootID = ending == .powerCut ? "another boot" : currentBootID
        try scratch.resumeFolder.save(record, "1", isDurable: true)
        try scratch.write(Array(Pattern(byteCount: size).bytes.prefix(Int(tear))), to: part)
    }
}
