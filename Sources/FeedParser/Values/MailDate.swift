/// Reads the form in which nearly every feed is dated, `Wed, 07 Aug 2024 18:05:09 +0200`; nil for any other text.
///
/// RFC 2822 section 3.3, with two digits for the day, with or without weekday, `GMT` or an offset. Gives seconds since
/// 1970, the same as `DateFields` does for this form, for a tenth of the time.
func mailDateSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var reader = MailDateReader(bytes: bytes)
    if bytes.count > 5, bytes[3] == UInt8(ascii: ",") {
        guard reader.readName(among: weekdayNames) != nil, reader.read(","), reader.read(" ") else {
            return nil
        }
    }
    guard let day = reader.readNumber(digits: 2), reader.read(" "),
        let month = reader.readName(among: monthAbbreviations), reader.read(" "),
        let year = reader.readNumber(digits: 4), (1000..<9999).contains(year), reader.read(" "),
        (1...dayCount(year: year, month: month + 1)).contains(day),
        let hour = reader.readNumber(digits: 2), hour < 24, reader.read(":"),
        let minute = reader.readNumber(digits: 2), minute < 60, reader.read(":"),
        let second = reader.readNumber(digits: 2), second < 60, reader.read(" "),
        let offset = reader.readOffset(), reader.isAtEnd
    else { return nil }
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return days * 86_400 + hour * 3_600 + minute * 60 + second - offset
}

private let weekdayNames: StaticString = "sunmontuewedthufrisat"
private let monthAbbreviations: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"

private struct MailDateReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func read(_ mark: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    mutating func readNumber(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[index..<index + digits] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        index += digits
        return number
    }

    /// Reads three letters, and gives their place among the names, counted from 0.
    mutating func readName(among names: StaticString) -> Int? {
        guard index + 3 <= bytes.count else { return nil }
        let letters = (bytes[index] | 0x20, bytes[index + 1] | 0x20, bytes[index + 2] | 0x20)
        for start in stride(from: 0, to: names.utf8CodeUnitCount, by: 3) {
            let name = names.utf8Start + start
            if letters == (name[0], name[1], name[2]) {
                index += 3
                return start / 3
            }
        }
        return nil
    }

    /// Reads `GMT`, or `+HHMM` or `-HHMM`: seconds east of UTC.
    mutating func readOffset() -> Int? {
        if read("G") { return read("M") && read("T") ? 0 : nil }
        let isWest = read("-")
        guard isWest || read("+"), let hours = readNumber(digits: 2), hours < 24,
            let minutes = readNumber(digits: 2), minutes < 60
        else { return nil }
        let offset = hours * 3_600 + minutes * 60
        return isWest ? -offset : offset
    }
}
