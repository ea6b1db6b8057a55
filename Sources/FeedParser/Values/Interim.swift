internal import CLibXML2
public import FoundationEssentials

/// Strips tags and decodes character references, until the HTML reader takes over.
public func plainText(fromHTML html: String) -> String {
    var text = ""
    var rest = html[...]
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
        text += rest[..<next]
        rest = rest[next...]
        if rest.first == "<", let end = rest.firstIndex(of: ">") {
            text += " "
            rest = rest[rest.index(after: end)...]
        } else if rest.first == "&", let end = rest.prefix(34).firstIndex(of: ";"),
            case .character(let point) = resolveReference(String(rest[rest.index(after: next)..<end])),
            let scalar = Unicode.Scalar(point)
        {
            text.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: end)...]
        } else {
            text.append(rest.removeFirst())
        }
    }
    text += rest
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

public func discoverFeeds(inHTML: Data, baseURL: String?) -> [DiscoveredFeed] { [] }

func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed { throw .noFeedRoot }
