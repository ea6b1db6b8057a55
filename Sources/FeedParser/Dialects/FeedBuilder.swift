/// Builds a feed from the elements of an XML document, by the table of rules.
///
/// Episodes are handed on as their items end; the feed itself is complete after the last element.
final class FeedBuilder: XMLHandler {
    // A value, so that the exclusive access to it is checked once for each event, and not for each of its parts.
    private var assembly: FeedAssembly

    init(context: ParseContext, onEpisode: @escaping (Episode) -> Void) {
        assembly = FeedAssembly(context: context, onEpisode: onEpisode)
    }

    var rootKind: FeedAssembly.RootKind { assembly.rootKind }

    /// The feed without its episodes.
    func finish() -> Feed { assembly.finish() }

    func start(_ tag: StartTag) { assembly.start(tag) }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { assembly.text(bytes) }

    func end(localName: UnsafePointer<UInt8>) { assembly.end(localName: localName) }
}

/// The elements that are open, and what was read of the feed so far.
struct FeedAssembly {
    private(set) var rootKind = RootKind.none

    private let context: ParseContext
    private var draft: Draft
    private var frames: [Frame] = []
    /// The resolvers around those of the frames that have a base of their own.
    private var outerResolvers: [URLResolver] = []
    /// The text of the elements that are being read, the inner after the outer.
    private var text: [UInt8] = []
    /// What the innermost of the frames holds.
    private var innermost: Frame.Content?
    private var textUse = TextUse.none
    /// Where the text of the innermost element reaches the limit.
    private var textEnd = 0
    /// Elements of the document that are open.
    private var depth = 0
    /// Elements open within one that is left out.
    private var ignoredDepth = 0
    /// Elements open within one whose text is read.
    private var inlineDepth = 0
    private var ruleCache = RuleCache()
    /// What a name without prefix and namespace means in this document.
    private var defaultNamespace = Namespace.rss
    /// The namespace of the root element, whose elements are the feed's own whatever it is called.
    private var rootURI: UnsafePointer<UInt8>?

    /// What becomes of the text that stands directly in the innermost element.
    private enum TextUse { case none, plain, escaped }

    enum RootKind { case none, feed, webPage, feedList }

    /// An element that is open and known.
    private struct Frame {
        enum Content {
            case level(Level), attributes, text
            case markup(escapesText: Bool)

            var isText: Bool { if case .text = self { true } else { false } }
        }
        var content: Content
        var end: Rule.Handler?
        var field: Field
        var textStart: Int
        /// Elements of the document that are open around this one.
        var depth = 0
        /// Whether an `xml:base` changed the resolver.
        var hasBase = false
    }

    init(context: ParseContext, onEpisode: @escaping (Episode) -> Void) {
        self.context = context
        draft = Draft(context: context, onEpisode: onEpisode)
    }

    /// The feed without its episodes.
    func finish() -> Feed { draft.feed.finished() }

    mutating func start(_ tag: StartTag) {
        depth += 1
        if ignoredDepth > 0 {
            ignoredDepth += 1
            return
        }
        closeUnclosed(before: tag)
        switch innermost {
        case nil: startRoot(tag)
        case .attributes: ignoredDepth = 1
        case .level(let level): startChild(tag, at: level)
        case .text: inlineDepth += 1
        case .markup:
            inlineDepth += 1
            frames[frames.count - 1].field.hasMarkup = true
            appendMarkup(tag)
        }
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard ignoredDepth == 0, textUse != .none else { return }
        guard text.count + bytes.count <= textEnd else {
            let name = frames.last?.field.element.name ?? ""
            context.note(.fieldTooLong, "the text of '\(name)' was cut")
            return
        }
        if textUse == .escaped {
            appendEscaped(bytes)
        } else {
            text.append(contentsOf: bytes)
        }
    }

    mutating func end(localName: UnsafePointer<UInt8>) {
        depth -= 1
        if ignoredDepth > 0 {
            ignoredDepth -= 1
            return
        }
        if inlineDepth > 0 {
            inlineDepth -= 1
            if case .markup = innermost {
                let name = String(cString: localName)
                if !voidElements.contains(name) { text.append(contentsOf: "</\(name)>".utf8) }
            }
            return
        }
        // What was closed early has no frame any more.
        if frames.last?.depth == depth { endInnermost() }
    }

    private mutating func endInnermost() {
        guard var frame = frames.popLast() else { return }
        inlineDepth = 0
        innermostChanged()
        // Half a date or address is none; half a text is better than nothing.
        if let end = frame.end, !(context.isCut && frame.content.isText) {
            frame.field.text = String(decoding: text[frame.textStart...], as: UTF8.self)
            end(&draft, frame.field)
        }
        text.removeLast(text.count - frame.textStart)
        if frame.hasBase, let resolver = outerResolvers.popLast() { draft.resolver = resolver }
    }

