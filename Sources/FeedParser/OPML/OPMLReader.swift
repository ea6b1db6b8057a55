public import FoundationEssentials

/// Reads a list of feeds, broken markup and missing attributes included.
///
/// Relative addresses are resolved against `baseURL`, the address of the document.
public func readOPML(_ document: Data, baseURL: String? = nil, limits: ParserLimits = ParserLimits())
    throws(FeedError) -> OPMLDocument
{
    let context = ParseContext(limits: limits, baseURL: baseURL)
    let builder = OPMLBuilder(context: context)
    let isTruncated = try parse([UInt8](document), with: builder, context: context)
    guard builder.isOPML else { throw .noOPMLRoot }
    let hasLongTag = context.diagnostics.contains { $0.code == .fieldTooLong }
    builder.document.isTruncated = builder.document.isTruncated || isTruncated || hasLongTag
    return builder.document
}

/// Tells from the beginning of a document whether it is an OPML list.
public func isOPML(_ start: Data) -> Bool {
    let context = ParseContext()
    let builder = OPMLBuilder(context: context)
    // Whether the beginning could be parsed does not matter: its root element tells.
    _ = try? parse([UInt8](start.prefix(16 * 1024)), with: builder, context: context)
    return builder.isOPML
}

/// Parses a document as feeds are parsed, and tells whether it is cut off.
private func parse(_ document: [UInt8], with builder: OPMLBuilder, context: ParseContext)
    throws(FeedError) -> Bool
{
    let stream = try XMLStream(handler: builder, context: context)
    var decoder = CharacterDecoder(contentType: nil)
    // The roots of feeds too, so that a feed that mentions OPML is no list.
    var cleaner = MarkupCleaner(roots: rootNames, context: context, sink: stream.sink)
    var decodedByteCount = 0
    try document.withUnsafeBufferPointer { (bytes) throws(FeedError) in
        try decoder.push(UnsafeRawBufferPointer(bytes), isLast: true) { (text) throws(FeedError) in
            decodedByteCount += text.count
            guard decodedByteCount <= context.limits.decodedByteCount else {
                throw FeedError.tooLarge(byteCount: context.limits.decodedByteCount)
            }
            cleaner.push(text)
        }
    }
    cleaner.finish()
    stream.finish()
    if let failure = stream.failure { throw failure }
    return cleaner.isTruncated
}

/// Builds the list from the elements of an OPML document.
private final class OPMLBuilder: XMLHandler {
    /// Folders deeper than this count as the one around them: nobody sorts feeds so finely.
    private static let folderDepth = 16

    /// Places of one feed beyond this number are left out.
    private static let placeCount = 16

    var document = OPMLDocument()
    private(set) var isOPML = false

    private let context: ParseContext
    private let resolver: URLResolver
    /// Where in the document each address stands.
    private var positions: [String: Int] = [:]
    private var folders: [String] = []
    /// For each open element whether it added a folder.
    private var openElements: [Bool] = []
    /// The text of the title while it is being read.
    private var title: [UInt8]?

    init(context: ParseContext) {
        self.context = context
        resolver = URLResolver(base: context.baseURL)
    }

    func start(_ tag: StartTag) {
        if openElements.isEmpty { isOPML = tag.element.name == "opml" }
        var isFolder = false
        switch tag.element.name {
        case "title" where document.title == nil: title = []
        case "outline" where isOPML: isFolder = startOutline(OPMLOutline(tag))
        default: break
        }
        openElements.append(isFolder)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let count = title?.count, count + bytes.count <= context.limits.fieldByteCount else { return }
        title?.append(contentsOf: bytes)
    }

    func end(localName: UnsafePointer<UInt8>) {
        if let text = title {
            document.title = plainLine(String(decoding: text, as: UTF8.self))
            title = nil
        }
        if openElements.popLast() == true { folders.removeLast() }
    }

    /// Takes the feed of an outline; one without is a folder.
    private func startOutline(_ outline: OPMLOutline) -> Bool {
        guard let url = outline.feedReference.flatMap(resolver.resolve) else {
            guard let name = outline.name, folders.count < Self.folderDepth else { return false }
            folders.append(name)
            return true
        }
        if positions[url] == nil {
            guard document.feeds.count < context.limits.episodeCount else {
                document.isTruncated = true
                return false
            }
            positions[url] = document.feeds.count
            var feed = OPMLFeed(
                url: url, title: outline.name == url ? nil : outline.name,
                website: outline.website.flatMap(resolver.resolve))
            feed.settings = outline.settings
            document.feeds.append(feed)
        }
        if let position = positions[url] {
            let categories = outline.categories.map { Array($0.prefix(Self.folderDepth)) }
            for place in [folders] + categories where !place.isEmpty {
                document.feeds[position].add(place, limit: Self.placeCount)
            }
        }
        return false
    }
}

extension OPMLFeed {
    /// Adds a place that is not known yet.
    fileprivate mutating func add(_ place: [String], limit: Int) {
        guard !places.contains(place), places.count < limit else { return }
        if folders.isEmpty { folders = place } else { otherFolders.append(place) }
    }
}

/// The attributes of an `outline` element, whose names are written in any case.
private struct OPMLOutline {
    private let attributes: [Attribute]

    /// What a list of ours says of the feed besides.
    let settings: [String: String]

    init(_ tag: StartTag) {
        let own = tag.attributes(inNamespace: opmlSettingsNamespace)
        settings = Dictionary(own.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        // A setting may have the name of an attribute of OPML.
        attributes = tag.attributes.filter { !own.contains($0) }
    }

    var name: String? { (self["title"] ?? self["text"]).flatMap(plainLine) }

    /// The feed's address: `xmlUrl`, or `url` where the outline is no link to something else.
    var feedReference: String? {
        if let reference = self["xmlurl"] { return reference }
        let type = self["type"]?.lowercased()
        return type == "link" || type == "include" ? nil : self["url"]
    }

    var website: String? { self["htmlurl"] }

    /// The categories as folders: `/Arts/Music,/Weather` gives Music within Arts, and Weather.
    var categories: [[String]] {
        (self["category"]?.split(separator: ",") ?? []).map { path in
            path.split(separator: "/").compactMap { foldedLine(String($0)) }
        }
    }

    private subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value.nonBlank
    }
}
