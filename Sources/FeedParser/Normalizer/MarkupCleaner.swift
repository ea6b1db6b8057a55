/// Turns UTF-8 text that means to be XML into XML that libxml2 reads without losing anything.
///
/// A push filter: any split of the input gives the same output. It drops what a feed does not need (declaration,
/// document type, comments, processing instructions, control characters), turns every entity reference into the
/// character it stands for or into plain text, and closes what is left open.
///
/// From the first reference or fault on, the text of an element counts as a CDATA section, and the text of sections
/// goes past libxml2: that drops entity references after its first error, and takes longer with text than all else.
struct MarkupCleaner {
    enum State {
        case prolog, content, characterData, comment, declaration, instruction, documentType, finished
    }

    /// A tag longer than this is no tag: its `<` is text.
    private static let tagLimit = 256 * 1024

    /// The longest entity reference that is looked for, `&` and `;` included.
    private static let referenceLimit = 34

    /// Whether the input ended before the root element did.
    private(set) var isTruncated = false

    var state = State.prolog
    private var pending: [UInt8] = []
    var openTags = OpenTags()
    var output: CleanOutput
    private let lines = LineCounter()
    let context: ParseContext
    let roots: Set<String>
    private var subsetDepth = 0
    /// Bytes of the input before the piece that is being cleaned.
    private var cleanedByteCount = 0
    /// Where in the last piece the root element ends; -1 where it does not.
    private var rootEnd: Int?
    private var commentEnd = Lookahead(marks: ["-->", "--!>"])
    private var sectionEnd = Lookahead(marks: ["]]>"])

    /// Output goes to `sink` in pieces of any size.
    ///
    /// `roots` are the local names, in lower case, that a root element may have: other tags before it are junk.
    init(roots: Set<String>, context: ParseContext, sink: CleanXMLSink) {
        self.roots = roots
        self.context = context
        output = CleanOutput(sink: sink)
    }

    /// Whether the root element has been closed: the rest of the document does not matter.
    var isFinished: Bool { state == .finished }

    mutating func push(_ bytes: UnsafeRawBufferPointer) {
        guard state != .finished else { return }
        var rest = bytes
        // What is pending is completed with a part of what came, so that the most of it needs no copy. The part grows
        // with what is pending, so that nothing is copied often.
        while !pending.isEmpty, !rest.isEmpty {
            let heldCount = pending.count
            let taken = rest.prefix(max(4096, heldCount))
            var joined = pending
            pending = []
            joined.append(contentsOf: taken)
            let used = joined.withUnsafeBytes { clean($0, isLast: false) }
            if used >= heldCount {
                rest = UnsafeRawBufferPointer(rebasing: rest[(used - heldCount)...])
            } else {
                pending = used == 0 ? joined : Array(joined[used...])
                rest = UnsafeRawBufferPointer(rebasing: rest[taken.endIndex...])
            }
        }
        if !rest.isEmpty {
            let used = clean(rest, isLast: false)
            pending.append(contentsOf: rest[used...])
        }
        output.flush()
    }

    /// Whether the input ended within an item or entry.
    private(set) var isEntryCut = false

    /// Ends the input and closes what is open.
    mutating func finish() {
        guard state != .finished else { return }
        let rest = pending
        pending = []
        _ = rest.withUnsafeBytes { clean($0, isLast: true) }
        output.endSection(at: 0)
        if state != .finished, state != .prolog {
            isTruncated = true
            context.isCut = true
            output.flush()
            context.note(line: lines.line, .truncated, "the document is cut off")
        }
        while let name = openTags.pop() {
            if name.withUnsafeBytes({ isEntry($0[...]) }) { isEntryCut = true }
            output.appendEndTag(name)
        }
        output.flush()
        state = .finished
    }

    /// Cleans what can be decided of `bytes` and returns how many that were.
    private mutating func clean(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
        var index = 0
        output.begin(bytes)
        defer {
            output.end(at: index)
            lines.endPiece(at: index, bytes)
            cleanedByteCount += index
        }
        while index < bytes.count {
            let used: Int
            switch state {
            case .finished: return bytes.count
            case .prolog: used = cleanProlog(bytes, index, isLast)
            case .content: used = cleanContent(bytes, index, isLast)
            case .characterData: used = cleanCharacterData(bytes, index, isLast)
            case .comment: used = skip(past: commentEnd.marks, bytes, index, isLast)
            case .declaration: used = skip(past: declarationEnds, bytes, index, isLast)
            case .instruction: used = skip(past: instructionEnds, bytes, index, isLast)
            case .documentType: used = skipDocumentType(bytes, index)
            }
            if used == 0 { break }
            index += used
        }
        return index
    }

