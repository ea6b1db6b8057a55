import Downloader
import TestServer
import Testing

/// Answers that are worth another try, and those that are not.
@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private let reply = Reply.pattern(1_000_000, etag: "\"v1\"")

    @Test(arguments: [401, 403, 404, 410])
    func `a permanent answer is asked for once and keeps the partial`(_ status: Int) async throws {
        server.serve(
            "/a.mp3",
            inTurn: [reply.with { $0.tearAfter = 1000 }, .status(status, text: "<html>challenge</html>")])
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        guard case .status(let head) = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(head.status == status)
        #expect(!failure.isTemporary)
        #expect(failure.hasResume)
        #expect(failure.byteCount == 1000)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503])
    func `a temporary answer is asked for again, and the partial goes on`(_ status: Int) async throws {
        server.serve("/a.mp3", inTurn: [reply.with { $0.tearAfter = 1000 }, .status(status), reply])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.map(\.range) == [nil, "bytes=1000-", "bytes=1000-"])
        #expect(story.waits == [.backoff, .backoff])
    }

    @Test func `Retry-After is kept to, in seconds`() async throws {
        server.serve("/a.mp3", inTurn: [.status(503, headers: [("Retry-After", "1")]), reply])
        let start = ContinuousClock.now
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(story.finished != nil)
        #expect(story.waits == [.retryAfter])
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `a Retry-After beyond the limit ends the attempt, and tells how long`() async throws {
        server.serve("/a.mp3", .status(429, headers: [("Retry-After", "Fri, 01 Jan 2100 00:00:00 GMT")]))
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect(failure.isTemporary)
        guard case .status(let head) = failure.error, let pause = head.retryAfter else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(pause > .seconds(600))
        #expect(server.requests.count == 1)
    }

    @Test func `errors without end are given up after five in a row`() async throws {
        server.serve("/a.mp3", .status(500))
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect(failure.isTemporary)
        #expect(server.requests.count == 5)
    }

    @Test func `a reset within the head is a broken connection`() async throws {
        server.serve("/a.mp3", inTurn: [reply.with { $0.resetAfterHeadBytes = 20 }, reply])
        #expect(await loop.run(scratch.request(server.url("/a.mp3"))).finished?.requestCount == 2)
    }

    @Test func `a reset within the body goes on from there`() async throws {
        server.serve(
            "/a.mp3",
            inTurn: [
                reply.with {
                    $0.tearAfter = 300_000
                    $0.tearsWithReset = true
                }, reply,
            ])
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        // A reset may take bytes with it that were under way; none of those before are asked for again.
        #expect(finished.bodyByteCount == 1_000_000)
    }

    @Test func `a body that stalls or drips is broken off and goes on`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.lowSpeedTime = .seconds(1)
        configuration.lowSpeedBytesPerSecond = 1000
        let loop = try TransferLoop(configuration)
        server.serve("/stall.mp3", inTurn: [reply.with { $0.stallAfter = 200_000 }, reply])
        server.serve("/drip.mp3", inTurn: [reply.with { $0.bytesPerSecond = 20 }, reply])
        async let stalled = loop.run(scratch.request(server.url("/stall.mp3"), key: "1"))
        async let dripped = loop.run(scratch.request(server.url("/drip.mp3"), key: "2"))
        for story in await [stalled, dripped] {
            let finished = try #require(story.finished)
            #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
            #expect(finished.requestCount == 2)
            #expect(finished.bodyByteCount == 1_000_000)
        }
        #expect(server.requests(to: "/stall.mp3").last?.range == "bytes=200000-")
    }

    @Test func `a host that never answers is left`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.lowSpeedTime = .seconds(1)
        configuration.retry.failureLimit = 2
        let loop = try TransferLoop(configuration)
        server.serve("/a.mp3", Reply().with { $0.neverAnswers = true })
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        guard case .timedOut = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(failure.isTemporary)
        #expect(server.requests.count == 2)
    }

    @Test func `two downloads together keep to the bandwidth limit`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.bandwidthLimit = 4_000_000
        let loop = try TransferLoop(configuration)
        server.serve("/a.mp3", .pattern(4_000_000))
        let start = ContinuousClock.now
        async let first = loop.run(scratch.request(server.url("/a.mp3"), key: "1"))
        async let second = loop.run(scratch.request(server.url("/a.mp3"), key: "2"))
        #expect(await first.finished != nil)
        #expect(await second.finished != nil)
        // Eight megabytes at four a second; what fills the buffers at the start comes free.
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `HEAD and Accept-Ranges are not needed`() async throws {
        let none = reply.with {
            $0.refusesHead = true
            $0.headers = [("Accept-Ranges", "none")]
        }
        server.serve("/a.mp3", inTurn: [none.with { $0.tearAfter = 1000 }, none])
        #expect(await loop.run(scratch.request(server.url("/a.mp3"))).finished != nil)
        #expect(server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func `a head that is cut off is told as such, and tried again`() async throws {
        server.serve("/a.mp3", reply.with { $0.closesAfterHeadBytes = 30 })
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect("\(failure.error)".hasPrefix("the response ends within its head ("))
        #expect(failure.isTemporary)
        #expect(server.requests.count == 5)
    }

    @Test(arguments: [(1, 400_000), (400, 1000)])
    func `a head that is too large is told as such`(_ count: Int, _ length: Int) async throws {
        let value = String(repeating: "x", count: length)
        server.serve("/a.mp3", reply.with { $0.headers = (0..<count).map { ("X-\($0)", value) } })
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect("\(failure.error)".hasPrefix("the response's head is too large ("), "\(failure.error)")
        #expect(failure.isTemporary)
    }
}
