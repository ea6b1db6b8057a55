/// Clears HTML of what libxml2's HTML parser loses text over or takes quadratic time for.
///
/// Comments, scripts, style sheets, control characters and the brackets of CDATA sections go. A `<` that begins
/// no tag becomes `&lt;`, and so does one that no `>` follows. A tag with an absurd number of attributes goes:
/// libxml2 compares each with all before it.
func cleanedHTML(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let source = HTMLSource(bytes: bytes)
    var clean: [UInt8] = []
    clean.reserveCapacity(bytes.count + 16)
    var openSectionCount = 0
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "<"):
            switch source.markup(at: index) {
            case .text:
                clean.append(contentsOf: "&lt;".utf8)
                index += 1
            case .tag:
                clean.append(byte)
                index += 1
            case .sectionStart(let end):
                openSectionCount += 1
                index = end
            case .unwanted(let end):
                index = end
            }
        case UInt8(ascii: "]") where openSectionCount > 0 && source.matches("]]>", at: index):
            openSectionCount -= 1
            index += 3
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x80...:
            clean.append(byte)
            index += 1
        default:
            index += 1
        }
    }
    return clean
}

/// Bytes of HTML, and what a `<` among them begins.
private struct HTMLSource {
    enum Markup {
        case text
        case tag
        case sectionStart(end: Int)
        /// A comment, a script, a style sheet or a hostile tag.
        case unwanted(end: Int)
    }

    /// Attributes of one tag.
    private static let attributeLimit = 64
    /// Bytes of one tag outside quotation marks.
    private static let bareByteLimit = 1_024

    let bytes: UnsafeBufferPointer<UInt8>
    private let lastTagEnd: Int

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        lastTagEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    func markup(at start: Int) -> Markup {
        guard start < lastTagEnd, start + 1 < bytes.count else { return .text }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"):
            if matches("<!--", at: start) { return .unwanted(end: end(of: "-->", from: start + 4)) }
            return matches("<![cdata[", at: start) ? .sectionStart(end: start + 9) : .tag
        case UInt8(ascii: "?"):
            return .tag
        case UInt8(ascii: "/"):
            return start + 2 < bytes.count && isLetter(bytes[start + 2]) ? .tag : .text
        case let byte where isLetter(byte):
            if isElement("<script", at: start) {
                return .unwanted(end: endOfElement("</script", from: start))
            }
            if isElement("<style", at: start) { return .unwanted(end: endOfElement("</style", from: start)) }
            return startTag(at: start)
        default:
            return .text
        }
    }

    /// Whether the bytes from an index on are those of a lower-case text, in either case.
    func matches(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { offset in
            let byte = bytes[start + offset]
            let isCapital = byte &- UInt8(ascii: "A") < 26
            return (isCapital ? byte | 0x20 : byte) == text.utf8Start[offset]
        }
    }

    private func isElement(_ text: StaticString, at start: Int) -> Bool {
        let end = start + text.utf8CodeUnitCount
        return matches(text, at: start) && end < bytes.count && !isName(bytes[end])
    }

    /// The index behind the next occurrence of a text; the end of the bytes where there is none.
    private func end(of text: StaticString, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if matches(text, at: index) { return index + text.utf8CodeUnitCount }
            index += 1
        }
        return bytes.count
    }

    private func endOfElement(_ endTag: StaticString, from start: Int) -> Int {
        end(of: ">", from: end(of: endTag, from: start))
    }

    /// Follows the grammar of libxml2's `htmlParseStartTag`, so that no trick of quoting hides attributes.
    private func startTag(at start: Int) -> Markup {
        var index = end(from: start + 1, while: isName)
        var quotedByteCount = 0
        for _ in 0...Self.attributeLimit {
            index = end(from: index, while: isBlank)
            guard index < bytes.count, !isTagEnd(index) else { return .tag }
            let nameStart = index
            index = end(from: index, while: isName)
            if index == nameStart {
                index = endOfBareWord(from: index)
            } else {
                let afterName = end(from: index, while: isBlank)
                if afterName < bytes.count, bytes[afterName] == UInt8(ascii: "=") {
                    let valueStart = end(from: afterName + 1, while: isBlank)
                    index = endOfValue(from: valueStart)
                    if valueStart < bytes.count, isQuote(bytes[valueStart]) {
                        quotedByteCount += index - valueStart
                    }
                }
            }
            if index - start - quotedByteCount > Self.bareByteLimit { break }
        }
        return .unwanted(end: index)
    }

    private func endOfValue(from start: Int) -> Int {
        guard start < bytes.count, isQuote(bytes[start]) else {
            return end(from: start) { !isBlank($0) && $0 != UInt8(ascii: ">") }
        }
        return min(end(from: start + 1) { $0 != bytes[start] } + 1, bytes.count)
    }

    private func endOfBareWord(from start: Int) -> Int {
        var end = start
        while end < bytes.count, !isBlank(bytes[end]), !isTagEnd(end) { end += 1 }
        return end
    }

    private func end(from start: Int, while matches: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, matches(bytes[end]) { end += 1 }
        return end
    }

    private func isTagEnd(_ index: Int) -> Bool {
        let isSlash = bytes[index] == UInt8(ascii: "/") && index + 1 < bytes.count
        return bytes[isSlash ? index + 1 : index] == UInt8(ascii: ">")
    }

    private func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x2D...0x3A).contains(byte) && byte != UInt8(ascii: "/")
            || byte == UInt8(ascii: "_")
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
