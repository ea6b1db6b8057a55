import FoundationEssentials

/// Reads a feed in XML from bytes as they arrive: characters decoded, markup repaired, elements understood.
final class XMLFeedReader {
    /// Enough of a web page for the head that names its feeds.
    private static let pageByteCount = 256 * 1024

    private let context: ParseContext
    private let builder: FeedBuilder
    private let stream: XMLStream
    private var decoder: CharacterDecoder
    private var cleaner: MarkupCleaner
    private var decodedByteCount = 0
    /// The first bytes, kept until they turn out to belong to a feed.
    private var head: [UInt8] = []

    init(contentType: String?, context: ParseContext, onEpisode: @escaping (Episode) -> Void)
        throws(FeedError)
    {
        self.context = context
        builder = FeedBuilder(context: context, onEpisode: onEpisode)
        let stream = try XMLStream(handler: builder, context: context)
        self.stream = stream
        decoder = CharacterDecoder(contentType: contentType)
        cleaner = MarkupCleaner(roots: rootNames, context: context, sink: stream.sink)
    }

    func push(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        switch builder.rootKind {
        case .none: head.append(contentsOf: bytes.prefix(Self.pageByteCount - head.count))
        case .webPage:
            head.append(contentsOf: bytes.prefix(Self.pageByteCount - head.count))
            return
        case .feedList: throw .feedList
        case .feed: head = []
        }
        try decode(bytes, isLast: false)
    }

    func finish() throws(FeedError) -> Feed {
        if builder.rootKind != .webPage {
            try decode(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
            cleaner.finish()
            stream.finish()
            if let failure = stream.failure { throw failure }
        }
        switch builder.rootKind {
        case .webPage: throw webPage()
        case .feedList: throw .feedList
        case .none:
            throw looksLikeWebPage(head) ? webPage() : head.allSatisfy { $0 <= 0x20 } ? .empty : .noFeedRoot
        case .feed: break
        }
        if let line = decoder.repairedLine {
            context.note(line: line, .encoding, "the bytes are not in the encoding that the document states")
        }
        var feed = builder.finish()
        feed.isTruncated = cleaner.isTruncated
        feed.isLastEpisodeCut = cleaner.isEntryCut
        return feed
    }

    private func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(FeedError) {
        try decoder.push(bytes, isLast: isLast) { (text: UnsafeRawBufferPointer) throws(FeedError) in
            decodedByteCount += text.count
            guard decodedByteCount <= context.limits.decodedByteCount else {
                throw FeedError.tooLarge(byteCount: context.limits.decodedByteCount)
            }
            cleaner.push(text)
        }
        if let failure = stream.failure { throw failure }
    }

    private func webPage() -> FeedError {
        .webPage(feeds: discoverFeeds(inHTML: Data(head), baseURL: context.baseURL))
    }
}

/// Whether bytes that hold no feed hold elements of HTML.
private func looksLikeWebPage(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(16 * 1024), as: UTF8.self).lowercased()
    return [
        "<html", "<!doctype html", "<head", "<body", "<title", "<div", "<p>", "<script", "<h1", "<center",
    ]
    .contains { text.contains($0) }
}
