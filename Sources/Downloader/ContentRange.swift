/// A `Content-Range` header in bytes (RFC 9110 §14.4).
struct ContentRange: Equatable {
    /// The bytes sent, both ends included; nil in a 416.
    let bytes: ClosedRange<Int64>?
    /// The size of the whole file; nil where the server says `*`.
    let total: Int64?

    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let count = decimal(parts[1]) else { return nil }
            total = count
        }
        if parts[0] == "*" {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = decimal(ends[0]), let last = decimal(ends[1]), first <= last
        else { return nil }
        if let total, last >= total { return nil }
        bytes = first...last
    }
}

/// Reads digits only: no sign, no blank, no overflow.
func decimal(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
}
