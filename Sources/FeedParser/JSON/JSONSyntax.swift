/// Checks a JSON document by the grammar of RFC 8259, within bounds, and gives its root value.
///
/// A feed is not lost to what cannot be misunderstood: commas before a closing bracket, line breaks in a text,
/// numbers in another form, `NaN`, and whatever follows the root are taken, with a diagnostic where something is
/// left out. Values may be read without checks afterwards.
func checkedJSON(_ document: [UInt8], context: ParseContext) throws(FeedError) -> JSONValue {
    var syntax = JSONSyntax(document, context: context)
    let start = syntax.skipToRoot()
    try syntax.checkRoot()
    return JSONValue(bytes: document[start..<syntax.index])
}

/// Goes once through a JSON document.
private struct JSONSyntax {
    private let bytes: [UInt8]
    private let context: ParseContext
    private var lines = LineFinder()
    private(set) var index = 0
    /// The bytes that close what is open, the innermost last.
    private var closers: [UInt8] = []

    init(_ bytes: [UInt8], context: ParseContext) {
        self.bytes = bytes
        self.context = context
    }

    /// Skips what may precede a document: blanks, zero bytes and byte order marks.
    mutating func skipToRoot() -> Int {
        while let byte = current, byte <= 0x20 || byte == 0xEF || byte == 0xBB || byte == 0xBF { index += 1 }
        return index
    }

    mutating func checkRoot() throws(FeedError) {
        repeat {
            try checkValue()
            try checkEnd()
        } while !closers.isEmpty
        let end = index
        if let junk = bytes[end...].firstIndex(where: { $0 > 0x20 }) {
            context.note(line: lines.line(at: junk, in: bytes), .junk, "what follows the JSON was left out")
        }
    }

    /// Reads a plain value, or the beginning of a list or object up to its first plain value.
    private mutating func checkValue() throws(FeedError) {
        while true {
            skipBlanks()
            switch current {
            case UInt8(ascii: "{"):
                try open(closedBy: UInt8(ascii: "}"))
                if close() { return }
                try checkName()
            case UInt8(ascii: "["):
                try open(closedBy: UInt8(ascii: "]"))
                if close() { return }
            case UInt8(ascii: "\""):
                return try checkText()
            case .some(let byte) where isLiteralByte(byte):
                return try checkLiteral()
            case .some(let byte):
                throw fault("'\(printable(byte))' begins no value")
            case nil:
                throw cutOff()
            }
        }
    }

    /// Reads what follows a value, up to where another value must begin.
    private mutating func checkEnd() throws(FeedError) {
        while let closer = closers.last {
            skipBlanks()
            if close() { continue }
            guard let byte = current else { throw cutOff() }
            guard byte == UInt8(ascii: ",") else {
                throw fault("a ',' or '\(printable(closer))' is missing before '\(printable(byte))'")
            }
            index += 1
            skipBlanks()
            if close() { continue }
            if closer == UInt8(ascii: "}") { try checkName() }
            return
        }
    }

    private mutating func open(closedBy closer: UInt8) throws(FeedError) {
        guard closers.count < context.limits.jsonDepth else {
            throw .tooDeep(depth: context.limits.jsonDepth)
        }
        closers.append(closer)
        index += 1
        skipBlanks()
    }

    /// Closes the innermost list or object if it ends here.
    private mutating func close() -> Bool {
        guard let closer = closers.last, current == closer else { return false }
        closers.removeLast()
        index += 1
        return true
    }

    /// Reads a member's name and the colon behind it.
    private mutating func checkName() throws(FeedError) {
        guard let byte = current else { throw cutOff() }
        guard byte == UInt8(ascii: "\"") else {
            throw fault("a name in quotes is missing before '\(printable(byte))'")
        }
        try checkText()
        skipBlanks()
        guard let next = current else { throw cutOff() }
        guard next == UInt8(ascii: ":") else { throw fault("a ':' is missing before '\(printable(next))'") }
        index += 1
    }

    private mutating func checkText() throws(FeedError) {
        index += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"):
                index += 2
            case 0..<0x20:
                if context.takesMore {
                    let line = lines.line(at: index, in: bytes)
                    context.note(line: line, .controlCharacter, "a text holds a control character")
                }
                index += 1
            default:
                index += 1
            }
        }
        throw cutOff()
    }

    private mutating func checkLiteral() throws(FeedError) {
        let start = index
        while let byte = current, isLiteralByte(byte) { index += 1 }
        if bytes[start..<index].allSatisfy(\.isDigit) { return }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        // `Double` reads `NaN` and `Infinity`, and numbers that it can only round to infinity.
        if ["true", "false", "null"].contains(word) || Double(word) != nil { return }
        if index == bytes.count { throw cutOff() }
        index = start
        throw fault("'\(word.prefix(40))' is no value")
    }

    private mutating func skipBlanks() {
        while let byte = current, isJSONBlank(byte) { index += 1 }
    }

    private var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func fault(_ message: String) -> FeedError {
        .malformedJSON(line: lines.line(at: index, in: bytes), message: message)
    }

    private mutating func cutOff() -> FeedError {
        .malformedJSON(line: lines.line(at: bytes.count, in: bytes), message: "the document is cut off")
    }

    private func printable(_ byte: UInt8) -> String {
        byte > 0x20 && byte < 0x7F ? String(UnicodeScalar(byte)) : "byte \(byte)"
    }
}

/// Finds the line of a place in a document, quickly for places that follow one another.
struct LineFinder {
    private var offset = 0
    private var line = 1

    /// The line, counted from 1, of the byte at `place`.
    mutating func line(at place: Int, in bytes: [UInt8]) -> Int {
        let place = min(place, bytes.count)
        if place < offset { self = LineFinder() }
        line += bytes[offset..<place].reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
        offset = place
        return line
    }
}

func isJSONBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}

/// Whether a byte may stand in a number or a word such as `null`.
func isLiteralByte(_ byte: UInt8) -> Bool {
    byte.isDigit || byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "A") < 26
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
