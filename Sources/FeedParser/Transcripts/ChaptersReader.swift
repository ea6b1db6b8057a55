/// Reads the chapters that `podcast:chapters` links to.
///
/// The form is JSON, version 1.2 of the podcast namespace's "JSON chapters": `startTime` in seconds, `title`, `url`, `img`;
/// `toc: false` marks those that no list shows. Addresses become absolute against `baseURL`. In order of start.
public func readChapters(
    _ bytes: [UInt8], contentType: String? = nil, baseURL: String? = nil,
    limits: ParserLimits = ParserLimits()
) throws(FeedError) -> [Chapter] {
    let text = try decodedText(bytes, contentType: contentType, limits: limits)
    let context = ParseContext(limits: limits, baseURL: baseURL)
    let draft = Draft(context: context)
    let document = try parseJSON(Array(text.utf8), context: context)
    return (document["chapters"] ?? document).list.prefix(limits.listCount).compactMap { chapter in
        guard let start = chapter["start", "start_time"]?.number, (0...longestDuration).contains(start),
            chapter["toc"]?.flag != false
        else { return nil }
        return Chapter(
            start: start, title: draft.title(chapter["title"]?.text), url: draft.url(chapter["url"]?.text),
            image: draft.url(chapter["img"]?.text))
    }
    .sorted { $0.start < $1.start }
}
