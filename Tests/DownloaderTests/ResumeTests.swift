import TestServer
import Testing

@testable import Downloader

/// Broken transfers and all that a server may answer to a range.
@Suite(.timeLimit(.minutes(5)))
struct ResumeTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop
    let size: Int64 = 1_000_000
    let tear: Int64 = 400_000

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private var good: Reply { .pattern(size, etag: "\"v1\"") }
    private var torn: Reply { good.with { $0.tearAfter = tear } }

    private func expectWhole(_ story: Story, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> FinishedDownload
    {
        let finished = try #require(
            story.finished, "\(String(describing: story.failure?.error))", sourceLocation: sourceLocation)
        #expect(
            Pattern(byteCount: size).firstDifference(fromFileAt: finished.path) == nil,
            sourceLocation: sourceLocation)
        return finished
    }

    struct RangeCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let ranges: Reply.Ranges
        let reason: RestartReason
        let requestCount: Int
    }

    @Test(arguments: [
        RangeCase(testDescription: "200", ranges: .ignored, reason: .rangeIgnored, requestCount: 2),
        RangeCase(
            testDescription: "206 from another start", ranges: .shifted(by: -1), reason: .rangeUnusable,
            requestCount: 3),
        RangeCase(
            testDescription: "206 with another total", ranges: .total(999_999), reason: .rangeUnusable,
            requestCount: 3),
        RangeCase(
            testDescription: "206 with a larger total", ranges: .total(2_000_000), reason: .fileChanged,
            requestCount: 3),
        RangeCase(
            testDescription: "206 without Content-Range", ranges: .withoutContentRange,
            reason: .rangeUnusable,
            requestCount: 3),
        RangeCase(
            testDescription: "multipart/byteranges", ranges: .multipart, reason: .rangeUnusable,
            requestCount: 3),
        RangeCase(
            testDescription: "416 without a total", ranges: .refused(total: nil), reason: .rangeRefused,
            requestCount: 3),
        RangeCase(
            testDescription: "416 with a shorter total", ranges: .refused(total: 10), reason: .rangeRefused,
            requestCount: 3),
    ])
    func `an unusable answer to a range starts over once, and says why`(_ test: RangeCase) async throws {
        server.serve("/a.mp3", inTurn: [torn, good.with { $0.ranges = test.ranges }])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try expectWhole(story)
        #expect(story.starts.last?.restartReason == test.reason)
        #expect(story.starts.last?.resumedFrom == 0)
        #expect(finished.restartCount == 1)
        #expect(server.requests.count == test.requestCount)
        #expect(server.requests[1].range == "bytes=400000-")
        if test.requestCount == 3 { #expect(server.requests[2].range == nil) }
    }

    @Test func `a shorter range and a clean end is asked for again from there`() async throws {
        let shortened = good.with { $0.ranges = .shortened(to: 700_000) }
        server.serve("/a.mp3", inTurn: [torn, shortened, good])
        let finished = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.map(\.range) == [nil, "bytes=400000-", "bytes=700000-"])
        #expect(server.bodyByteCount(on: "/a.mp3") == size)
        #expect(finished.restartCount == 0)
    }

    @Test func `a range with an unknown total is appended and judged by the recorded size`() async throws {
        server.serve("/a.mp3", inTurn: [torn, good.with { $0.ranges = .unknownTotal }])
        let finished = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(finished.isVerified)
        #expect(server.bodyByteCount(on: "/a.mp3") == size)
    }

    @Test func `a file that changed between two attempts is fetched whole in its new form`() async throws {
        let old = Reply.bytes([UInt8](repeating: 0xFF, count: 900_000), type: "audio/mpeg")
            .with {
                $0.body = .pattern(Pattern(byteCount: 900_000, prefix: Array("ID3old".utf8)))
                $0.etag = "\"v0\""
                $0.tearAfter = tear
            }
        server.serve("/a.mp3", inTurn: [old, good])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        _ = try expectWhole(story)
        #expect(story.starts.map(\.restartReason) == [nil, .fileChanged])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [nil, "W/\"v1\""])
    func `without a strong validator the second request starts from zero, and says so`(_ etag: String?)
        async throws
    {
        server.serve("/a.mp3", inTurn: [torn.with { $0.etag = etag }, good.with { $0.etag = etag }])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try expectWhole(story)
        #expect(server.requests.map(\.range) == [nil, nil])
        #expect(story.starts.map(\.restartReason) == [nil, .noValidator])
        #expect(finished.restartCount == 1)
        #expect(finished.bodyByteCount == size + tear)
    }

    @Test func `an old Last-Modified holds a range`() async throws {
        let date = "Mon, 02 Jan 2023 10:00:00 GMT"
        let reply = good.with {
            $0.etag = nil
            $0.lastModified = date
            $0.headers = [("Date", "Mon, 02 Jan 2023 11:00:00 GMT")]
        }
        server.serve("/a.mp3", inTurn: [reply.with { $0.tearAfter = tear }, reply])
        _ = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.map(\.range) == [nil, "bytes=400000-"])
        #expect(server.requests.last?.headers["if-range"] == date)
    }

    @Test func `a Last-Modified of this very second holds none`() async throws {
        let date = "Mon, 02 Jan 2023 10:00:00 GMT"
        let reply = good.with {
            $0.etag = nil
            $0.lastModified = date
            $0.headers = [("Date", date)]
        }
        server.serve("/a.mp3", inTurn: [reply.with { $0.tearAfter = tear }, reply])
        _ = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.map(\.range) == [nil, nil])
    }

    @Test func `another run goes on where the last one stopped`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.failureLimit = 1
        let first = try TransferLoop(configuration)
        server.serve("/a.mp3", inTurn: [torn, good])
        let story = await first.run(scratch.request(server.url("/a.mp3")))
        let failure = try #require(story.failure)
        #expect(failure.isTemporary)
        #expect(failure.hasResume)
        #expect(failure.byteCount == tear)
        #expect("\(failure.error)".contains("transfer") || "\(failure.error)".contains("Transferred"))
        #expect(scratch.libraryFiles.isEmpty)
        #expect(scratch.resumeFolder.status(of: "1") == .resumable(byteCount: tear))
        await first.shutDown()

        let second = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try expectWhole(second)
        #expect(second.starts.first?.resumedFrom == tear)
        #expect(finished.requestCount == 2)
        #expect(finished.bodyByteCount == size)
    }

    @Test func `a range refused where no size was ever promised proves nothing`() async throws {
        var record = ResumeRecord(originalURL: server.url("/a.mp3"), head: head(total: nil))
        record.bootID = currentBootID
        try scratch.resumeFolder.save(record, "1", isDurable: true)
        try scratch.write(Pattern(byteCount: size).bytes, to: scratch.resumeFolder.path + "/1.part")
        server.serve("/a.mp3", good.with { $0.ranges = .refused(total: self.size) })
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(server.requests.first?.range == "bytes=1000000-")
        _ = try expectWhole(story)
        #expect(server.requests.count == 2)
    }

    @Test func `a partial as long as recorded needs no request, a longer one is given up`() async throws {
        var current = ResumeRecord(originalURL: server.url("/a.mp3"), head: head(total: size))
        current.bootID = currentBootID
        try scratch.resumeFolder.save(current, "1", isDurable: true)
        try scratch.write(Pattern(byteCount: size).bytes, to: scratch.resumeFolder.path + "/1.part")
        server.serve("/a.mp3", good)
        _ = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.isEmpty)

        try scratch.resumeFolder.save(current, "2", isDurable: true)
        try scratch.write(Pattern(byteCount: size + 1).bytes, to: scratch.resumeFolder.path + "/2.part")
        let story = await loop.run(scratch.request(server.url("/a.mp3"), key: "2"))
        _ = try expectWhole(story)
        #expect(story.starts.first?.restartReason == .fileChanged)
    }

    /// The head of an answer that brought a partial file.
    private func head(total: Int64?) -> ResponseHead {
        var head = ResponseHead(status: 200, finalURL: server.url("/a.mp3"))
        head.etag = "\"v1\""
        head.contentLength = total
        head.contentType = "audio/mpeg"
        return head
    }

    @Test func `an empty partial asks for no range`() async throws {
        server.serve("/a.mp3", inTurn: [good.with { $0.tearAfter = 0 }, good])
        let finished = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.map(\.range) == [nil, nil])
        #expect(finished.restartCount == 0)
    }

    @Test func `a few bytes between two tears are progress`() async throws {
        let short = Reply.pattern(100, etag: "\"v1\"")
        server.serve("/a.mp3") { _, count in count < 20 ? short.with { $0.tearAfter = 5 } : short }
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(Pattern(byteCount: 100).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.bodyByteCount(on: "/a.mp3") == 100)
    }

    @Test func `a server that tears at the same place without a validator is not asked for ever`()
        async throws
    {
        server.serve("/a.mp3", torn.with { $0.etag = nil })
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let failure = try #require(story.failure)
        #expect(server.requests.count == 5)
        #expect(!failure.hasResume)
        #expect(failure.byteCount == tear)
    }

    @Test func `a web page in the place of the rest costs not one byte of the partial`() async throws {
        let page = Reply.text("<html><body>Log in to the hotel's network</body></html>", type: "text/html")
        server.serve("/a.mp3", inTurn: [torn, page, good])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let failure = try #require(story.failure)
        #expect("\(failure.error)" == "not audio: the server sent a web page")
        #expect(failure.hasResume)
        #expect(failure.isTemporary)
        #expect(scratch.resumeFolder.status(of: "1") == .resumable(byteCount: tear))
        _ = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(server.requests.last?.range == "bytes=400000-")
    }

    @Test func `a partial without its record is restarted, and the reason is told`() async throws {
        try scratch.write(Pattern(byteCount: 1000).bytes, to: scratch.resumeFolder.path + "/1.part")
        server.serve("/a.mp3", good)
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(try expectWhole(story).restartCount == 1)
        #expect(story.starts.first?.restartReason == .noRecord)
    }
}
