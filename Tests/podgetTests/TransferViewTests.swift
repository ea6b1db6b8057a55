import Foundation
import Aggregator
import Testing

@testable import podget

@Suite struct TransferViewTests {
    private let format = HumanFormat(locale: userLocale([:]), timeZone: .gmt)

    private func view(_ title: String) -> TransferView {
        TransferView(
            feedTitle: "Low Water", title: title, bytes: 12_000_000, expectedBytes: 20_000_000,
            rate: 3_400_000,
            secondsLeft: 80)
    }

    @Test(arguments: [
        (100, "Low Water: The harbour", "  [=============         ]  12 MB / 20 MB · 3.4 MB/s · 1:20 left"),
        (80, "Low Water: The harbour", "  [======    ]  12 MB / 20 MB · 3.4 MB/s · 1:20 left"),
        (70, "Low Water: The harbour", "  12 MB / 20 MB · 3.4 MB/s · 1:20 left"),
        (50, "The harbour", "  12 MB / 20 MB · 3.4 MB/s · 1:20 left"),
        (40, "The harbour", "  12 MB / 20 MB · 1:20 left"),
        (30, "The harbo…", "  12 MB · 1:20 left"),
        (20, "The har…", "  1:20 left"),
        (10, "The harb…", ""),
    ])
    func `what matters least goes first`(_ width: Int, _ name: String, _ end: String) throws {
        let line = try #require(
            transferLines([view("The harbour")], format: format, width: width).first)
        #expect(line.hasPrefix(name) && line.hasSuffix(end), "\(line)")
        #expect(columnCount(line) <= width - 1)
    }

    @Test(arguments: [1, 2, 8, 20, 39, 40, 41, 79, 80, 120, 200, 1000])
    func `no line reaches the last column, whatever the title`(_ width: Int) {
        let titles = [
            "海辺の町の静かな朝の散歩について", "🚂🚃🚃 Night trains 👩‍👩‍👧‍👦 all aboard", "e\u{301}\u{301}\u{301}", "\u{1B}[2J\u{7}x",
        ]
        var waiting = view("Waiting")
        waiting.waits = "the server asked for a pause"
        var unknown = view("Unknown")
        (unknown.expectedBytes, unknown.secondsLeft) = (nil, nil)
        let lines = transferLines(
            titles.map(view) + [waiting, unknown], queued: QueuedTotal(count: 1234), format: format,
            width: width)
        #expect(lines.count == 7)
        for line in lines {
            #expect(columnCount(line) <= max(1, width - 1))
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
        }
    }

    @Test func `the sum names no size that is not known`() {
        var unknown = view("Unknown")
        unknown.expectedBytes = nil
        let lines = transferLines(
            [view("A"), unknown], queued: QueuedTotal(count: 3), format: format, width: 100)
        #expect(lines.last == "Total: 2 running · 3 queued · 24 MB · 6.8 MB/s")
    }

    @Test func `the sum tells of the queue as much as the feeds do`() {
        let queued = QueuedTotal(count: 3, byteCount: 40_000_000)
        let lines = transferLines([view("A")], queued: queued, format: format, width: 100)
        #expect(lines.last?.hasPrefix("Total: 1 running · 3 queued (~40 MB) · ") == true)
    }

    @Test func `the time left is that of the queue too, and none where that is not known`() {
        var short = view("A")
        (short.bytes, short.expectedBytes, short.rate) = (0, 10_000_000, 1_000_000)
        func last(_ queued: QueuedTotal) -> String? {
            transferLines([short], queued: queued, format: format, width: 120).last
        }
        #expect(last(QueuedTotal())?.hasSuffix(" · 0:10 left") == true)
        #expect(last(QueuedTotal(count: 1, byteCount: 50_000_000))?.hasSuffix(" · 1:00 left") == true)
        #expect(last(QueuedTotal(count: 2, byteCount: 50_000_000, isKnown: false))?.hasSuffix("MB/s") == true)
    }

    @Test func `sizes beyond any number are shown, and break nothing`() {
        var huge = view("A")
        huge.expectedBytes = .max
        let queued = QueuedTotal(count: 2, byteCount: byteSum([.max, .max]))
        let lines = transferLines([huge, huge], queued: queued, format: format, width: 200)
        #expect(lines.last?.hasPrefix("Total: 2 running · 2 queued (~") == true)
    }

    @Test func `no transfer, no line`() {
        #expect(transferLines([], queued: QueuedTotal(count: 3), format: format, width: 80).isEmpty)
    }

    @Test func `a frame that shows what is shown already writes nothing`() {
        var lines = LiveLines()
        let size = TerminalSize(columns: 80, rows: 24)
        #expect(lines.frame([], on: size) == "")
        #expect(lines.frame(["a", "b"], on: size).hasSuffix("\r\u{1B}[1A"))
        #expect(lines.frame(["a", "b"], on: size) == "")
        #expect(lines.frame(["a", "b"], on: TerminalSize(columns: 40, rows: 24)) != "")
        #expect(lines.erase() == "\r\u{1B}[J")
        #expect(lines.erase() == "")
    }
}
