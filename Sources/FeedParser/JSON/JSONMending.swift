/// Rewrites what JSON forbids in a string so that the rest of the string is kept.
///
/// Control characters are escaped, an escape that does not exist (`\x`) becomes its characters, half a surrogate pair
/// the replacement character.
func mendedStrings(_ bytes: [UInt8]) -> [UInt8] {
    var mended: [UInt8] = []
    mended.reserveCapacity(bytes.count + 64)
    var isInString = false
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        guard isInString, byte == UInt8(ascii: "\\") || byte < 0x20 else {
            mended.append(byte)
            index += 1
            continue
        }
        if byte < 0x20 {
            mended.append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            index += 1
            continue
        }
        switch jsonEscape(bytes, at: index) {
        case .whole(let length):
            mended.append(contentsOf: bytes[index..<index + length])
            index += length
        case .halfPair(let length):
            mended.append(contentsOf: "\\ufffd".utf8)
            index += length
        case .none:
            mended.append(contentsOf: "\\\\".utf8)
            index += 1
        }
    }
    return mended
}

/// What a backslash begins; a length counts it too.
enum JSONEscape: Equatable {
    case whole(length: Int)
    /// Half of a surrogate pair (RFC 8259 §8.2).
    case halfPair(length: Int)
    case none
}

func jsonEscape(_ bytes: [UInt8], at index: Int) -> JSONEscape {
    guard index + 1 < bytes.count else { return .none }
    guard bytes[index + 1] == UInt8(ascii: "u") else {
        return #""\/bfnrt"#.utf8.contains(bytes[index + 1]) ? .whole(length: 2) : .none
    }
    guard let unit = codeUnit(bytes, at: index) else { return .none }
    switch unit {
    case 0xD800..<0xDC00:
        let next = codeUnit(bytes, at: index + 6)
        return next.map { 0xDC00..<0xE000 ~= $0 } == true ? .whole(length: 12) : .halfPair(length: 6)
    case 0xDC00..<0xE000: return .halfPair(length: 6)
    default: return .whole(length: 6)
    }
}

/// Reads `\uXXXX`.
private func codeUnit(_ bytes: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else {
        return nil
    }
    let digits = bytes[index + 2..<index + 6]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
}

/// Ends a document that was cut after the last whole element of its outermost list; nil where there is none.
///
/// The list of the episodes is the outermost of those that hold objects.
func closedDocument(_ bytes: [UInt8]) -> [UInt8]? {
    var open: [UInt8] = []
    var best: (end: Int, open: [UInt8])?
    var isInString = false
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if isInString {
            if byte == UInt8(ascii: "\\") { index += 1 }
            if byte == UInt8(ascii: "\"") { isInString = false }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard open.popLast() == byte else { return nil }
            if open.last == UInt8(ascii: "]"), open.count <= best?.open.count ?? .max { best = (index, open) }
        default: break
        }
    }
    return best.map { bytes[..<$0.end] + $0.open.reversed() }
}
