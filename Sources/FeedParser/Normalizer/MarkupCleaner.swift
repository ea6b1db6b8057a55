/// Turns UTF-8 text that means to be XML into XML that libxml2 reads without losing anything.
///
/// A push filter: any split of the input gives the same output. It drops what a feed does not need (declaration,
/// document type, comments, processing instructions, control characters), turns every entity reference into the
/// character it stands for or into plain text, and closes what is left open.
///
/// From the first reference or fault on, the text of an element counts as a CDATA section, and the text of sections
/// goes past libxml2: that drops entity references after its first error, and takes longer with text than all else.
struct MarkupCleaner {
    private enum State {
        case prolog, content, characterData, comment, declaration, instruction, documentType, finished
    }

    /// A tag longer than this is no tag: its `<` is text.
    private static let tagLimit = 256 * 1024

    /// The longest entity reference that is looked for, `&` and `;` included.
    private static let referenceLimit = 34

    /// Whether the input ended before the root element did.
    private(set) var isTruncated = false

    private var state = State.prolog
    private var pending: [UInt8] = []
    private var openTags = OpenTags()
    private var output: CleanOutput
    private let lines = LineCounter()
    private let context: ParseContext
    private let roots: Set<String>
    private var subsetDepth = 0

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
        if pending.isEmpty {
            let used = clean(bytes, isLast: false)
            pending.append(contentsOf: bytes[used...])
        } else {
            var joined = pending
            joined.append(contentsOf: bytes)
            let used = joined.withUnsafeBytes { clean($0, isLast: false) }
            pending = Array(joined[used...])
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
        }
        while index < bytes.count {
            let used: Int
            switch state {
            case .finished: return bytes.count
            case .prolog: used = cleanProlog(bytes, index, isLast)
            case .content: used = cleanContent(bytes, index, isLast)
            case .characterData: used = cleanCharacterData(bytes, index, isLast)
            case .comment: used = skip(past: commentEnds, bytes, index, isLast)
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
            return enter(.comment, bytes, start, 4)
        } else if state == .content, isSectionStart(rest) {
            state = .characterData
            output.beginSection(at: start)
            output.replace(from: start, to: start + 9)
            return 9
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
            note(.markup, bytes, start, "a '<' that begins no tag was taken as text")
            return output.put(0x3C, from: start, count: 1)
        }
    }

    private var interrupted: State { openTags.isEmpty ? .prolog : .content }

    private mutating func enter(_ state: State, _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int)
        -> Int
    {
        self.state = state
        return drop(bytes, start, count)
    }

    private mutating func cleanTag(_ tag: ScannedTag, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        let name = bytes[tag.name]
        if state == .prolog, tag.isEnd || !roots.contains(localName(name)) {
            note(.junk, bytes, start, "markup before the root element was left out")
            return drop(bytes, start, tag.length)
        }
        if tag.isEnd { return cleanEndTag(tag, name, bytes, start) }
        state = .content
        output.endSection(at: start)
        closeImplied(before: name, at: start)
        if tag.isEmpty && openTags.isEmpty {
            state = .finished
        } else if !tag.isEmpty {
            openTags.push(name)
        }
        guard !tag.isClean else { return tag.length }
        if tag.hasTooManyAttributes {
            note(
                .tooManyAttributes, bytes, start,
                "the attributes beyond \(context.limits.attributeCount) were left out")
        }
        output.replace(from: start, to: start + tag.length)
        output.append("<")
        output.append(name)
        for attribute in tag.attributes {
            let attributeName = bytes[attribute.name]
            output.append(" ")
            output.append(attributeName)
            output.append("=\"")
            output.appendAttributeValue(bytes[attribute.value])
            output.append("\"")
        }
        output.appendLineBreaks(lineBreakCount(bytes[start..<start + tag.length]))
        output.append(tag.isEmpty ? "/>" : ">")
        return tag.length
    }

    /// Ends what cannot hold the element that begins: elements of HTML without end tags, and an item within an item.
    private mutating func closeImplied(before name: Slice<UnsafeRawBufferPointer>, at start: Int) {
        guard name.count <= 6 else { return }
        var count = 0
        if openTags.lastIs(oneOf: voidNames)
            || (name.count <= 2 && selfClosingNames.contains { areEqual(name, $0) } && openTags.lastIs(name))
        {
            count = 1
        } else if isEntry(name), let depth = openTags.distance(to: name) {
            count = depth + 1
        }
        guard count > 0 else { return }
        output.replace(from: start, to: start)
        for _ in 0..<count {
            if let open = openTags.pop() { output.appendEndTag(open) }
        }
    }

    /// Closes the nearest open element of that name, and those within it; an end tag without a start goes.
    private mutating func cleanEndTag(
        _ tag: ScannedTag, _ name: Slice<UnsafeRawBufferPointer>, _ bytes: UnsafeRawBufferPointer,
        _ start: Int
    ) -> Int {
        let isLast = openTags.lastIs(name)
        guard let depth = isLast ? 0 : openTags.distance(to: name) else {
            note(
                .markup, bytes, start, "the end tag '\(String(decoding: name, as: UTF8.self))' closes nothing"
            )
            return drop(bytes, start, tag.length)
        }
        output.endSection(at: start)
        if !isLast || !tag.isClean {
            if depth > 0 {
                note(
                    .markup, bytes, start,
                    "'\(String(decoding: name, as: UTF8.self))' ends before what it contains")
            }
            output.replace(from: start, to: start + tag.length)
            for _ in 0...depth {
                if let open = openTags.pop() { output.appendEndTag(open) }
            }
        } else {
            openTags.dropLast()
        }
        if openTags.isEmpty { state = .finished }
        return tag.length
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

    private mutating func drop(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
        output.replace(from: start, to: start + count)
        // What goes leaves its line breaks, so that libxml2 counts the lines of the document.
        output.appendLineBreaks(lineBreakCount(bytes[start..<start + count]))
        return count
    }

    private func note(
        _ code: Diagnostic.Code, _ bytes: UnsafeRawBufferPointer, _ index: Int,
        _ message: @autoclosure () -> String
    ) {
        guard context.takesMore else { return }
        context.note(line: lines.line(at: index, of: bytes), code, message())
    }
}

/// The name without its prefix, in lower case.
private func localName(_ name: Slice<UnsafeRawBufferPointer>) -> String {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self).lowercased()
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
private let commentEnds = ["-->", "--!>"].map { Array($0.utf8) }
private let emptyComments = ["<!-->", "<!--->"].map { Array($0.utf8) }
private let declarationEnds = [Array(">".utf8)]
private let instructionEnds = [Array("?>".utf8)]

private func isEntry(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    areEqual(name, "item") || areEqual(name, "entry")
}

/// Elements of HTML that hold nothing.
private let voidNames: [StaticString] = ["br", "hr", "img", "wbr"]

/// Elements of HTML that end where the next of their kind begins.
private let selfClosingNames: [StaticString] = ["p", "li", "dt", "dd", "tr", "td", "th"]
