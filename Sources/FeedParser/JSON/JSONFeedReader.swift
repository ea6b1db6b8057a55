/// A feed in JSON: what stands in its head, and its episodes, each to be read in its turn.
struct JSONFeedParts {
    var feed: Feed
    var episodes: JSONElements
    /// Gives nil for an object that is no episode.
    var readEpisode: (JSONObject) -> Episode?
}

/// Reads a feed in JSON from bytes as they arrive.
///
/// The document is kept whole, for a member that decides what the rest means may come last; of what it holds only
/// one episode at a time is built.
final class JSONFeedReader {
    private let context: ParseContext
    private let onEpisode: (Episode) -> Void
    // JSON is UTF-8, whatever the HTTP header says; a byte order mark may tell otherwise.
    private var decoder = CharacterDecoder(contentType: nil)
    private var document: [UInt8] = []
    private var lines = LineFinder()

    init(context: ParseContext, onEpisode: @escaping (Episode) -> Void) {
        self.context = context
        self.onEpisode = onEpisode
    }

    func push(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        try decode(bytes, isLast: false)
    }

    func finish() throws(FeedError) -> Feed {
        try decode(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        if decoder.isRepaired { context.note(line: 1, .encoding, "the bytes are not UTF-8") }
        let root = try checkedJSON(document, context: context)
        guard let parts = jsonFeed(root, context: context) ?? aiEpisodes(root, context: context) else {
            throw .noFeedRoot
        }
        readEpisodes(parts)
        return parts.feed
    }

    private func decode(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(FeedError) {
        try decoder.push(bytes, isLast: isLast) { (text: UnsafeRawBufferPointer) throws(FeedError) in
            guard document.count + text.count <= context.limits.decodedByteCount else {
                throw FeedError.tooLarge(byteCount: context.limits.decodedByteCount)
            }
            document.append(contentsOf: text)
        }
    }

    private func readEpisodes(_ parts: JSONFeedParts) {
        var episodeCount = 0
        for value in parts.episodes {
            context.line = lines.line(at: value.bytes.startIndex, in: document)
            guard episodeCount < context.limits.episodeCount else {
                context.note(
                    .tooManyEpisodes, "the episodes beyond \(context.limits.episodeCount) were left out")
                return
            }
            guard let episode = JSONObject(value, context: context).flatMap(parts.readEpisode) else {
                context.note(.badEpisode, "an entry that is no episode was left out")
                continue
            }
            episodeCount += 1
            onEpisode(episode)
        }
    }
}
