/// One unit of a date's text.
enum DateToken: Equatable {
    case number(DateNumber)
    /// Letters in lower case, with the dots, slashes and underscores inside: `a.m`, `america/los_angeles`.
    case word(String)
    case mark(UInt8)
}

/// A run of digits: `08` has the value 8 and two digits.
struct DateNumber: Equatable {
    let value: Int
    let digits: Int
}

/// Splits a date's text into numbers, words and marks; nil for what is too long to be a date.
///
/// Blanks only separate. The fraction of a second is left out: feeds are dated to the second.
func dateTokens(of bytes: UnsafeBufferPointer<UInt8>) -> [DateToken]? {
    guard bytes.count <= 128 else { return nil }
    var tokens: [DateToken] = []
    tokens.reserveCapacity(16)
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        let start = index
        if isDigit(byte) {
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            guard let number = DateNumber(bytes[start..<index]) else { return nil }
            let isTime = tokens.last == .mark(UInt8(ascii: ":")) || tokens.last == .word("t")
            if isTime { index = endOfFraction(in: bytes, from: index) }
            tokens.append(.number(number))
        } else if isBlank(bytes, index) {
            index += byte == 0xC2 ? 2 : 1
        } else if isLetter(byte) {
            index = endOfWord(in: bytes, from: index)
            tokens.append(.word(String(decoding: bytes[start..<index], as: UTF8.self).lowercased()))
        } else {
            tokens.append(.mark(byte))
            index += 1
        }
    }
    return tokens
}

extension DateNumber {
    fileprivate init?(_ digits: Slice<UnsafeBufferPointer<UInt8>>) {
        guard digits.count <= 13 else { return nil }
        value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        self.digits = digits.count
    }
}

/// The end of a fraction that begins at an index: `.5` or `,500`; the index itself where there is none.
private func endOfFraction(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard start + 1 < bytes.count, isDigit(bytes[start + 1]) else { return start }
    guard bytes[start] == UInt8(ascii: ".") || bytes[start] == UInt8(ascii: ",") else { return start }
    var end = start + 1
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    return end
}

private func endOfWord(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < bytes.count {
        if isLetter(bytes[end]), !isBlank(bytes, end) {
            end += 1
        } else if isJoint(bytes[end]), end + 1 < bytes.count, isLetter(bytes[end + 1]) {
            end += 1
        } else {
            break
        }
    }
    return end
}

private func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
}

private func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26
}

/// What may stand between two letters of one word.
private func isJoint(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_")
}

/// White space, with the no-break space U+00A0 as its two bytes.
private func isBlank(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let byte = bytes[index]
    if byte == 0x20 || (0x09...0x0D).contains(byte) { return true }
    return byte == 0xC2 && index + 1 < bytes.count && bytes[index + 1] == 0xA0
}
