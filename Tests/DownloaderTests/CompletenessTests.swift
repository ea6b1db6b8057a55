import Downloader
import Testing

@Suite
struct CompletenessTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let written: Int64
        let expected: ExpectedSize
        let ending: BodyEnding
        let verdict: Completeness

        init(
            _ name: String, _ written: Int64, _ expected: ExpectedSize, _ ending: BodyEnding,
            _ verdict: Completeness
        ) {
            testDescription = name
            self.written = written
            self.expected = expected
            self.ending = ending
            self.verdict = verdict
        }
    }

    @Test(arguments: [
        Case(
            "60 % of an exact size", 12_000_000, .exact(20_000_000), .closed, .incomplete(missing: 8_000_000)),
        Case("60 % of an exact size, orderly end", 12, .exact(20), .lastChunk, .incomplete(missing: 8)),
        Case("60 % of an estimate", 12_000_000, .estimated(20_000_000), .closed, .unverified),
        Case("60 % of an estimate, last chunk", 12_000_000, .estimated(20_000_000), .lastChunk, .complete),
        Case("one byte short", 19_999_999, .exact(20_000_000), .lengthReached, .incomplete(missing: 1)),
        Case("to the byte", 20_000_000, .exact(20_000_000), .lengthReached, .complete),
        Case("one byte too many", 20_000_001, .exact(20_000_000), .lengthReached, .excessive(by: 1)),
        Case("nothing of an exact size", 0, .exact(1), .closed, .incomplete(missing: 1)),
        Case("closed without a size", 5, .unknown, .closed, .unverified),
        Case("last chunk without a size", 5, .unknown, .lastChunk, .complete),
        Case("beyond 4 GiB", 5_000_000_000, .exact(5_000_000_001), .closed, .incomplete(missing: 1)),
    ])
    func `only an exact size can judge`(_ test: Case) {
        #expect(
            judgeCompleteness(written: test.written, expected: test.expected, ending: test.ending)
                == test.verdict)
    }
}
