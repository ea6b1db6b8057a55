/// Takes a cleaned document as it comes.
struct CleanXMLSink {
    /// Takes XML, with an empty CDATA section wherever text is left out of it.
    let markup: (UnsafeRawBufferPointer) -> Void
    /// Takes text that stands in the section that was begun last, and means itself.
    let text: (UnsafeRawBufferPointer) -> Void
}

/// Collects cleaned text: stretches of the input as they are, and what replaces the rest.
///
/// A long unchanged stretch goes to the sink without being copied; short ones are gathered first, for the parser
/// behind it is quicker with large pieces.
struct CleanOutput {
    private static let directByteCount = 16 * 1024

    private let sink: CleanXMLSink
    private var gathered: [UInt8] = []
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var runStart = 0
    /// Whether the output is within a section, whose text goes past the XML parser.
    private(set) var isInSection = false

    init(sink: CleanXMLSink) {
        self.sink = sink
    }

    /// Begins a piece of input, which must stay in place until `end`.
    mutating func begin(_ bytes: UnsafeRawBufferPointer) {
        input = bytes
        runStart = 0
    }

    /// Ends the piece: what was not replaced up to `index` is handed on.
    mutating func end(at index: Int) {
        takeRun(to: index)
        input = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Leaves out the input from `start` to `end`; what is appended next stands in its place.
    mutating func replace(from start: Int, to end: Int) {
        takeRun(to: start)
        runStart = end
    }

    mutating func append(_ text: String) {
        gathered.append(contentsOf: text.utf8)
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        gathered.append(contentsOf: bytes)
    }

    mutating func appendLineBreaks(_ count: Int) {
        for _ in 0..<count { gathered.append(0x0A) }
    }

    mutating func appendEndTag(_ name: [UInt8]) {
        append("</")
        append(name)
        append(">")
    }

    /// Appends the value of an attribute, with everything escaped that must be.
    ///
    /// Tabs and line breaks become blanks (XML 1.0 §3.3.3), but go from addresses (WHATWG URL §4.4).
    mutating func appendAttributeValue(
        _ value: Slice<UnsafeRawBufferPointer>, of name: Slice<UnsafeRawBufferPointer>
    ) {
        var index = value.startIndex
        while index < value.endIndex {
            let plain = value[index...].prefix { isPlainInValue($0) }
            gathered.append(contentsOf: UnsafeRawBufferPointer(rebasing: plain))
            index = plain.endIndex
            guard index < value.endIndex else { break }
            switch value[index] {
            case UInt8(ascii: "&"):
                let end = value[(index + 1)...].prefix(32).firstIndex { !isReferenceByte($0) }
                if let end, value[end] == UInt8(ascii: ";"), end > index + 1 {
                    let name = String(decoding: value[index + 1..<end], as: UTF8.self)
                    switch resolveReference(name) {
                    case .character(let codePoint): append("&#\(codePoint);")
                    case .forbidden: break
                    case .unknown: append("&#38;\(name);")
                    }
                    index = end
                } else {
                    append("&#38;")
                }
            case UInt8(ascii: "<"): append("&#60;")
            case UInt8(ascii: "\""): append("&#34;")
            case 0x09, 0x0A, 0x0D: if !isAddressName(name) { append(" ") }
            default: break
            }
            index += 1
        }
    }

    /// Hands everything gathered to the sink.
    mutating func flush() {
        guard !gathered.isEmpty else { return }
        gathered.withUnsafeBytes(take)
        gathered.removeAll(keepingCapacity: true)
    }

    private var take: (UnsafeRawBufferPointer) -> Void { isInSection ? sink.text : sink.markup }

    private mutating func takeRun(to end: Int) {
        if end > runStart {
            let run = UnsafeRawBufferPointer(rebasing: input[runStart..<end])
            if run.count >= Self.directByteCount {
                flush()
                take(run)
            } else {
                gathered.append(contentsOf: run)
                if gathered.count >= 4 * Self.directByteCount { flush() }
            }
        }
        runStart = max(runStart, end)
    }
}

extension CleanOutput {
    /// From this place of the input on, text means itself and goes past the XML parser.
    mutating func beginSection(at index: Int) {
        guard !isInSection else { return }
        replace(from: index, to: index)
        // The parser hands on the text before a section that begins, and needs nothing of what the section holds.
        append("<![CDATA[")
        flush()
        isInSection = true
    }

    /// Ends a section at this place of the input, where there is one.
    mutating func endSection(at index: Int) {
        guard isInSection else { return }
        replace(from: index, to: index)
        flush()
        isInSection = false
        append("]]>")
    }

    /// Writes a character in the place of the `count` bytes at `start`; returns `count`.
    ///
    /// It stands in a section, where it means itself.
    mutating func put(_ codePoint: UInt32, from start: Int, count: Int) -> Int {
        beginSection(at: start)
        replace(from: start, to: start + count)
        gathered.appendUTF8(codePoint)
        return count
    }
}

/// Whether a byte may stand in the value of an attribute that is written with double quotes.
private func isPlainInValue(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: "\""): false
    default: true
    }
}

/// Whether an attribute of this name holds an address.
private func isAddressName(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return addressNames.contains(String(decoding: name[start...], as: UTF8.self).lowercased())
}

private let addressNames: Set<String> = [
    "about", "base", "feedurl", "href", "htmlurl", "image", "img", "link", "resource", "src", "uri", "url",
    "xmlurl",
]
