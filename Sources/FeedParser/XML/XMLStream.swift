internal import CLibXML2

/// Takes the events of an XML document.
protocol XMLHandler: AnyObject {
    func start(_ tag: StartTag)
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    func end(localName: UnsafePointer<UInt8>)
}

/// Reads clean UTF-8 XML with libxml2's SAX2 push parser; the text of CDATA sections goes past it.
///
/// The parser opens no file and no connection, and expands no entity but XML's own.
final class XMLStream {
    /// libxml2 copies what it is given into its own buffer: small pieces keep that buffer small.
    private static let pieceByteCount = 32 * 1024

    /// Names beyond this many are not remembered: only a hostile document has more.
    private static let knownNameLimit = 4096

    private struct QualifiedName: Hashable {
        // libxml2 keeps one copy of each name, so that equal names have equal addresses.
        var localName: UnsafePointer<xmlChar>
        var prefix: UnsafePointer<xmlChar>?
        var uri: UnsafePointer<xmlChar>?

        /// Where the name is looked for first; names lie close to one another.
        var slot: Int { Int(bitPattern: localName) >> 2 & (XMLStream.slotCount - 1) }
    }

    private struct KnownName {
        var name: QualifiedName
        var element: Element
        var id: Int
    }

    /// A power of two.
    private static let slotCount = 256

    private let handler: any XMLHandler
    private let context: ParseContext
    private var parser: xmlParserCtxtPtr?
    private var knownNames: [QualifiedName: KnownName] = [:]
    /// The names that came last, by their slot, for hashing takes longer than all else that is done with a tag.
    private var recentNames: [KnownName?] = Array(repeating: nil, count: slotCount)
    private var depth = 0
    /// Line breaks in text that libxml2 has not seen.
    private var passedLineCount = 0
    /// Why the document was given up; what comes after is left out.
    private(set) var failure: FeedError?

    /// The handler is kept; the line of the document goes to `context`.
    init(handler: any XMLHandler, context: ParseContext) throws(FeedError) {
        self.handler = handler
        self.context = context
        var callbacks = Self.makeCallbacks()
        // The callbacks find the stream through an unretained pointer: the parser lives no longer than it.
        let stream = Unmanaged.passUnretained(self).toOpaque()
        guard let parser = xmlCreatePushParserCtxt(&callbacks, stream, nil, 0, nil) else {
            throw .outOfMemory
        }
        self.parser = parser
        let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue)
        // The result names the options that libxml2 does not know: both are older than any version in use.
        _ = xmlCtxtUseOptions(parser, options)
    }

    deinit {
        xmlFreeParserCtxt(parser)
    }

    /// What a cleaner writes to.
    var sink: CleanXMLSink { CleanXMLSink(markup: push, text: pushText) }

    /// Parses the next bytes; they must be UTF-8.
    func push(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        while start < bytes.count, failure == nil {
            let count = min(Self.pieceByteCount, bytes.count - start)
            parse(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]), isLast: false)
            start += count
        }
    }

    /// Takes text that stands in the CDATA section that was begun last; it must be UTF-8.
    ///
    /// libxml2 looks at each of its bytes three times, and nothing in it can be a fault.
    func pushText(_ bytes: UnsafeRawBufferPointer) {
        passedLineCount += lineBreakCount(bytes[...])
        let text = bytes.bindMemory(to: UInt8.self)
        self.text(text.baseAddress, text.count)
    }

    /// Ends the document.
    func finish() {
        parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        guard let parser, failure == nil else { return }
        let text = bytes.bindMemory(to: CChar.self)
        // Errors come through the structured callback with their details; the code returned is the last of them.
        _ = xmlParseChunk(parser, text.baseAddress, Int32(text.count), isLast ? 1 : 0)
    }

    private func stop(_ error: FeedError) {
        failure = failure ?? error
        xmlStopParser(parser)
    }

    private static func makeCallbacks() -> xmlSAXHandler {
        var callbacks = xmlSAXHandler()
        callbacks.initialized = XML_SAX2_MAGIC
        callbacks.startElementNs = { stream, localName, prefix, uri, _, _, attributeCount, _, attributes in
            guard let localName else { return }
            XMLStream.from(stream)?.start(localName, prefix, uri, Int(attributeCount), attributes)
        }
        callbacks.endElementNs = { stream, localName, _, _ in
            guard let localName else { return }
            XMLStream.from(stream)?.end(localName)
        }
        callbacks.characters = { stream, text, count in
            XMLStream.from(stream)?.text(text, Int(count))
        }
        callbacks.cdataBlock = callbacks.characters
        callbacks.ignorableWhitespace = callbacks.characters
        callbacks.serror = { stream, error in
            guard let error else { return }
            XMLStream.from(stream)?.report(error.pointee)
        }
        return callbacks
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLStream? {
        pointer.map { Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(
        _ localName: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?,
        _ uri: UnsafePointer<xmlChar>?, _ attributeCount: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        guard failure == nil else { return }
        depth += 1
        if depth > context.limits.depth {
            stop(.tooDeep(depth: context.limits.depth))
            return
        }
        context.line = Int(parser?.pointee.input?.pointee.line ?? 0) + passedLineCount
        let name = QualifiedName(localName: localName, prefix: prefix, uri: uri)
        let known: KnownName
        if let recent = recentNames[name.slot], recent.name == name {
            known = recent
        } else {
            known = knownNames[name] ?? remember(name)
            recentNames[name.slot] = known
        }
        handler.start(
            StartTag(
                element: known.element, elementID: known.id < Self.knownNameLimit ? known.id : nil,
                isUnprefixed: prefix == nil, uri: uri, localName: localName, attributeParts: attributes,
                attributeCount: attributeCount))
    }

    private func remember(_ name: QualifiedName) -> KnownName {
        let namespace = namespace(
            uri: name.uri.map { String(cString: $0) }, prefix: name.prefix.map { String(cString: $0) })
        let element = Element(namespace, String(cString: name.localName).lowercased())
        let known = KnownName(name: name, element: element, id: knownNames.count)
        if knownNames.count < Self.knownNameLimit { knownNames[name] = known }
        return known
    }

    private func end(_ localName: UnsafePointer<xmlChar>) {
        guard failure == nil else { return }
        depth -= 1
        handler.end(localName: localName)
    }

    private func text(_ start: UnsafePointer<xmlChar>?, _ count: Int) {
        guard failure == nil else { return }
        handler.text(UnsafeBufferPointer(start: start, count: count))
    }

    private func report(_ error: xmlError) {
        // Namespaces that are not declared are common, and their prefixes are understood.
        guard error.domain != Int32(XML_FROM_NAMESPACE.rawValue) else { return }
        let message = error.message.map { String(cString: $0).trimmed } ?? ""
        context.note(line: Int(error.line) + passedLineCount, .xml, message)
    }
}
