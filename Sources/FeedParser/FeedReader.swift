public import FoundationEssentials

/// Reads a feed from bytes as they arrive.
///
/// A reader belongs to one thread and reads one document: any number of `feed` calls, then one `finish`. An error
/// ends it.
public final class FeedReader {
    private enum Phase {
        /// Only blanks and a byte order mark came so far.
        case beginning([UInt8])
        case xml(XMLFeedReader)
        case json([UInt8])
    }

    /// A document that begins with more blanks than this is none.
    private static let blankByteCount = 1 << 20

    private let context: ParseContext
    private let contentType: String?
    private let onEpisode: ((Episode) -> Void)?
    private var phase = Phase.beginning([])
    /// Unpacks the document, where it is packed.
    private var gunzip: Gunzip?
    private let kept = KeptEpisodes()

    /// Holds episodes for the feed where nobody else takes them.
    private final class KeptEpisodes {
        var episodes: [Episode] = []
    }

    /// Prepares to read one document.
    ///
    /// `baseURL` is the document's address, against which relative addresses are resolved; `contentType` the value
    /// of the HTTP header. `onEpisode` takes each episode as its item closes; the feed then keeps no episodes.
    public init(
        baseURL: String? = nil, contentType: String? = nil, limits: ParserLimits = ParserLimits(),
        onEpisode: ((Episode) -> Void)? = nil
    ) {
        context = ParseContext(limits: limits, baseURL: baseURL)
        self.contentType = contentType
        self.onEpisode = onEpisode
    }

    /// Takes the next bytes of the document, in pieces of any size; a gzip file is unpacked.
    public func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        if let gunzip {
            try gunzip.push(bytes) { (piece) throws(FeedError) in try take(piece) }
        } else {
            try take(bytes)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        switch phase {
        case .beginning(var start):
            phase = .beginning([])
            let seenCount = start.count
            start.append(contentsOf: bytes)
            try begin(start, seenCount: seenCount)
        case .xml(let reader):
            try reader.push(bytes)
        case .json(var document):
            phase = .json([])
            guard document.count + bytes.count <= context.limits.decodedByteCount else {
                throw .tooLarge(byteCount: context.limits.decodedByteCount)
            }
            document.append(contentsOf: bytes)
            phase = .json(document)
        }
    }

    /// Ends the document and gives the feed.
    public func finish() throws(FeedError) -> Feed {
        var feed: Feed
        switch phase {
        case .beginning:
            if gunzip?.isCut == true { throw .undecodable(encoding: "gzip") }
            throw .empty
        case .xml(let reader): feed = try reader.finish()
        case .json(let document):
            feed = try readJSON(document, context: context)
            if let onEpisode {
                for episode in feed.episodes { onEpisode(episode) }
                feed.episodes = []
            }
        }
        if let gunzip, gunzip.isCut, !feed.isTruncated {
            context.note(line: 0, .truncated, "the gzip file is cut off or damaged")
            feed.isTruncated = true
        }
        feed.episodes += kept.episodes
        feed.diagnostics = context.diagnostics
        return feed
    }

    /// Tells gzip, JSON and XML apart by the first bytes that are no blanks; the first `seenCount` are.
    private func begin(_ start: [UInt8], seenCount: Int) throws(FeedError) {
        // A single byte of the mark counts as a blank below, and waits for the next.
        if gunzip == nil, Gunzip.begins(start) {
            gunzip = try Gunzip()
            try start.span.withUnsafeBytes { (bytes) throws(FeedError) in try feed(bytes) }
            return
        }
        guard let first = start[seenCount...].first(where: { $0 > 0x20 && !byteOrderMarks.contains($0) })
        else {
            guard start.count <= Self.blankByteCount else { throw .noFeedRoot }
            phase = .beginning(start)
            return
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            phase = .json([])
        } else {
            let onEpisode = self.onEpisode ?? { [kept] episode in kept.episodes.append(episode) }
            phase = .xml(try XMLFeedReader(contentType: contentType, context: context, onEpisode: onEpisode))
        }
        try start.span.withUnsafeBytes { (bytes) throws(FeedError) in try take(bytes) }
    }

    /// Reads a whole document.
    public static func parse(
        _ data: Data, baseURL: String? = nil, contentType: String? = nil,
        limits: ParserLimits = ParserLimits()
    ) throws(FeedError) -> Feed {
        try parse([UInt8](data), baseURL: baseURL, contentType: contentType, limits: limits)
    }

    /// Reads a whole document.
    public static func parse(
        _ bytes: [UInt8], baseURL: String? = nil, contentType: String? = nil,
        limits: ParserLimits = ParserLimits()
    ) throws(FeedError) -> Feed {
        let reader = FeedReader(baseURL: baseURL, contentType: contentType, limits: limits)
        try bytes.span.withUnsafeBytes { (bytes) throws(FeedError) in try reader.feed(bytes) }
        return try reader.finish()
    }
}

/// The bytes of which the byte order marks consist, apart from zero.
private let byteOrderMarks: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
