internal import CLibXML2

/// Takes the events of an HTML document; each start has its end.
protocol HTMLHandler: AnyObject {
    func start(_ name: String, _ attributes: HTMLAttributes)
    func end(_ name: String)
    /// Takes a piece of text, its entities decoded.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// The attributes of the tag that a handler is being told of; valid within that call only.
struct HTMLAttributes {
    fileprivate let parts: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    /// The value of an attribute by its lower-case name; nil where there is none.
    subscript(name: String) -> String? {
        guard var part = parts else { return nil }
        // libxml2 gives name, value, name, value, …, nil.
        while let key = part[0] {
            if String(cString: key) == name { return part[1].map { String(cString: $0) } ?? "" }
            part += 2
        }
        return nil
    }
}

/// How the characters of an HTML document are encoded.
enum HTMLEncoding {
    case utf8
    /// As its `meta` element says, or by libxml2's guess.
    case declared
}

/// Reads HTML with libxml2's HTML parser, which mends what is broken.
///
/// Bounded time and stack for any input: beyond a nesting of 200 elements all are closed and the rest is read
/// as a new document. A document in a declared encoding ends there.
func readHTML(_ html: UnsafeBufferPointer<UInt8>, encoding: HTMLEncoding, handler: any HTMLHandler) {
    var rest = cleanedHTML(html)[...]
    while !rest.isEmpty {
        let reader = HTMLReader(handler: handler)
        let byteCount = rest.withUnsafeBufferPointer { reader.read($0, encoding: encoding) }
        guard let byteCount, byteCount > 0, encoding == .utf8 else { return }
        // The parser tells of a tag when it stands before its `>` or `/>`.
        rest = rest.dropFirst(byteCount).drop { $0 == UInt8(ascii: "/") }
        if rest.first == UInt8(ascii: ">") { rest = rest.dropFirst() }
    }
}

/// Reads one document up to a bounded depth.
private final class HTMLReader {
    private static let depthLimit = 200

    private let handler: any HTMLHandler
    private var parser: htmlParserCtxtPtr?
    private var depth = 0
    private var stopOffset: Int?

    init(handler: any HTMLHandler) {
        self.handler = handler
    }

    /// Reads a document; the number of bytes read if it was too deep, nil if it came to its end.
    func read(_ html: UnsafeBufferPointer<UInt8>, encoding: HTMLEncoding) -> Int? {
        xmlInitParser()
        let byteCount = Int32(clamping: html.count)
        let text = UnsafeRawBufferPointer(html).bindMemory(to: CChar.self)
        guard let parser = htmlCreateMemoryParserCtxt(text.baseAddress, byteCount) else { return nil }
        self.parser = parser
        defer {
            self.parser = nil
            htmlFreeParserCtxt(parser)
        }
        // The parser owns its handler table and copies this one into it.
        parser.pointee.sax.pointee = Self.callbacks
        // The callbacks find the reader through an unretained pointer: the parser is freed before `read` returns.
        parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        var options = HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        if encoding == .utf8 {
            options |= HTML_PARSE_IGNORE_ENC.rawValue
            // UTF-8 is what libxml2 itself works with: it has no converter that could be missing.
            _ = xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8)
        }
        // What comes back are the options that libxml2 does not know: it knows these.
        _ = htmlCtxtUseOptions(parser, Int32(options))
        // The result only says whether the HTML was well formed.
        _ = htmlParseDocument(parser)
        return stopOffset
    }

    private static var callbacks: xmlSAXHandler {
        var callbacks = xmlSAXHandler()
        callbacks.startElement = { reader, name, attributes in
            guard let name else { return }
            HTMLReader.from(reader)?.start(String(cString: name), HTMLAttributes(parts: attributes))
        }
        callbacks.endElement = { reader, name in
            guard let name else { return }
            HTMLReader.from(reader)?.end(String(cString: name))
        }
        callbacks.characters = { reader, text, byteCount in
            HTMLReader.from(reader)?.text(UnsafeBufferPointer(start: text, count: Int(byteCount)))
        }
        callbacks.ignorableWhitespace = callbacks.characters
        return callbacks
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> HTMLReader? {
        pointer.map { Unmanaged<HTMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(_ name: String, _ attributes: HTMLAttributes) {
        guard stopOffset == nil else { return }
        depth += 1
        handler.start(name, attributes)
        if depth > Self.depthLimit { stop() }
    }

    private func end(_ name: String) {
        guard depth > 0 else { return }
        depth -= 1
        handler.end(name)
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard stopOffset == nil else { return }
        guard holdsControlCharacter(bytes) else { return handler.text(bytes) }
        replacingControlCharacters(bytes).withUnsafeBufferPointer { handler.text($0) }
    }

    /// Stops behind the start tag that was just read.
    private func stop() {
        stopOffset = xmlByteConsumed(parser)
        xmlStopParser(parser)
    }
}

/// Whether UTF-8 text holds a character from U+007F to U+009F.
private func holdsControlCharacter(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.indices.contains { text[$0] == 0x7F || isHighControlCharacter(text, at: $0) }
}

/// U+0080 to U+009F are meant as Windows-1252 (HTML Standard, numeric character reference end state).
private func replacingControlCharacters(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var clean: [UInt8] = []
    var index = 0
    while index < text.count {
        if isHighControlCharacter(text, at: index) {
            let codePoint = windows1252CodePoint(text[index + 1])
            if !(0x80..<0xA0).contains(codePoint) { clean.appendUTF8(codePoint) }
            index += 2
        } else {
            if text[index] != 0x7F { clean.append(text[index]) }
            index += 1
        }
    }
    return clean
}

private func isHighControlCharacter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    text[index] == 0xC2 && index + 1 < text.count && (0x80..<0xA0).contains(text[index + 1])
}
