import TestServer
import Testing

@testable import Downloader

/// Servers that refuse a request for the rest of a file and serve the whole one.
@Suite(.timeLimit(.minutes(5)))
struct RangeRefusalTests {
    private let scratch: Scratch
    private let server: DummyServer
    private let loop: TransferLoop
    private let size: Int64 = 1_000_000
    private let tear: Int64 = 400_000
    private let good = Reply.pattern(1_000_000, etag: "\"v1\"")

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private var torn: Reply { good.with { $0.tearAfter = tear } }

    /// The errors that a request for a range may end with, and what they say about the range.
    private static let table: [(TransferError, Bool, RangeRefusal)] = {
        let lost = TransferError.connectionLost(CurlError(code: 52, message: "empty reply", url: ""))
        let slow = TransferError.timedOut(CurlError(code: 28, message: "timeout", url: ""))
        let away = TransferError.unreachable(CurlError(code: 7, message: "refused", url: ""))
        let statuses: [(Int, RangeRefusal)] = [
            (304, .certain), (400, .certain), (401, .none), (403, .suspected), (404, .none), (405, .none),
            (406, .certain), (408, .none), (409, .suspected), (410, .none), (412, .certain), (417, .certain),
            (425, .none), (429, .none), (451, .none), (500, .none), (501, .certain), (502, .none),
            (503, .none), (504, .none),
        ]
        return statuses.map { (.status(ResponseHead(status: $0.0, finalURL: "")), true, $0.1) } + [
            (lost, false, .suspected), (lost, true, .none), (slow, false, .none), (away, false, .none),
            (.incomplete(byteCount: 1, expected: 2), true, .none),
        ]
    }()

    @Test(arguments: table.indices)
    func `only what cannot pass by itself speaks against the range`(_ index: Int) {
        let (error, hasAnswer, refusal) = Self.table[index]
        #expect(judgeRangeRefusal(error, hasAnswer: hasAnswer) == refusal, "\(error)")
    }

    @Test(arguments: [304, 400, 406, 412, 417, 501])
    func `a status for the range alone starts over once, and says so`(_ status: Int) async throws {
        server.serve("/a.mp3", inTurn: [torn, good.with { $0.ranges = .status(status) }])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(story.starts.last?.restartReason == .rangeRefused)
        #expect(finished.restartCount == 1)
        #expect(server.requests.map(\.range) == [nil, "bytes=400000-", nil])
    }

    @Test func `a connection closed for two ranges in a row starts over`() async throws {
        server.serve("/a.mp3", inTurn: [torn, good.with { $0.ranges = .closed }])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(story.starts.last?.restartReason == .rangeRefused)
        #expect(server.requests.last?.range == nil)
        // libcurl itself repeats a request on a connection that it had used before.
        #expect(server.requests.count { $0.range != nil } <= 3)
    }

    @Test(arguments: [403, 409])
    func `a forbidden range is believed at the second run`(_ status: Int) async throws {
        server.serve("/a.mp3", inTurn: [torn, good.with { $0.ranges = .status(status) }])
        let first = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(first.failure?.hasResume == true)
        #expect(server.requests.count == 2)
        let second = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(second.finished, "\(String(describing: second.failure))")
        #expect(Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == [nil, "bytes=400000-", "bytes=400000-", nil])
    }

    @Test(arguments: [401, 403, 404, 429, 500, 503])
    func `a server that refuses everything for a while costs no byte`(_ status: Int) async throws {
        server.serve("/a.mp3") { [torn] _, count in count == 1 ? torn : .status(status) }
        for _ in 0..<3 {
            let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
            #expect(failure.hasResume)
            #expect(failure.byteCount == tear)
        }
        server.serve("/a.mp3", good)
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(finished.restartCount == 0)
        #expect(server.requests.last?.range == "bytes=400000-")
    }

    @Test func `the partial is kept until the whole answer has shown itself`() async throws {
        server.serve(
            "/a.mp3", inTurn: [torn, .status(400), .text("<html>Log in</html>", type: "text/html"), good])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(story.failure?.hasResume == true)
        #expect(server.requests.map(\.range) == [nil, "bytes=400000-", nil])
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(server.requests.last?.range == "bytes=400000-")
        #expect(finished.restartCount == 0)
    }

    @Test func `a server that refuses ranges and tears the whole is asked for it once in a run`() async throws
    {
        server.serve("/a.mp3", torn.with { $0.ranges = .status(400) })
        for run in 1...2 {
            let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
            #expect(failure.isTemporary)
            #expect(failure.byteCount == tear)
            // The first run: torn, refused, torn, refused; the later ones: refused, torn, refused.
            #expect(server.requests.count == 1 + 3 * run)
        }
        #expect(server.requests.count { $0.range == nil } == 3)
    }
}