    /// Ends elements that nobody closed, where the next tag tells that they are over.
    ///
    /// A field holds no other field of the level around it, and nothing but an entry holds what only a level further
    /// out knows as an entry.
    private mutating func closeUnclosed(before tag: StartTag) {
        while frames.count > 1, isOver(frames.count - 1, before: tag) {
            let name = frames[frames.count - 1].field.element.name
            context.note(.markup, "'\(name)' is not closed before '\(tag.element.name)'")
            endInnermost()
        }
    }

    private mutating func isOver(_ index: Int, before tag: StartTag) -> Bool {
        switch frames[index].content {
        case .level(let level) where level.mayHoldStrayEntries || level == .entry: return false
        // These hold fields of the same names as the level around them.
        case .level(.image), .level(.mediaContent): return beginsEntry(tag, around: index)
        case .level(let level) where rule(for: tag, at: level) != nil: return false
        case .markup where isMarkup(tag, within: frames[index]): return false
        case .level, .attributes, .text, .markup:
            guard case .level(let around) = frames[index - 1].content else { return false }
            return rule(for: tag, at: around) != nil || beginsEntry(tag, around: index - 1)
        }
    }

    /// Whether an element may be markup of a text rather than a field of its own.
    private func isMarkup(_ tag: StartTag, within frame: Frame) -> Bool {
        let name = tag.element.name
        if tag.element.namespace == .xhtml || blockNames.contains(name) { return true }
        guard noteNames.contains(frame.field.element.name) else { return false }
        // A title is one of HTML only in a head or a drawing.
        guard name == "title" else { return htmlNames.contains(name) }
        let notes = String(decoding: text[frame.textStart...], as: UTF8.self)
        return notes.contains("<head") || notes.contains("<svg")
    }

    /// Whether a level outside the frame at `index` knows this as an entry, and no entry stands between.
    private mutating func beginsEntry(_ tag: StartTag, around index: Int) -> Bool {
        guard tag.element.name == "item" || tag.element.name == "entry" else { return false }
        for frame in frames[..<index].reversed() {
            if case .level(let level) = frame.content, case .level(.entry, _, _)? = rule(for: tag, at: level)
            {
                return true
            }
        }
        return false
    }

    private mutating func startRoot(_ tag: StartTag) {
        let uri = tag.namespaceURI?.lowercased() ?? ""
        let attributes = tag.attributes
        let version = attributes.first { $0.name == "version" }?.value.trimmed
        rootKind = .feed
        rootURI = tag.uri
        var level = Level.root
        switch tag.element.name {
        case "rss": draft.feed.value.format = rssFormat(version: version)
        case "rdf": draft.feed.value.format = .rss10
        case "feed", "entry":
            defaultNamespace = .atom
            draft.feed.value.format = uri.contains("purl.org/atom") || version == "0.3" ? .atom03 : .atom10
            if tag.element.name == "feed" { level = .feed }
        case "channel": level = .feed
        case "item": level = .root
        case "html": rootKind = .webPage
        case "opml": rootKind = .feedList
        default: break
        }
        let isSingleEntry = tag.element.name == "entry" || tag.element.name == "item"
        if isSingleEntry {
            startChild(tag, at: .root)
            return
        }
        push(.level(level), Field(element: tag.element, attributes: attributes, text: ""), tag, end: nil)
        if level == .feed { draft.feed.language.offer(tag.xmlAttribute("lang"), rank: 2) }
    }

    private mutating func startChild(_ tag: StartTag, at level: Level) {
        guard let rule = rule(for: tag, at: level) else {
            if level.mayHoldStrayEntries {
                push(.level(.wrapper), Field(element: tag.element, attributes: [], text: ""), tag, end: nil)
            } else {
                ignoredDepth = 1
            }
            return
        }
        if case .level(.entry, _, _) = rule, draft.episodeCount >= context.limits.episodeCount {
            context.note(
                .tooManyEpisodes, "the episodes beyond \(context.limits.episodeCount) were left out")
            ignoredDepth = 1
            return
        }
        let field = Field(element: tag.element, attributes: tag.attributes, text: "")
        switch rule {
        case .attributes(let handler):
            withBase(of: tag) { handler(&$0, field) }
            push(.attributes, field, tag, end: nil)
        case .text(let handler): push(.text, field, tag, end: handler)
        case .markup(let handler): push(.markup(escapesText: holdsXML(field)), field, tag, end: handler)
        case .level(let inner, let begin, let end):
            push(.level(inner), field, tag, end: end)
            if inner == .feed { beginChannel(tag) }
            begin?(&draft, field)
            if inner == .entry { beginEntry(tag) }
        case .transparent: push(.level(level), field, tag, end: nil)
        }
    }

    private mutating func rule(for tag: StartTag, at level: Level) -> Rule? {
        guard let id = tag.elementID else { return findRule(for: tag, at: level) }
        if let known = ruleCache[id, level] { return known.rule }
        let rule = findRule(for: tag, at: level)
        ruleCache[id, level] = RuleCache.Entry(rule: rule)
        return rule
    }

