/// Reads a duration in seconds from any of the forms that feeds write; nil where there is none.
///
/// `3723`, `2238.5`, `62:03`, `1:2:3`, `1h 2m`, `90 min`, `PT1H2M3S`. Never negative. A plain number over two
/// days counts milliseconds: no episode is that long, and some publishers mistake the unit. What is over a thousand hours
/// even so is no duration.
func parseFeedDuration(_ text: some StringProtocol) -> Double? {
    readDuration(text).flatMap { $0 <= longestDuration ? $0 : nil }
}

/// Seconds; a longer claim is nonsense and counts as none.
let longestDuration = 3_600_000.0

private func readDuration(_ text: some StringProtocol) -> Double? {
    var scanner = DurationScanner(text: text)
    guard scanner.bytes.count <= 64 else { return nil }
    guard let first = scanner.readNumber() else { return scanner.readPeriod() }
    switch scanner.current {
    case nil:
        return first > 172_800 ? first / 1_000 : first
    case UInt8(ascii: ":"):
        return scanner.readClock(after: first)
    default:
        return scanner.readUnits(after: first)
    }
}

/// Goes once through the bytes of a duration, in lower case and without the blanks around.
private struct DurationScanner {
    let bytes: [UInt8]
    var index = 0

    init(text: some StringProtocol) {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let trimmed = text.utf8.drop(while: isBlank).reversed().drop(while: isBlank)
        bytes = trimmed.reversed().map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Reads digits with an optional fraction.
    mutating func readNumber() -> Double? {
        var whole = 0
        let start = index
        while let digit = currentDigit {
            guard index - start < 15 else { return nil }
            whole = whole * 10 + digit
            index += 1
        }
        guard index > start else { return nil }
        guard current == UInt8(ascii: ".") else { return Double(whole) }
        index += 1
        var fraction = 0
        var scale = 1
        while let digit = currentDigit {
            // Nobody hears more than a microsecond.
            if scale < 1_000_000 {
                fraction = fraction * 10 + digit
                scale *= 10
            }
            index += 1
        }
        return (Double(whole) * Double(scale) + Double(fraction)) / Double(scale)
    }

    /// Reads `:MM` or `:MM:SS` after the first part of a clock's time.
    mutating func readClock(after first: Double) -> Double? {
        var seconds = first
        var partCount = 1
        while current == UInt8(ascii: ":") {
            index += 1
            guard let part = readNumber() else { return nil }
            seconds = seconds * 60 + part
            partCount += 1
        }
        return current == nil && partCount <= 3 ? seconds : nil
    }

    /// Reads the unit of the first number, then more numbers with units.
    mutating func readUnits(after first: Double) -> Double? {
        var seconds = 0.0
        var number: Double? = first
        while let count = number {
            skipBlanks()
            guard let length = durationUnits[readWord()] else { return nil }
            seconds += count * length
            skipBlanks()
            number = readNumber()
        }
        return current == nil ? seconds : nil
    }

    /// Reads the period of ISO 8601: `PT1H2M3S`, `P1DT2H`.
    mutating func readPeriod() -> Double? {
        guard current == UInt8(ascii: "p") else { return nil }
        index += 1
        var seconds = 0.0
        var partCount = 0
        while current != nil {
            if current == UInt8(ascii: "t") { index += 1 }
            guard let number = readNumber(), let unit = current else { return nil }
            guard let length = durationUnits[String(UnicodeScalar(unit))] else { return nil }
            index += 1
            seconds += number * length
            partCount += 1
        }
        return partCount > 0 ? seconds : nil
    }

    private mutating func readWord() -> String {
        let start = index
        while let byte = current, byte &- UInt8(ascii: "a") < 26 { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Skips what stands between a number and a unit, or between two units.
    private mutating func skipBlanks() {
        while let byte = current, [0x20, UInt8(ascii: ","), UInt8(ascii: ".")].contains(byte) { index += 1 }
    }

    private var currentDigit: Int? {
        guard let byte = current, byte &- UInt8(ascii: "0") < 10 else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }
}

/// The length in seconds of each unit.
private let durationUnits: [String: Double] = [
    "d": 86_400, "day": 86_400, "days": 86_400,
    "h": 3_600, "hr": 3_600, "hrs": 3_600, "hour": 3_600, "hours": 3_600, "std": 3_600,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "sek": 1,
    "ms": 0.001,
]
