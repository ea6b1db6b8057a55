import FoundationEssentials

/// What has been read of a document so far.
struct Draft {
    let context: ParseContext
    /// Resolves against the `xml:base` that is in force.
    var resolver: URLResolver
    var feed: FeedDraft
    var entry = EntryDraft()
    /// Episodes that were handed over.
    private(set) var episodeCount = 0
    private let onEpisode: (Episode) -> Void

    // What is being read within an entry or the feed.
    var person = PersonDraft()
    var imageAddress: String?
    var categoryPath: [String] = []
    var value = PaymentValue()
    var alternateEnclosure = AlternateEnclosure()
    var mediaContent: Enclosure?

    var listLimit: Int { context.limits.listCount }

    /// `onEpisode` takes each episode as its item ends.
    init(context: ParseContext, onEpisode: @escaping (Episode) -> Void = { _ in }) {
        self.context = context
        self.onEpisode = onEpisode
        resolver = URLResolver(base: context.baseURL)
        feed = FeedDraft()
    }

    /// Hands the entry over as an episode.
    mutating func handOverEntry() {
        episodeCount += 1
        onEpisode(entry.value)
    }

    /// Makes an address absolute; nil where there is none.
    func url(_ reference: String?) -> String? {
        reference.flatMap { resolver.resolve($0) }
    }

    /// Reads a title, text that may hold markup, as one line; one beyond all measure is cut with a diagnostic.
    func title(_ text: String?) -> String? {
        title(text.map { RichText(text: $0, isHTML: true) })
    }

    func title(_ text: RichText?) -> String? {
        guard var text else { return nil }
        let limit = context.limits.titleByteCount
        if text.text.utf8.count > limit {
            context.note(.fieldTooLong, "a title was cut after \(limit) bytes")
            text.text = String(text.text[..<text.text.utf8.index(text.text.startIndex, offsetBy: limit)])
        }
        return text.plain
    }

    /// Reads a date; one that cannot be read is dropped with a diagnostic.
    func date(_ text: String?) -> Date? {
        guard let text = text?.nonBlank else { return nil }
        if let date = parseFeedDate(text) { return date }
        context.note(.badDate, "'\(text.prefix(80))' is no date")
        return nil
    }

    /// Reads a duration in seconds; one that cannot be read is dropped with a diagnostic.
    func duration(_ text: String?) -> Double? {
        guard let text = text?.nonBlank else { return nil }
        if let duration = parseFeedDuration(text) { return duration }
        context.note(.badDuration, "'\(text.prefix(80))' is no duration")
        return nil
    }
}

/// The name, email and page of somebody, as Atom and iTunes give them.
struct PersonDraft {
    var name: String?
    var email: String?
    var uri: String?
}

extension Array {
    /// Appends a value unless there is none or the list is full.
    mutating func append(_ value: Element?, limit: Int) {
        if let value, count < limit { append(value) }
    }
}
