import Aggregator

/// A running transfer as a line shows it.
struct TransferView: Equatable {
    let feedTitle: String
    let title: String
    var bytes: Int64 = 0
    var expectedBytes: Int64?
    var expectedIsExact = true
    var rate: Double?
    var secondsLeft: Double?

    /// What it waits for, where it does.
    var waits: String?

    /// When it is left to a later run, where it waits for a host.
    var waitEnd: ContinuousClock.Instant?
}

/// What does not run yet.
struct QueuedTotal: Equatable {
    var count = 0

    /// How much is to come, as far as the feeds tell.
    var byteCount: Int64 = 0

    /// Whether they tell it of all.
    var isKnown = true
}

/// Draws a line for each transfer, and one that sums them up, each narrower than `width` columns.
///
/// What does not fit goes, the bar first and the time left last; the name keeps at least a fifth of the line.
func transferLines(
    _ transfers: [TransferView], queued: QueuedTotal = QueuedTotal(), format: HumanFormat, width: Int
) -> [String] {
    // The last column stays free: some terminals begin a new line once it is used.
    let width = max(1, width - 1)
    guard !transfers.isEmpty else { return [] }
    return transfers.map { line($0, format, width: width) } + [
        total(transfers, queued, format, width: width)
    ]
}

private func line(_ transfer: TransferView, _ format: HumanFormat, width: Int) -> String {
    let details = details(transfer, format)
    let bars = transfer.expectedBytes == nil ? [0] : [24, 12, 0]
    for detail in details {
        for bar in bars {
            let rest = columnCount(detail) + (bar > 0 ? bar + 2 : 0) + 2
            let nameWidth = width - rest
            guard nameWidth >= max(8, bar > 0 ? width / 3 : width / 5) else { continue }
            let name = padded(name(transfer, columns: nameWidth), toColumns: nameWidth)
            return name + "  " + (bar > 0 ? barText(transfer, columns: bar) + "  " : "") + detail
        }
    }
    return truncated(terminalText(transfer.title), toColumns: width)
}

/// The title, after that of the show where both fit well.
private func name(_ transfer: TransferView, columns: Int) -> String {
    let full = terminalText("\(transfer.feedTitle): \(transfer.title)")
    return truncated(columnCount(full) <= columns ? full : terminalText(transfer.title), toColumns: columns)
}

/// What can be said of a transfer, from all of it to the least.
private func details(_ transfer: TransferView, _ format: HumanFormat) -> [String] {
    let sign = transfer.expectedIsExact ? "" : "~"
    let bytes = format.bytes(transfer.bytes)
    let sizes = transfer.expectedBytes.map { "\(bytes) / \(sign)\(format.bytes($0))" } ?? bytes
    if let reason = transfer.waits {
        let words = "waits: \(terminalText(reason))"
        let left = transfer.waitEnd.map {
            ", \(format.duration(seconds: max(.zero, $0 - .now) / .seconds(1)))"
        }
        return ["\(sizes) · \(words)\(left ?? "")", words + (left ?? ""), words, "waits"]
    }
    let rate = transfer.rate.map { format.rate(bytesPerSecond: $0) }
    let left = transfer.secondsLeft.map(format.timeLeft)
    return [[sizes, rate, left], [sizes, left ?? rate], [bytes, left], [left ?? bytes]]
        .map { $0.compactMap { $0 }.joined(separator: " · ") }
}

private func barText(_ transfer: TransferView, columns: Int) -> String {
    let inner = columns - 2
    let expected = max(transfer.expectedBytes ?? 0, 1)
    let share = min(max(Double(transfer.bytes) / Double(expected), 0), 1)
    let filled = Int(share * Double(inner))
    return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: inner - filled) + "]"
}

private func total(
    _ transfers: [TransferView], _ queued: QueuedTotal, _ format: HumanFormat, width: Int
) -> String {
    let bytes = byteSum(transfers.map(\.bytes))
    let sizes = transfers.compactMap(\.expectedBytes)
    let rate = transfers.compactMap(\.rate).reduce(0, +)
    var parts = ["\(format.number(transfers.count)) running"]
    if queued.count > 0 {
        let size = queued.byteCount > 0 ? " (~\(format.bytes(queued.byteCount)))" : ""
        parts.append("\(format.number(queued.count)) queued\(size)")
    }
    // A sum of some sizes would mislead.
    let isKnown = sizes.count == transfers.count
    parts.append(format.bytes(bytes) + (isKnown ? " / " + format.bytes(byteSum(sizes)) : ""))
    if rate > 0 { parts.append(format.rate(bytesPerSecond: rate)) }
    // With what is queued, or it would mislead as well.
    if rate > 0, isKnown, queued.isKnown {
        let left = byteSum([max(0, byteSum(sizes) - bytes), queued.byteCount])
        parts.append(format.timeLeft(seconds: Double(left) / rate))
    }
    var text = "Total: " + parts.joined(separator: " · ")
    while columnCount(text) > width, parts.count > 1 {
        parts.removeFirst()
        text = parts.joined(separator: " · ")
    }
    return truncated(text, toColumns: width)
}

private func padded(_ text: String, toColumns columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - columnCount(text)))
}
