import Glibc

/// Reads plain text of one line: markup stripped, entities decoded, white space folded.
func plainLine(_ text: String) -> String? {
    mayHoldMarkup(text) ? plainText(fromHTML: text).nonBlank : foldedLine(text)
}

/// Folds white space to single blanks and drops it at the ends; nil where nothing is left.
func foldedLine(_ text: String) -> String? {
    var text = text
    let folded = text.withUTF8 { bytes in isFolded(bytes) ? nil : folding(bytes) }
    // A no-break space at an end is white space too, and is rare.
    return (folded ?? text).nonBlank
}

/// Whether white space stands in single blanks only, and not at the ends.
private func isFolded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0x20
    for byte in bytes {
        if byte <= 0x20, byte != 0x20 || previous == 0x20 { return false }
        previous = byte
    }
    return previous != 0x20
}

private func folding(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    for byte in bytes {
        if byte > 0x20 {
            folded.append(byte)
        } else if let last = folded.last, last != 0x20 {
            folded.append(0x20)
        }
    }
    return String(decoding: folded, as: UTF8.self)
}

/// Whether a text holds something that an HTML parser would not take as mere characters.
func mayHoldMarkup(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
        holds(UInt8(ascii: "<"), in: bytes) { next in
            isNameStart(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
        } || holds(UInt8(ascii: "&"), in: bytes) { isNameStart($0) || $0 == UInt8(ascii: "#") }
    }
}

/// Whether a byte stands before one that fits.
private func holds(
    _ mark: UInt8, in bytes: UnsafeBufferPointer<UInt8>, before isNext: (UInt8) -> Bool
) -> Bool {
    guard let first = bytes.baseAddress else { return false }
    var index = 0
    // The C library looks at many bytes at once.
    while index + 1 < bytes.count, let found = memchr(first + index, Int32(mark), bytes.count - 1 - index) {
        index = UnsafeRawPointer(first).distance(to: found) + 1
        if isNext(bytes[index]) { return true }
    }
    return false
}

/// Reads a whole number, such as `3`, ` 3 ` or `3.0`.
func wholeNumber(_ text: String?) -> Int? {
    guard let text = text?.trimmed else { return nil }
    if let number = Int(text) { return number }
    guard let number = Double(text), number.magnitude < 1e15, number.rounded() == number else { return nil }
    return Int(number)
}

/// Reads a number of bytes; zero is what writers put who do not know it.
func byteCount(_ text: String?) -> Int64? {
    guard let number = text.flatMap({ Int64($0.trimmed) }), number > 0 else { return nil }
    return number
}

/// Reads a yes or no as the namespaces write it.
func flag(_ text: String?) -> Bool? {
    switch text?.trimmed.lowercased() {
    case "yes", "true", "explicit", "1": true
    case "no", "false", "clean", "0", "not explicit": false
    default: nil
    }
}
