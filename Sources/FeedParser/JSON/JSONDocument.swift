import FoundationEssentials

/// Reads a feed in JSON: a JSON Feed, or else the episodes of an AI podcast service.
func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed {
    let document = try parseJSON(bytes, context: context)
    let draft = Draft(context: context)
    guard var feed = isJSONFeed(document) ? readJSONFeed(document, draft) : readAIEpisodes(document, draft)
    else {
        throw .noFeedRoot
    }
    feed.isTruncated = context.isCut
    return feed
}

/// Parses a JSON document within the limits; what can be mended is mended, with a diagnostic.
func parseJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> JSONValue {
    // RFC 8259 section 8.1 knows UTF-8 only.
    var decoder = CharacterDecoder(contentType: nil)
    var text: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
        decoder.push(bytes, isLast: true) { text.append(contentsOf: $0) }
    }
    if decoder.repairedLine != nil { context.note(line: 0, .encoding, "the document is not UTF-8") }
    let extent = JSONExtent(of: text)
    guard extent.depth <= context.limits.jsonDepth else { throw .tooDeep(depth: context.limits.jsonDepth) }
    guard extent.valueCount <= context.limits.jsonValueCount else {
        throw .tooManyValues(count: context.limits.jsonValueCount)
    }
    if let end = extent.end {
        if text[end...].contains(where: { $0 > 0x20 }) {
            context.note(line: 0, .junk, "what stands behind the document was left out")
        }
        text.removeSubrange(end...)
    } else if let closed = closedDocument(text) {
        context.note(line: 0, .truncated, "the document is cut off")
        context.isCut = true
        text = closed
    }
    if extent.hasBadString {
        context.note(line: 0, .badReference, "strings hold characters or escapes that JSON does not allow")
        text = mendedStrings(text)
    }
    do {
        return try JSONDecoder().decode(JSONValue.self, from: Data(text))
    } catch {
        throw .malformedJSON
    }
}

/// What a JSON document would cost to decode, told in one pass and without recursion.
struct JSONExtent: Equatable {
    /// Objects and arrays within one another.
    private(set) var depth = 0
    /// Values, or a few more.
    private(set) var valueCount = 1
    /// Where the outermost object or list ends; nil where it does not.
    private(set) var end: Int?
    /// Whether a string holds a control character, or an escape that does not exist.
    private(set) var hasBadString = false

    init(of bytes: [UInt8]) {
        var openCount = 0
        var isInString = false
        var index = 0
        while index < bytes.count, end == nil {
            let byte = bytes[index]
            index += 1
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    if case .whole(let length) = jsonEscape(bytes, at: index - 1) {
                        index += length - 1
                    } else {
                        hasBadString = true
                    }
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if byte < 0x20 {
                    hasBadString = true
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                openCount += 1
                depth = max(depth, openCount)
                valueCount += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                openCount -= 1
                if openCount <= 0 { end = index }
            case UInt8(ascii: ","): valueCount += 1
            default: break
            }
        }
    }
}
