import Testing

@testable import Downloader

@Suite
struct ResumeDecisionTests {
    private static let url = "https://pod.example/a.mp3"

    private static func record(
        etag: String? = "\"v1\"", total: Int64? = 1000, change: (inout ResumeRecord) -> Void = { _ in }
    ) -> ResumeRecord {
        var record = ResumeRecord(originalURL: url)
        record.etag = etag
        record.totalByteCount = total
        change(&record)
        return record
    }

    struct PlanCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let byteCount: Int64
        let record: ResumeRecord?
        let url: String
        let plan: RequestPlan

        init(
            _ name: String, _ byteCount: Int64, _ record: ResumeRecord?,
            url: String = ResumeDecisionTests.url,
            _ plan: RequestPlan
        ) {
            testDescription = name
            self.byteCount = byteCount
            self.record = record
            self.url = url
            self.plan = plan
        }
    }

    @Test(arguments: [
        PlanCase("nothing at hand", 0, nil, .fromStart(nil)),
        PlanCase("an empty partial asks for no range", 0, record(), .fromStart(nil)),
        PlanCase("strong ETag", 400, record(), .range(first: 400, .etag("\"v1\""))),
        PlanCase("strong ETag, size unknown", 400, record(total: nil), .range(first: 400, .etag("\"v1\""))),
        PlanCase("weak ETag", 400, record(etag: "W/\"v1\""), .fromStart(.noValidator)),
        PlanCase("no validator at all", 400, record(etag: nil), .fromStart(.noValidator)),
        PlanCase("no record", 400, nil, .fromStart(.noRecord)),
        PlanCase("all bytes at hand", 1000, record(), .nothing),
        PlanCase("all bytes at hand without validator", 1000, record(etag: nil), .nothing),
        PlanCase("more bytes than the file has", 1001, record(), .fromStart(.fileChanged)),
        PlanCase("another query", 400, record(), url: url + "?token=2", .range(first: 400, .etag("\"v1\""))),
        PlanCase("another path", 400, record(), url: "https://pod.example/b.mp3", .fromStart(.otherURL)),
        PlanCase("another host", 400, record(), url: "https://cdn.example/a.mp3", .fromStart(.otherURL)),
        PlanCase(
            "beyond 4 GiB", 5_000_000_000, record(total: nil), .range(first: 5_000_000_000, .etag("\"v1\""))),
        PlanCase(
            "Last-Modified an hour before Date", 400,
            record(etag: nil) {
                $0.lastModified = "Mon, 02 Jan 2023 10:00:00 GMT"
                $0.lastModifiedTime = 1_672_653_600
                $0.dateTime = 1_672_657_200
            }, .range(first: 400, .lastModified("Mon, 02 Jan 2023 10:00:00 GMT"))),
        PlanCase(
            "Last-Modified in the second of Date", 400,
            record(etag: nil) {
                $0.lastModified = "Mon, 02 Jan 2023 10:00:00 GMT"
                $0.lastModifiedTime = 1_672_653_600
                $0.dateTime = 1_672_653_600
            }, .fromStart(.noValidator)),
        PlanCase(
            "Last-Modified without Date", 400,
            record(etag: nil) {
                $0.lastModified = "Mon, 02 Jan 2023 10:00:00 GMT"
                $0.lastModifiedTime = 1_672_653_600
            }, .fromStart(.noValidator)),
    ])
    func `a range is asked for only where a validator holds it`(_ test: PlanCase) {
        #expect(
            planRequest(url: test.url, partialByteCount: test.byteCount, record: test.record) == test.plan)
    }

    struct AnswerCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let plan: RequestPlan
        let record: ResumeRecord?
        let head: ResponseHead
        let decision: ResumeDecision

        init(
            _ name: String, _ plan: RequestPlan = .range(first: 400, .etag("\"v1\"")), status: Int,
            _ decision: ResumeDecision
        ) {
            self.init(name, plan, status: status, { _ in }, decision)
        }

        init(
            _ name: String, _ plan: RequestPlan = .range(first: 400, .etag("\"v1\"")),
            record: ResumeRecord? = ResumeDecisionTests.record(), status: Int,
            _ change: (inout ResponseHead) -> Void, _ decision: ResumeDecision
        ) {
            testDescription = name
            self.plan = plan
            self.record = record
            var head = ResponseHead(status: status, finalURL: ResumeDecisionTests.url)
            change(&head)
            self.head = head
            self.decision = decision
        }
    }

    @Test(arguments: [
        AnswerCase("206 as asked", status: 206, { $0.contentRange = "bytes 400-999/1000" }, .append),
        AnswerCase(
            "206 with the same ETag", status: 206,
            {
                $0.contentRange = "bytes 400-999/1000"
                $0.etag = "\"v1\""
            }, .append),
        AnswerCase(
            "206 with an unknown total", status: 206, { $0.contentRange = "bytes 400-999/*" }, .append),
        AnswerCase(
            "206 with a shorter range", status: 206, { $0.contentRange = "bytes 400-699/1000" }, .append),
        AnswerCase(
            "206 from another start", status: 206, { $0.contentRange = "bytes 401-999/1000" },
            .startOver(.rangeUnusable)),
        AnswerCase(
            "206 from the beginning", status: 206, { $0.contentRange = "bytes 0-999/1000" },
            .startOver(.rangeUnusable)),
        AnswerCase(
            "206 with another total", status: 206, { $0.contentRange = "bytes 400-1999/2000" },
            .startOver(.fileChanged)),
        AnswerCase(
            "206 with another ETag", status: 206,
            {
                $0.contentRange = "bytes 400-999/1000"
                $0.etag = "\"v2\""
            }, .startOver(.fileChanged)),
        AnswerCase(
            "206 with the ETag now weak", status: 206,
            {
                $0.contentRange = "bytes 400-999/1000"
                $0.etag = "W/\"v1\""
            }, .startOver(.fileChanged)),
        AnswerCase(
            "206 with another Last-Modified", .range(first: 400, .lastModified("then")), status: 206,
            {
                $0.contentRange = "bytes 400-999/1000"
                $0.lastModified = "now"
            }, .startOver(.fileChanged)),
        AnswerCase("206 without Content-Range", status: 206, .startOver(.rangeUnusable)),
        AnswerCase(
            "206 with a broken Content-Range", status: 206, { $0.contentRange = "bytes 400-/1000" },
            .startOver(.rangeUnusable)),
        AnswerCase(
            "206 multipart", status: 206,
            {
                $0.contentRange = "bytes 400-999/1000"
                $0.contentType = "multipart/byteranges; boundary=x"
            }, .startOver(.rangeUnusable)),
        AnswerCase(
            "206 nobody asked for, whole", .fromStart(nil), status: 206,
            { $0.contentRange = "bytes 0-999/1000" },
            .replace(nil)),
        AnswerCase(
            "206 nobody asked for, part", .fromStart(nil), status: 206,
            { $0.contentRange = "bytes 0-499/1000" }, .refuse
        ),
        AnswerCase(
            "200 to a range, file unchanged", status: 200, { $0.etag = "\"v1\"" }, .replace(.rangeIgnored)),
        AnswerCase(
            "200 to a range, another file", status: 200, { $0.etag = "\"v2\"" }, .replace(.fileChanged)),
        AnswerCase("200 at the start", .fromStart(nil), status: 200, .replace(nil)),
        AnswerCase("200 after a restart", .fromStart(.noValidator), status: 200, .replace(.noValidator)),
        AnswerCase(
            "416 with the partial's size", .range(first: 1000, .etag("\"v1\"")), status: 416,
            { $0.contentRange = "bytes */1000" }, .complete),
        AnswerCase(
            "416, partial longer than the file", .range(first: 1200, .etag("\"v1\"")), status: 416,
            { $0.contentRange = "bytes */1000" }, .startOver(.rangeRefused)),
        AnswerCase(
            "416 with the partial's size, recorded otherwise", .range(first: 900, .etag("\"v1\"")),
            status: 416, { $0.contentRange = "bytes */900" }, .startOver(.rangeRefused)),
        AnswerCase("416 without a total", status: 416, .startOver(.rangeRefused)),
        AnswerCase("416 to a request without range", .fromStart(nil), status: 416, .refuse),
        AnswerCase("404", status: 404, .refuse),
        AnswerCase("503", status: 503, .refuse),
        AnswerCase("304 nobody asked for", status: 304, .refuse),
    ])
    func `every answer has one meaning for the partial file`(_ test: AnswerCase) {
        #expect(decideResume(plan: test.plan, record: test.record, head: test.head) == test.decision)
    }

    @Test func `after a power cut only the synced bytes are trusted`() {
        var record = Self.record()
        record.bootID = "this boot"
        record.syncedByteCount = 300
        #expect(record.trustedByteCount(of: 400, bootID: "this boot") == 400)
        #expect(record.trustedByteCount(of: 400, bootID: "the next boot") == 300)
        #expect(record.trustedByteCount(of: 200, bootID: "the next boot") == 200)
        #expect(record.trustedByteCount(of: 400, bootID: nil) == 300)
    }
}
