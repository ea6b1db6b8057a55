import FoundationEssentials

extension KeyedEncodingContainer {
    /// Writes a list, or nothing when it is empty.
    mutating func encodeUnlessEmpty(_ list: [some Encodable], forKey key: Key) throws {
        if !list.isEmpty { try encode(list, forKey: key) }
    }

    /// Writes a point in time as RFC 3339 text in UTC, or nothing when there is none.
    mutating func encodeTimestamp(_ date: Date?, forKey key: Key) throws {
        if let date { try encode(rfc3339(date), forKey: key) }
    }
}

/// Writes a point in time as `2024-01-02T03:04:05Z`, fractions of a second dropped.
func rfc3339(_ date: Date) -> String {
    // Years 0000 to 9999 are all that the format can say.
    let seconds = Int(
        date.timeIntervalSince1970.rounded(.down).clamped(to: -62_167_219_200...253_402_300_799))
    let day = floorDivide(seconds, 86_400)
    let second = seconds - day * 86_400
    let (year, month, dayOfMonth) = civilDate(daysSince1970: day)
    func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T"
        + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "Z"
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
