/// An episode that a search found.
public struct SearchHit: Equatable, Sendable {
    public let episode: EpisodeRecord

    /// The part of the episode that the snippet is taken from.
    public let place: SearchPlace

    /// A few words around the best match.
    public let snippet: [SnippetPart]

    /// When the first match in the transcript is said, where the transcript tells.
    public let transcriptOffset: Duration?
}

/// A part of an episode that is searched, in the order of the columns of the index.
public enum SearchPlace: Int, CaseIterable, Sendable {
    case title, notes, chapters, transcript
}

/// A piece of a snippet: words found, or the words around them.
public struct SnippetPart: Equatable, Sendable {
    public let text: String
    public let isMatch: Bool
}

/// Marks that cannot be typed: feeds are rid of control characters, and the index sees them as blanks.
enum SearchMark {
    static let matchStart: Character = "\u{2}"
    static let matchEnd: Character = "\u{3}"

    /// Stands between the chapters, and between the segments of a transcript.
    static let separator: Character = "\u{1E}"
}

/// Splits a text with marked matches into its parts.
func snippetParts(_ marked: String) -> [SnippetPart] {
    var parts: [SnippetPart] = []
    var rest = marked.split(separator: SearchMark.separator, omittingEmptySubsequences: true).joined(
        separator: " ")[...]
    while !rest.isEmpty {
        let isMatch = rest.first == SearchMark.matchStart
        if isMatch { rest = rest.dropFirst() }
        let text = rest.prefix { $0 != (isMatch ? SearchMark.matchEnd : SearchMark.matchStart) }
        rest = rest[text.endIndex...]
        if isMatch { rest = rest.dropFirst() }
        if !text.isEmpty { parts.append(SnippetPart(text: String(text), isMatch: isMatch)) }
    }
    return parts
}

/// Counts the separators before the first match: the number of the segment it stands in.
func segmentOfFirstMatch(_ marked: String) -> Int? {
    guard let match = marked.firstIndex(of: SearchMark.matchStart) else { return nil }
    return marked[..<match].count { $0 == SearchMark.separator }
}