    /// Before the root element: everything that is no markup goes.
    private mutating func cleanProlog(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int {
        if bytes[start] != UInt8(ascii: "<") {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            return drop(bytes, start, end - start)
        }
        return cleanMarkup(bytes, start, isLast)
    }

    private mutating func cleanContent(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int {
        let end = endOfPlainText(bytes, from: start)
        if end > start { return end - start }
        switch bytes[start] {
        case UInt8(ascii: "<"): return cleanMarkup(bytes, start, isLast)
        case UInt8(ascii: "&"): return cleanReference(bytes, start, isLast)
        case UInt8(ascii: ">"): return output.put(0x3E, from: start, count: 1)
        default: return dropControlCharacter(bytes, start)
        }
    }

    private mutating func cleanCharacterData(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool)
        -> Int
    {
        let end = endOfCharacterData(bytes, from: start)
        if end > start { return end - start }
        guard bytes[start] == UInt8(ascii: "]") else { return dropControlCharacter(bytes, start) }
        let rest = bytes[start...]
        if rest.starts(with: "]]>".utf8) {
            // What follows up to the next tag may go on in the section.
            state = .content
            output.replace(from: start, to: start + 3)
            return 3
        }
        if !isLast, rest.count < 3, "]]>".utf8.starts(with: rest) { return 0 }
        return 1
    }

    /// At a `<`: tells what begins here.
    private mutating func cleanMarkup(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int {
        let rest = bytes[start...]
        // Enough to tell `<![CDATA[` from `<!DOCTYPE`.
        if !isLast, rest.count < 9, mayBeLongMarkup(rest) { return 0 }
        if rest.count > 1, bytes[start + 1] != UInt8(ascii: "!"), bytes[start + 1] != UInt8(ascii: "?") {
            // A tag, as nearly always.
        } else if let empty = emptyComments.first(where: { rest.starts(with: $0) }) {
            return drop(bytes, start, empty.count)
        } else if rest.starts(with: "<!--".utf8) {
            return cleanComment(bytes, start, isLast)
        } else if state == .content, isSectionStart(rest) {
            return cleanSection(bytes, start, isLast)
        } else if rest.starts(with: "<!".utf8) {
            subsetDepth = 0
            return enter(.documentType, bytes, start, 2)
        } else if rest.starts(with: "<?".utf8) {
            // A declaration holds no `>`, and ends at one even where its `?` is missing.
            let isDeclaration = rest.starts(with: "<?xml ".utf8)
            return enter(isDeclaration ? .declaration : .instruction, bytes, start, 2)
        }
        var tag = ScannedTag()
        let scan = scanTag(
            bytes, from: start, limit: Self.tagLimit, attributeLimit: context.limits.attributeCount,
            into: &tag)
        switch scan {
        case .tag: return cleanTag(tag, bytes, start)
        case .incomplete where !isLast: return 0
        case .incomplete where rest.count > 1 && (isNameStart(bytes[start + 1]) || bytes[start + 1] == 0x2F):
            // Cut off within a tag: what would have stood there is unknown.
            return drop(bytes, start, rest.count)
        case .incomplete, .none:
            if state == .prolog { return drop(bytes, start, 1) }
            if rest.count > Self.tagLimit, isNameStart(bytes[start + 1]) {
                note(
                    .fieldTooLong, bytes, start,
                    "a tag of more than \(Self.tagLimit >> 10) KB was taken as text")
            } else {
                note(.markup, bytes, start, "a '<' that begins no tag was taken as text")
            }
            return output.put(0x3C, from: start, count: 1)
        }
    }

    /// Skips a comment; one without an end is text, unless the document is cut off within it.
    private mutating func cleanComment(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int {
        switch findEnd(\.commentEnd, bytes, start, 4, isLast) {
        case .unknown: return 0
        case .closed: return enter(.comment, bytes, start, 4)
        case .open:
            if let root = openTags.first {
                let rootEnd = self.rootEnd ?? lastEndTag(of: root, in: bytes) ?? -1
                self.rootEnd = rootEnd
                if rootEnd < start { return enter(.comment, bytes, start, 4) }
            }
            note(.markup, bytes, start, "a comment that is not closed was read as markup")
            return drop(bytes, start, 4)
        }
    }

    /// Begins a CDATA section; one without an end ends where its element does.
    private mutating func cleanSection(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int {
        let end = findEnd(\.sectionEnd, bytes, start, 9, isLast)
        if end == .unknown { return 0 }
        output.beginSection(at: start)
        output.replace(from: start, to: start + 9)
        guard end == .open, let name = openTags.last,
            let endTag = firstEndTag(of: name, in: bytes, after: start + 9)
        else {
            state = .characterData
            return 9
        }
        note(.markup, bytes, start, "a CDATA section that is not closed ends with its element")
        let section = UnsafeRawBufferPointer(rebasing: bytes[..<endTag])
        var index = start + 9
        while true {
            index = endWithoutControls(section, from: index)
            if index >= endTag { return endTag - start }
            index += dropControlCharacter(bytes, index)
        }
    }

    /// Tells whether the comment or section that begins at `start` with a mark of `length` bytes has an end.
    private mutating func findEnd(
        _ lookahead: WritableKeyPath<MarkupCleaner, Lookahead>, _ bytes: UnsafeRawBufferPointer, _ start: Int,
        _ length: Int, _ isLast: Bool
    ) -> Lookahead.Result {
        let isFound = self[keyPath: lookahead].isFound(in: bytes, at: cleanedByteCount, from: start + length)
        // Only the end of the document tells that an end is missing. What is longer than may be held is legal.
        if isFound || bytes.count - start > context.limits.lookaheadByteCount { return .closed }
        return isLast ? .open : .unknown
    }

    private var interrupted: State { openTags.isEmpty ? .prolog : .content }

    private mutating func enter(_ state: State, _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int)
        -> Int
    {
        self.state = state
        return drop(bytes, start, count)
    }

    private mutating func cleanReference(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool) -> Int
    {
        let window = bytes[start...].prefix(Self.referenceLimit)
        let end = window.dropFirst().firstIndex { !isReferenceByte($0) }
        if end == nil, window.count < Self.referenceLimit, !isLast { return 0 }
        guard let end, bytes[end] == UInt8(ascii: ";"), end > start + 1 else {
            note(.ampersand, bytes, start, "a bare '&' was taken as text")
            return output.put(0x26, from: start, count: 1)
        }
        let length = end + 1 - start
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        switch resolveReference(name) {
        case .character(let codePoint) where codePoint == 0x0A || codePoint == 0x0D:
            // As it is it would count as a line of the document.
            output.endSection(at: start)
            output.replace(from: start, to: start + length)
            output.append("&#\(codePoint);")
        case .character(let codePoint): return output.put(codePoint, from: start, count: length)
        case .forbidden:
            note(.badReference, bytes, start, "the reference '&\(name);' stands for no character")
            output.replace(from: start, to: start + length)
        case .unknown:
            note(.entity, bytes, start, "'&\(name);' is no entity of HTML and was taken as text")
            return output.put(0x26, from: start, count: 1)
        }
        return length
    }

    /// Skips to the end of the first of the marks, which begin with the same byte.
    private mutating func skip(
        past marks: [[UInt8]], _ bytes: UnsafeRawBufferPointer, _ start: Int, _ isLast: Bool
    ) -> Int {
        var index = start
        while let first = bytes[index...].firstIndex(of: marks[0][0]) {
            let rest = bytes[first...]
            for mark in marks {
                if rest.starts(with: mark) {
                    state = interrupted
                    return drop(bytes, start, first + mark.count - start)
                }
                if rest.count < mark.count, !isLast, mark.starts(with: rest) {
                    return drop(bytes, start, first - start)
                }
            }
            index = first + 1
        }
        return drop(bytes, start, bytes.count - start)
    }

    /// Skips a document type, its internal subset included; nothing in it is believed.
    private mutating func skipDocumentType(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["): subsetDepth += 1
            case UInt8(ascii: "]"): subsetDepth -= 1
            case UInt8(ascii: ">") where subsetDepth <= 0:
                state = interrupted
                return drop(bytes, start, index + 1 - start)
            default: break
            }
            index += 1
        }
        return drop(bytes, start, bytes.count - start)
    }

    private mutating func dropControlCharacter(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        note(.controlCharacter, bytes, index, "a control character was left out")
        return drop(bytes, index, 1)
    }

    mutating func drop(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
        output.replace(from: start, to: start + count)
        // What goes leaves its line breaks, so that libxml2 counts the lines of the document.
        output.appendLineBreaks(lineBreakCount(bytes[start..<start + count]))
        return count
    }

    func note(
        _ code: Diagnostic.Code, _ bytes: UnsafeRawBufferPointer, _ index: Int,
        _ message: @autoclosure () -> String
    ) {
        guard context.takesMore else { return }
        context.note(line: lines.line(at: index, of: bytes), code, message())
    }
}

/// Whether a CDATA section begins here, in upper case or not.
private func isSectionStart(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    rest.count >= 9
        && rest.prefix(9).elementsEqual("<![CDATA[".utf8) {
            $0 == $1 || $0 & 0xDF == $1 && $1 >= 0x41 && $1 < 0x5B
        }
}

private func mayBeLongMarkup(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    rest.count < 2 || rest[rest.startIndex + 1] == UInt8(ascii: "!")
        || rest[rest.startIndex + 1] == UInt8(ascii: "?")
}

// HTML ends a comment in more ways than XML, and people write feeds as they write pages (WHATWG HTML §13.2.5.43).
private let emptyComments = ["<!-->", "<!--->"].map { Array($0.utf8) }
private let declarationEnds = [Array(">".utf8)]
private let instructionEnds = [Array("?>".utf8)]
