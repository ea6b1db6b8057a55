import FoundationEssentials

/// Reads a feed in JSON: a JSON Feed, or else the episodes of an AI podcast service.
func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed {
    let document = try parseJSON(bytes, context: context)
    let draft = Draft(context: context)
    if isJSONFeed(document) { return readJSONFeed(document, draft) }
    if let feed = readAIEpisodes(document, draft) { return feed }
    throw .noFeedRoot
}

private func parseJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> JSONValue {
    guard jsonDepth(bytes) <= context.limits.jsonDepth else {
        throw .tooDeep(depth: context.limits.jsonDepth)
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

/// How deep objects and arrays stand within one another, told without recursion.
func jsonDepth(_ bytes: [UInt8]) -> Int {
    var depth = 0
    var deepest = 0
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
            depth += 1
            deepest = max(deepest, depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
    return deepest
}
