public import FoundationEssentials

/// Reads a feed from bytes as they arrive.
///
/// A reader belongs to one thread and reads one document: any number of `feed` calls, then one `finish`.
public final class FeedReader {
    private let context: ParseContext
    private let contentType: String?
    private let onEpisode: ((Episode) -> Void)?
    private var bytes: [UInt8] = []

    /// Prepares to read one document.
    ///
    /// - Parameters:
    ///   - baseURL: the document's address, against which relative addresses are resolved.
    ///   - contentType: the HTTP header's value.
    ///   - onEpisode: takes each episode as its item closes; the feed then keeps no episodes.
    public init(
        baseURL: String? = nil, contentType: String? = nil, limits: ParserLimits = ParserLimits(),
        onEpisode: ((Episode) -> Void)? = nil
    ) {
        context = ParseContext(limits: limits, baseURL: baseURL)
        self.contentType = contentType
        self.onEpisode = onEpisode
    }

    /// Takes the next bytes of the document, in pieces of any size.
    public func feed(_ chunk: UnsafeRawBufferPointer) throws(FeedError) {
        guard bytes.count + chunk.count <= context.limits.decodedByteCount else {
            throw .tooLarge(byteCount: context.limits.decodedByteCount)
        }
        bytes.append(contentsOf: chunk)
    }

    /// Ends the document and gives the feed.
    public func finish() throws(FeedError) -> Feed {
        if bytes.isEmpty { throw .empty }
        throw .noFeedRoot
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
        var failure: FeedError?
        bytes.withUnsafeBytes { chunk in
            do throws(FeedError) { try reader.feed(chunk) } catch { failure = error }
        }
        if let failure { throw failure }
        return try reader.finish()
    }
}
