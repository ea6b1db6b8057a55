/// Collects cleaned text: stretches of the input as they are, and what replaces the rest.
///
/// A long unchanged stretch goes to the sink without being copied; short ones are gathered first, for the parser
/// behind it is quicker with large pieces.
struct CleanOutput {
    private static let directByteCount = 16 * 1024

    /// A CDATA section is ended and begun again after this many bytes: libxml2 holds a section back until it knows
    /// where it ends, and searches it anew with every piece.
    private static let sectionLimit = 16 * 1024

    private let sink: (UnsafeRawBufferPointer) -> Void
    private var gathered: [UInt8] = []
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var runStart = 0
    /// Whether the output is within a CDATA section that the text of the input was turned into.
    private(set) var isInSection = false
    /// Bytes of the present CDATA section, ours or the input's.
    private var sectionByteCount = 0
    /// Whether the last byte of the section may be the first of a `]]>`.
    private var endsWithBracket = false

    init(sink: @escaping (UnsafeRawBufferPointer) -> Void) {
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

    /// Appends a character in UTF-8 and returns how many bytes that were.
    mutating func append(_ codePoint: UInt32) -> Int {
        let count = gathered.count
        gathered.appendUTF8(codePoint)
        return gathered.count - count
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
    mutating func appendAttributeValue(_ value: Slice<UnsafeRawBufferPointer>) {
        var index = value.startIndex
        while index < value.endIndex {
            let byte = value[index]
            switch byte {
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
            case 0x09, 0x0A, 0x0D: append(" ")
            case 0..<0x20, 0x7F: break
            default: gathered.append(byte)
            }
            index += 1
        }
    }

    /// Hands everything gathered to the sink.
    mutating func flush() {
        guard !gathered.isEmpty else { return }
        gathered.withUnsafeBytes(sink)
        gathered.removeAll(keepingCapacity: true)
    }

    private mutating func takeRun(to end: Int) {
        if end > runStart {
            let run = UnsafeRawBufferPointer(rebasing: input[runStart..<end])
            if run.count >= Self.directByteCount {
                flush()
                sink(run)
            } else {
                gathered.append(contentsOf: run)
                if gathered.count >= 4 * Self.directByteCount { flush() }
            }
        }
        runStart = max(runStart, end)
    }
}

extension CleanOutput {
    /// Notes that a CDATA section of the input begins.
    mutating func inputSectionBegins() { sectionByteCount = 0 }

    /// Ends a section of ours at this place of the input.
    mutating func endSection(at index: Int) {
        guard isInSection else { return }
        replace(from: index, to: index)
        append("]]>")
        isInSection = false
    }

    /// Writes a character in the place of the `count` bytes at `start`; returns `count`.
    ///
    /// It stands in a section, where it means itself.
    mutating func put(_ codePoint: UInt32, from start: Int, count: Int) -> Int {
        // In `]]>` the last would end the section too early.
        if codePoint == 0x3E, endsWithBracket { endSection(at: start) }
        beginSection(at: start)
        replace(from: start, to: start + count)
        sectionByteCount += append(codePoint)
        endsWithBracket = codePoint == 0x5D
        return count
    }

    /// Lets whole characters of a section pass, as many as it may still have; returns their bytes.
    mutating func passSection(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
        if sectionByteCount >= Self.sectionLimit { renewSection(at: start) }
        var last = min(end, start + Self.sectionLimit - sectionByteCount)
        while last < end, bytes[last] & 0xC0 == 0x80 { last += 1 }
        sectionByteCount += last - start
        endsWithBracket = bytes[last - 1] == 0x5D
        return last - start
    }

    /// Begins a section for text that libxml2 would not read as it stands, or one after a full one.
    private mutating func beginSection(at index: Int) {
        if isInSection {
            if sectionByteCount >= Self.sectionLimit { renewSection(at: index) }
            return
        }
        replace(from: index, to: index)
        append("<![CDATA[")
        isInSection = true
        sectionByteCount = 0
        endsWithBracket = false
    }

    private mutating func renewSection(at index: Int) {
        replace(from: index, to: index)
        append("]]><![CDATA[")
        sectionByteCount = 0
        endsWithBracket = false
    }
}