    private func findRule(for tag: StartTag, at level: Level) -> Rule? {
        let element = tag.element
        let table = rules[level] ?? [:]
        let mayBePlain = element.namespace == .rss || element.namespace == .unknown
        if tag.isUnprefixed && mayBePlain || tag.isInNamespace(rootURI) {
            if let rule = table[defaultNamespace]?[element.name] { return rule }
        }
        if let rule = table[element.namespace]?[element.name] { return rule }
        // An RSS document may put all its elements into Atom's namespace, or into one of its own.
        let isDefault = tag.isUnprefixed && (element.namespace == .atom || element.namespace == .unknown)
        return isDefault || element.namespace == .rdf ? table[.rss]?[element.name] : nil
    }

    private mutating func push(_ content: Frame.Content, _ field: Field, _ tag: StartTag, end: Rule.Handler?)
    {
        var frame = Frame(
            content: content, end: end, field: field, textStart: text.count, depth: depth - 1)
        if !field.attributes.isEmpty, let base = tag.xmlAttribute("base") {
            frame.hasBase = true
            outerResolvers.append(draft.resolver)
            draft.resolver = draft.resolver.rebased(to: base)
        }
        frames.append(frame)
        innermostChanged()
    }

    private mutating func innermostChanged() {
        guard !frames.isEmpty else {
            innermost = nil
            textUse = .none
            return
        }
        let content = frames[frames.count - 1].content
        innermost = content
        textEnd = frames[frames.count - 1].textStart + context.limits.fieldByteCount
        switch content {
        // Text that stands directly in a feed or an entry means nothing, and is most of the white space.
        case .level(let level): textUse = level.holdsText ? .plain : .none
        case .attributes: textUse = .none
        case .text, .markup(escapesText: false): textUse = .plain
        case .markup(escapesText: true): textUse = .escaped
        }
    }

    private mutating func withBase(of tag: StartTag, _ body: (inout Draft) -> Void) {
        guard let base = tag.xmlAttribute("base") else {
            body(&draft)
            return
        }
        let outer = draft.resolver
        draft.resolver = outer.rebased(to: base)
        body(&draft)
        draft.resolver = outer
    }

    private mutating func beginChannel(_ tag: StartTag) {
        if draft.feed.value.format == .rss10, tag.namespaceURI?.contains("netscape.com") == true {
            draft.feed.value.format = .rss090
        }
        draft.feed.language.offer(tag.xmlAttribute("lang"), rank: 2)
    }

    private mutating func beginEntry(_ tag: StartTag) {
        guard draft.feed.value.format == .rss10 || draft.feed.value.format == .rss090 else { return }
        // RSS 1.0 names an item by `rdf:about`.
        draft.entry.guid.offer(tag.attributes.first { $0.name == "about" }?.value.nonBlank, rank: 4)
    }
}

extension FeedAssembly {
    private mutating func appendMarkup(_ tag: StartTag) {
        text.append(contentsOf: "<\(tag.writtenName)".utf8)
        for attribute in tag.attributes {
            let value = escapedForHTML(attribute.value).replacing("\"", with: "&quot;")
            text.append(contentsOf: " \(attribute.name)=\"\(value)\"".utf8)
        }
        text.append(UInt8(ascii: ">"))
    }

    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): text.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: "&"): text.append(contentsOf: "&amp;".utf8)
            default: text.append(byte)
            }
        }
    }
}

/// Fields that hold whole documents.
private let noteNames: Set<String> = ["description", "encoded", "content", "summary", "subtitle"]

// Elements of HTML that have the names of fields: what may stand in any text, and what in notes.
private let blockNames: Set<String> = ["div", "body"]
private let htmlNames: Set<String> = ["link", "source", "summary", "image", "category"]

/// Elements of HTML that have no end tag.
private let voidElements: Set<String> = ["br", "hr", "img", "wbr"]

extension Level {
    /// Whether text that stands directly in an element of this level is wanted.
    fileprivate var holdsText: Bool {
        switch self {
        case .person, .image, .itunesCategory: true
        default: false
        }
    }

    /// Whether an unknown element of this level is searched for feeds and entries.
    fileprivate var mayHoldStrayEntries: Bool {
        self == .root || self == .feed || self == .wrapper
    }
}

private func rssFormat(version: String?) -> FeedFormat {
    switch version ?? "" {
    case "0.90", "0.9": .rss090
    case "0.91": .rss091
    case "0.92": .rss092
    case "0.93": .rss093
    case "0.94": .rss094
    case "1.0": .rss10
    default: .rss20
    }
}

/// Whether an Atom text construct holds elements, so that its characters must be escaped to stand among them.
private func holdsXML(_ field: Field) -> Bool {
    guard field.element.namespace == .atom || field.element.namespace == .rss else { return false }
    let type = field["type"]?.lowercased() ?? ""
    let mode = field["mode"]?.lowercased()
    return type == "xhtml" || type.hasSuffix("+xml") || (mode == "xml" && type.contains("html"))
}
