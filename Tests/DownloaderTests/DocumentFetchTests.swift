import Downloader
import TestServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DocumentFetchTests {
    /// Collects the body, or throws at the first byte.
    private struct Collector: BodyReceiver {
        struct Refusal: Error {}
        var bytes: [UInt8] = []
        var refuses = false

        mutating func receive(_ piece: UnsafeRawBufferPointer) throws {
            if refuses { throw Refusal() }
            bytes += piece
        }

        mutating func finish() throws -> [UInt8] { bytes }
    }

    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private func fetch(_ request: DocumentRequest) async throws(TransferError) -> Document<[UInt8]> {
        try await loop.fetch(request) { _ in Collector() }
    }

    private func failure(_ request: DocumentRequest) async -> TransferError? {
        do {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a document comes with its head`() async throws {
        server.serve("/feed", .text("<rss/>", type: "application/rss+xml").with { $0.etag = "\"1\"" })
        let document = try await fetch(DocumentRequest(url: server.url("/feed")))
        #expect(document.output.map { String(decoding: $0, as: UTF8.self) } == "<rss/>")
        #expect(document.head.status == 200)
        #expect(document.head.etag == "\"1\"")
        #expect(document.head.contentType == "application/rss+xml")
        #expect(document.head.finalURL == server.url("/feed"))
    }

    @Test func `an unchanged document is a 304 without output`() async throws {
        server.serve("/feed", .text("<rss/>").with { $0.etag = "\"1\"" })
        var request = DocumentRequest(url: server.url("/feed"))
        request.etag = "\"1\""
        request.lastModified = "Mon, 02 Jan 2023 10:00:00 GMT"
        let document = try await fetch(request)
        #expect(document.head.status == 304)
        #expect(document.output == nil)
        #expect(server.requests.first?.headers["if-none-match"] == "\"1\"")
        #expect(server.requests.first?.headers["if-modified-since"] == "Mon, 02 Jan 2023 10:00:00 GMT")
    }

    @Test func `a compressed document is decoded, and the limit counts what it becomes`() async throws {
        // 2000 times "a", compressed with gzip.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60,
            0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x50, 0x07, 0x00, 0x39, 0x3E, 0x13, 0xA8, 0xD0,
            0x07, 0x00, 0x00,
        ]
        server.serve(
            "/feed", .bytes(gzip, type: "text/xml").with { $0.headers = [("Content-Encoding", "gzip")] })
        var request = DocumentRequest(url: server.url("/feed"))
        #expect(try await fetch(request).output == [UInt8](repeating: 0x61, count: 2000))
        #expect(server.requests.first?.headers["accept-encoding"]?.contains("gzip") == true)
        request.byteLimit = 1999
        guard case .tooLarge(1999)? = await failure(request) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `a document above the limit is refused at its head`() async throws {
        server.serve("/feed", .pattern(1 << 40))
        var request = DocumentRequest(url: server.url("/feed"))
        request.byteLimit = 1000
        guard case .tooLarge? = await failure(request) else {
            Issue.record("not refused")
            return
        }
    }

    @Test(arguments: [301, 308])
    func `a permanent move is told`(_ status: Int) async throws {
        server.serve("/old", .redirect(status, to: "/new"))
        server.serve("/new", .redirect(302, to: "/today"))
        server.serve("/today", .text("<rss/>"))
        let head = try await fetch(DocumentRequest(url: server.url("/old"))).head
        #expect(head.permanentURL == server.url("/new"))
        #expect(head.finalURL == server.url("/today"))
    }

    @Test(arguments: [401, 404, 410, 429, 500])
    func `another status is an error with its head`(_ status: Int) async throws {
        server.serve("/feed", .status(status, headers: [("Retry-After", "7")], text: "no"))
        guard case .status(let head)? = await failure(DocumentRequest(url: server.url("/feed"))) else {
            Issue.record("no status")
            return
        }
        #expect(head.status == status)
        #expect(head.retryAfter == .seconds(7))
        #expect(server.requests.count == 1)
    }

    @Test func `an error of the receiver comes out as itself`() async throws {
        server.serve("/feed", .text("<rss/>"))
        do {
            _ = try await loop.fetch(DocumentRequest(url: server.url("/feed"))) { _ in
                Collector(refuses: true)
            }
            Issue.record("no error")
        } catch {
            guard case .receiver(let inner) = error, inner is Collector.Refusal else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `a cancelled task ends the transfer`() async throws {
        server.serve("/feed", Reply().with { $0.neverAnswers = true })
        let url = server.url("/feed")
        let task = Task { await failure(DocumentRequest(url: url)) }
        await server.waitForRequests(1, to: "/feed")
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func `a task cancelled before it starts ends too`() async throws {
        server.serve("/feed", Reply().with { $0.neverAnswers = true })
        let url = server.url("/feed")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(DocumentRequest(url: url))
        }
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func `a document has its time`() async throws {
        server.serve("/feed", Reply().with { $0.neverAnswers = true })
        var request = DocumentRequest(url: server.url("/feed"))
        request.totalTimeout = .milliseconds(50)
        guard case .timedOut? = await failure(request) else {
            Issue.record("not timed out")
            return
        }
    }

    @Test func `twenty documents at once`() async throws {
        server.serve("/feed", .pattern(300_000))
        let url = server.url("/feed")
        let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 1...20 { group.addTask { try await fetch(DocumentRequest(url: url)).output?.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [Int?](repeating: 300_000, count: 20))
    }
}
