import Testing

@testable import Downloader

@Suite
struct RetryDecisionTests {
    private static let lost = TransferError.connectionLost(CurlError(code: 56, message: "reset", url: ""))
    private static let away = TransferError.unreachable(CurlError(code: 7, message: "refused", url: ""))

    private static func status(_ status: Int, retryAfter: Duration? = nil) -> TransferError {
        var head = ResponseHead(status: status, finalURL: "https://pod.example/")
        head.retryAfter = retryAfter
        return .status(head)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: TransferError
        var history = RetryHistory(failureCount: 1, requestCount: 1)
        let decision: RetryDecision

        init(_ name: String, _ error: TransferError, _ decision: RetryDecision) {
            self.init(name, error, { _ in }, decision)
        }

        init(
            _ name: String, _ error: TransferError, _ change: (inout RetryHistory) -> Void,
            _ decision: RetryDecision
        ) {
            testDescription = name
            self.error = error
            self.decision = decision
            change(&history)
        }
    }

    @Test(
        arguments: [
            (0, 100, false), (1, 100, true), (99, 100_000, false), (1000, 100_000, true),
            (65_535, 10_000_000, false),
            (65_536, 10_000_000_000, true), (100, nil, false), (65_536, nil, true),
        ] as [(Int64, Int64?, Bool)])
    func `a few bytes of a large file are no progress`(_ count: Int64, _ total: Int64?, _ expected: Bool) {
        #expect(isProgress(count, of: total, policy: RetryPolicy()) == expected)
    }

    @Test(arguments: [
        Case("a broken connection", lost, .retry(after: .seconds(1))),
        Case("the third failure in a row", lost, { $0.failureCount = 3 }, .retry(after: .seconds(4))),
        Case("the last failure in a row", lost, { $0.failureCount = 5 }, .fail(isTemporary: true)),
        Case("a host given up by another", away, { $0.isHostGivenUp = true }, .fail(isTemporary: true)),
        Case("too many requests", lost, { $0.requestCount = 200 }, .fail(isTemporary: true)),
        Case("a short body", .incomplete(byteCount: 1, expected: 2), .retry(after: .seconds(1))),
        Case("401", status(401), .fail(isTemporary: false)),
        Case("403", status(403), .fail(isTemporary: false)),
        Case("404", status(404), .fail(isTemporary: false)),
        Case("410", status(410), .fail(isTemporary: false)),
        Case("408", status(408), .retry(after: .seconds(1))),
        Case("425", status(425), .retry(after: .seconds(1))),
        Case("429 with Retry-After", status(429, retryAfter: .seconds(2)), .retryAsTold(after: .seconds(2))),
        Case(
            "503 with Retry-After", status(503, retryAfter: .seconds(90)), .retryAsTold(after: .seconds(90))),
        Case("503 for a day", status(503, retryAfter: .seconds(86_400)), .fail(isTemporary: true)),
        Case("500", status(500), .retry(after: .seconds(1))),
        Case("a host away, nothing at hand", away, .waitForNetwork),
        Case(
            "a host away five times, nothing at hand", away, { $0.failureCount = 5 }, .fail(isTemporary: true)
        ),
        Case(
            "a host away five times, a partial at hand", away,
            {
                $0.failureCount = 5
                $0.canWaitForNetwork = true
            }, .waitForNetwork),
        Case(
            "a host away for too long", away,
            {
                $0.canWaitForNetwork = true
                $0.hasHostAnswered = true
                $0.networkWait = .seconds(121)
            }, .fail(isTemporary: true)),
        Case(
            "a host away for a while that has answered in this run", away,
            {
                $0.canWaitForNetwork = true
                $0.hasHostAnswered = true
                $0.networkWait = .seconds(119)
            }, .waitForNetwork),
        Case(
            "a host that has not answered in this run, away for a while", away,
            {
                $0.canWaitForNetwork = true
                $0.networkWait = .seconds(29)
            }, .waitForNetwork),
        Case(
            "a host that has not answered in this run, away for too long", away,
            {
                $0.canWaitForNetwork = true
                $0.networkWait = .seconds(30)
            }, .fail(isTemporary: true)),
        Case("a web page", .notMedia(.webPage), .fail(isTemporary: true)),
        Case("a wrong checksum", .digestMismatch(.sha256), .fail(isTemporary: false)),
        Case("too large", .tooLarge(byteLimit: 1), .fail(isTemporary: false)),
    ])
    func `each error has one consequence`(_ test: Case) {
        let decision = decideRetry(after: test.error, history: test.history, policy: RetryPolicy(), jitter: 0)
        #expect(decision == test.decision)
    }

    @Test(arguments: [(35, true), (60, false), (77, false), (83, false)])
    func `a handshake that breaks off is a lost connection, and an untrusted server is none`(
        _ code: Int, _ isLost: Bool
    ) {
        let error = transferError(CurlError(code: code, message: "", url: "https://pod.example/"))
        if case .connectionLost = error { #expect(isLost) } else { #expect(!isLost) }
        if case .insecure = error { #expect(!isLost) }
    }

    @Test func `the pause grows to a limit and chance takes at most half of it`() {
        let policy = RetryPolicy()
        #expect(backoff(failureCount: 1, policy: policy, jitter: 1) == .milliseconds(500))
        #expect(backoff(failureCount: 60, policy: policy, jitter: 0) == .seconds(60))
        #expect(backoff(failureCount: 60, policy: policy, jitter: 1) == .seconds(30))
    }
}
