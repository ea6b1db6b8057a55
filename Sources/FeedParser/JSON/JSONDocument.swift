import FoundationEssentials

/// Reads a feed in JSON: a JSON Feed, or else the episodes of an AI podcast service.
func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed {
    let document = try parseJSON(bytes, context: context)
    let draft = Draft(context: context)
    if isJSONFeed(document) { return readJSONFeed(document, draft) }
    if let feed = readAIEpisodes(document, draft) { return feed }
    throw .noFeedRoot
}

/// Parses a JSON document within the limits; bytes that are not UTF-8 cost a character each.
func parseJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> JSONValue {
    let extent = JSONExtent(of: bytes)
    guard extent.depth <= context.limits.jsonDepth else { throw .tooDeep(depth: context.limits.jsonDepth) }
    guard extent.valueCount <= context.limits.jsonValueCount else {
        throw .tooManyValues(count: context.limits.jsonValueCount)
    }
    var text = bytes
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    // RFC 8259 section 8.1 knows UTF-8 only; a stray byte costs one character and not the feed.
    if String(validating: text, as: UTF8.self) == nil {
        context.note(line: 0, .encoding, "the document is not UTF-8")
        text = Array(String(decoding: text, as: UTF8.self).utf8)
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

    init(of bytes: [UInt8]) {
        var openCount = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                openCount += 1
                depth = max(depth, openCount)
                valueCount += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): openCount -= 1
            case UInt8(ascii: ","): valueCount += 1
            default: break
            }
        }
    }
}
