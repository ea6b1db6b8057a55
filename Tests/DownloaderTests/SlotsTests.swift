import Downloader
import Testing

@Suite
struct SlotsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let queued: [QueuedTransfer]
        var running: [RunningTransfer] = []
        var limits = TransferLimits(total: 10, perHost: 10)
        let chosen: [String]
    }

    private static func queued(
        _ key: String, host: String = "h", user: Bool = false, show: String = "s", serial: (Int, Int)? = nil,
        published: Int64? = nil
    ) -> QueuedTransfer {
        QueuedTransfer(
            key: key, host: host, isUserRequest: user, show: show,
            serialNumber: serial.map { SerialNumber(season: $0.0, episode: $0.1) }, published: published)
    }

    @Test(arguments: [
        Case(testDescription: "nothing queued", queued: [], chosen: []),
        Case(
            testDescription: "at most three", queued: (1...5).map { queued("\($0)", host: "\($0)") },
            limits: TransferLimits(), chosen: ["1", "2", "3"]),
        Case(
            testDescription: "at most two to one host",
            queued: (1...5).map { queued("\($0)") } + [queued("6", host: "o")],
            limits: TransferLimits(), chosen: ["1", "2", "6"]),
        Case(
            testDescription: "running ones count", queued: [queued("3"), queued("4", host: "o")],
            running: [RunningTransfer(key: "1", host: "h"), RunningTransfer(key: "2", host: "h")],
            limits: TransferLimits(), chosen: ["4"]),
        Case(
            testDescription: "no slot free", queued: [queued("4", host: "o")],
            running: (1...3).map { RunningTransfer(key: "\($0)", host: "h") }, limits: TransferLimits(),
            chosen: []),
        Case(
            testDescription: "never one that runs", queued: [queued("1"), queued("2")],
            running: [RunningTransfer(key: "1", host: "h")], chosen: ["2"]),
        Case(
            testDescription: "newest first, undated last",
            queued: [queued("none"), queued("old", published: 1), queued("new", published: 2)],
            chosen: ["new", "old", "none"]),
        Case(
            testDescription: "the user's own first, in their order",
            queued: [
                queued("new", published: 9), queued("b", user: true, published: 1),
                queued("a", user: true, published: 5),
            ], chosen: ["b", "a", "new"]),
        Case(
            testDescription: "a serial in season and episode order, in the places of its show",
            queued: [
                queued("s2e1", show: "serial", serial: (2, 1), published: 40),
                queued("s1e2", show: "serial", serial: (1, 2), published: 20),
                queued("s1e1", show: "serial", serial: (1, 1), published: 10),
                queued("news", show: "news", published: 30),
            ], chosen: ["s1e1", "news", "s1e2", "s2e1"]),
        Case(
            testDescription: "equal dates keep their order",
            queued: [queued("a", published: 1), queued("b", published: 1)], chosen: ["a", "b"]),
    ])
    func `the next transfers`(_ test: Case) {
        #expect(
            chooseTransfers(queued: test.queued, running: test.running, limits: test.limits) == test.chosen)
    }
}
