public import FoundationEssentials

/// Finds the feeds that a web page offers, in its order, each address once.
///
/// Those are its `<link rel="alternate">` elements with the type of a feed. Addresses are resolved against the
/// page's `<base>`, then `baseURL`. Looks at the first megabyte at most.
public func discoverFeeds(inHTML page: Data, baseURL: String?) -> [DiscoveredFeed] {
    let collector = FeedLinkCollector(baseURL: baseURL)
    let head = [UInt8](page.prefix(1 << 20))
    head.withUnsafeBufferPointer { readHTML($0, encoding: .declared, handler: collector) }
    return collector.feeds
}

/// Collects the feeds that the `link` elements of a page name.
private final class FeedLinkCollector: HTMLHandler {
    private(set) var feeds: [DiscoveredFeed] = []
    private var resolver: URLResolver
    private var hasBase = false
    private var knownAddresses: Set<String> = []

    init(baseURL: String?) {
        resolver = URLResolver(base: baseURL)
    }

    func start(_ name: String, _ attributes: HTMLAttributes) {
        switch name {
        case "base":
            // HTML heeds the first one only.
            guard !hasBase, let address = attributes["href"]?.nonBlank else { return }
            hasBase = true
            resolver = resolver.rebased(to: address)
        case "link":
            appendFeed(attributes)
        default:
            break
        }
    }

    func end(_ name: String) {}

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    private func appendFeed(_ attributes: HTMLAttributes) {
        let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        let type = attributes["type"].flatMap(mediaType)
        guard let reference = attributes["href"]?.nonBlank, let address = resolver.resolve(reference) else {
            return
        }
        guard relations.contains("feed") || (relations.contains("alternate") && isFeed(type, address)) else {
            return
        }
        guard knownAddresses.insert(address).inserted else { return }
        feeds.append(DiscoveredFeed(url: address, title: attributes["title"].flatMap(foldedLine), type: type))
    }
}

/// A media type without its parameters, in lower case.
private func mediaType(_ text: String) -> String? {
    text.prefix { $0 != ";" }.nonBlank?.lowercased()
}

private func isFeed(_ type: String?, _ address: String) -> Bool {
    switch type {
    case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json": true
    case "application/x-rss+xml", "application/xml", "text/xml", "text/rss+xml", "text/rss": true
    // Many programs offer their own data as JSON; a feed says so in its address.
    case "application/json": address.lowercased().contains("feed")
    default: false
    }
}
