/// The members of a JSON5 object by their place in its text, so that one can be changed and the rest stays.
///
/// It reads only as much of the grammar as finds the members; whether the text is right is for a real parser to say.
struct JSON5Edit {
    private struct Member {
        let name: String
        let keyStart: Int
        let value: Range<Int>
        /// After the comma that follows, or after the value.
        var end: Int
        var hasComma = false
    }

    private let bytes: [UInt8]
    private var members: [Member] = []
    private var closing = 0

    /// Returns nil where the text is not one object.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        var index = skipBlanks(from: 0)
        guard byte(index) == UInt8(ascii: "{") else { return nil }
        index = skipBlanks(from: index + 1)
        while let next = byte(index), next != UInt8(ascii: "}") {
            guard let member = readMember(at: index) else { return nil }
            members.append(member)
            index = skipBlanks(from: member.end)
        }
        guard byte(index) != nil else { return nil }
        closing = index
    }

    /// The text with a member set to a value, which is JSON5 itself.
    func setting(_ name: String, to value: String) -> String {
        if let member = members.last(where: { $0.name == name }) {
            return replacing(member.value, with: value)
        }
        var result = bytes
        // The closing brace may stand alone on its line, or behind the last member.
        let lineStart = bytes[..<closing].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let isAlone = bytes[lineStart..<closing].allSatisfy(isBlank) && lineStart > 0
        let line = isAlone ? "    \(name): \(value),\n" : " \(name): \(value) "
        result.insert(contentsOf: line.utf8, at: isAlone ? lineStart : closing)
        if let last = members.last, !last.hasComma {
            result.insert(UInt8(ascii: ","), at: last.value.upperBound)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text without a member, and without its line where nothing else stands there.
    func removing(_ name: String) -> String {
        guard let member = members.last(where: { $0.name == name }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let lineStart = bytes[..<member.keyStart].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lineEnd = bytes[member.end...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let isAlone =
            bytes[lineStart..<member.keyStart].allSatisfy(isBlank)
            && bytes[member.end..<lineEnd].allSatisfy(isBlank) && lineEnd < bytes.endIndex
        return replacing(isAlone ? lineStart..<lineEnd + 1 : member.keyStart..<member.end, with: "")
    }

    private func replacing(_ range: Range<Int>, with text: String) -> String {
        String(
            decoding: bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...],
            as: UTF8.self)
    }

    private func byte(_ index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private func readMember(at start: Int) -> Member? {
        var index = start
        let name: String
        if let quote = byte(index), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            index = endOfString(at: index)
            guard index <= bytes.count, index - start >= 2 else { return nil }
            name = String(decoding: bytes[start + 1..<index - 1], as: UTF8.self)
        } else {
            while let next = byte(index), !isBlank(next), next != UInt8(ascii: ":"), next != UInt8(ascii: "/")
            {
                index += 1
            }
            name = String(decoding: bytes[start..<index], as: UTF8.self)
        }
        index = skipBlanks(from: index)
        guard byte(index) == UInt8(ascii: ":") else { return nil }
        index = skipBlanks(from: index + 1)
        let valueStart = index
        var valueEnd = index
        var depth = 0
        while let next = byte(index) {
            switch next {
            case UInt8(ascii: ",") where depth == 0:
                return Member(
                    name: name, keyStart: start, value: valueStart..<valueEnd, end: index + 1, hasComma: true)
            case UInt8(ascii: "}") where depth == 0:
                return Member(name: name, keyStart: start, value: valueStart..<valueEnd, end: valueEnd)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = endOfString(at: index)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            default:
                index += 1
            }
            valueEnd = min(index, bytes.count)
            index = skipBlanks(from: index)
        }
        return nil
    }

    private func endOfString(at start: Int) -> Int {
        var index = start + 1
        while let next = byte(index), next != bytes[start] {
            index += next == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1
    }

    private func skipBlanks(from start: Int) -> Int {
        var index = start
        while let next = byte(index) {
            if isBlank(next) {
                index += 1
            } else if next == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "/") {
                while let next = byte(index), next != UInt8(ascii: "\n") { index += 1 }
            } else if next == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "*") {
                index += 2
                while byte(index) != nil,
                    byte(index) != UInt8(ascii: "*") || byte(index + 1) != UInt8(ascii: "/")
                {
                    index += 1
                }
                index += 2
            } else {
                break
            }
        }
        return index
    }
}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}
