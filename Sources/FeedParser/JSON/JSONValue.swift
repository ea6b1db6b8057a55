/// A value of a JSON document, read from its bytes when it is asked for.
///
/// The document's syntax has been checked; whatever the bytes are, reading them stays within them.
struct JSONValue {
    /// The value's own bytes; their indices are places in the document.
    let bytes: ArraySlice<UInt8>

    /// The text of a string; nil for any other value.
    var text: String? {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
        let content = bytes.dropFirst().dropLast()
        let isPlain = content.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
        return isPlain ? String(decoding: content, as: UTF8.self) : unescapedJSON(content)
    }

    /// A number as it is written; nil for any other value.
    var number: String? {
        guard let first = bytes.first, let last = bytes.last, isLiteralByte(first) else { return nil }
        // What ends in a letter is a word, such as `null` or `-Infinity`.
        return last.isDigit || last == UInt8(ascii: ".") ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// `true` or `false`; nil for any other value.
    var bool: Bool? {
        if bytes.elementsEqual("true".utf8) { return true }
        return bytes.elementsEqual("false".utf8) ? false : nil
    }

    /// Whether this is `null`, or a word for something that is no number.
    var isNull: Bool {
        bytes.first.map(isLiteralByte) != false && number == nil && bool == nil
    }

    var isList: Bool { bytes.first == UInt8(ascii: "[") }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// The values of a list; none for any other value.
    var elements: JSONElements { JSONElements(isList ? bytes : []) }

    /// The names and values of an object; none for any other value.
    var members: JSONMembers { JSONMembers(elements: JSONElements(isObject ? bytes : [])) }
}

/// The values of a list, in order.
struct JSONElements: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    /// Takes the bytes of a list, or of an object, whose names then count as values.
    init(_ container: ArraySlice<UInt8>) {
        bytes = container.dropLast()
        index = Swift.min(container.startIndex + 1, bytes.endIndex)
    }

    mutating func next() -> JSONValue? {
        while index < bytes.endIndex, isSeparator(bytes[index]) { index += 1 }
        guard index < bytes.endIndex else { return nil }
        let start = index
        index = endOfValue(from: start)
        return JSONValue(bytes: bytes[start..<index])
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        isJSONBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    private func endOfValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        repeat {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = endOfText(from: index)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case let byte where depth == 0 && isLiteralByte(byte):
                while index < bytes.endIndex, isLiteralByte(bytes[index]) { index += 1 }
            default: index += 1
            }
        } while depth > 0 && index < bytes.endIndex
        return index
    }

    private func endOfText(from start: Int) -> Int {
        var index = start + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index = Swift.min(index + 2, bytes.endIndex)
            default: index += 1
            }
        }
        return index
    }
}

/// The names and values of an object, in order.
struct JSONMembers: Sequence, IteratorProtocol {
    fileprivate var elements: JSONElements

    mutating func next() -> (name: String, value: JSONValue)? {
        guard let name = elements.next(), let value = elements.next() else { return nil }
        return (name.text ?? "", value)
    }
}

/// Reads the escapes of a string, RFC 8259 section 7; an unknown one stands for its character.
///
/// Control characters go, as they do in XML; half a surrogate pair becomes U+FFFD.
private func unescapedJSON(_ content: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var rest = content
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
            if isTextByte(byte) { text.append(byte) }
            continue
        }
        switch escape {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): break
        case UInt8(ascii: "u"):
            let codePoint = takeCodePoint(from: &rest)
            if codePoint >= 0x80 {
                text.appendUTF8(codePoint)
            } else if isTextByte(UInt8(codePoint)) {
                text.append(UInt8(codePoint))
            }
        default: if isTextByte(escape) { text.append(escape) }
        }
    }
    return String(decoding: text, as: UTF8.self)
}

/// Reads four hexadecimal digits, and the other half of a surrogate pair.
private func takeCodePoint(from rest: inout ArraySlice<UInt8>) -> UInt32 {
    guard let first = takeHexadecimal(from: &rest) else { return 0xFFFD }
    guard (0xD800..<0xE000).contains(first) else { return first }
    var ahead = rest
    guard first < 0xDC00, ahead.popFirst() == UInt8(ascii: "\\"), ahead.popFirst() == UInt8(ascii: "u"),
        let second = takeHexadecimal(from: &ahead), (0xDC00..<0xE000).contains(second)
    else { return 0xFFFD }
    rest = ahead
    return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
}

private func takeHexadecimal(from rest: inout ArraySlice<UInt8>) -> UInt32? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isDigit || ($0 | 0x20) &- UInt8(ascii: "a") < 6 }) else {
        return nil
    }
    rest = rest.dropFirst(4)
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
}

private func isTextByte(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte != 0x7F) || byte == 0x0A || byte == 0x0D || byte == 0x09
}
