/// An episode that a search found.
public struct SearchHit: Equatable, Sendable {
    public let episode: EpisodeRecord

    /// The part of the episode that the snippet is taken from.
    public let place: SearchPlace

    /// A few words around the best match.
    public let snippet: [SnippetPart]

    /// What is said where the transcript fits best; nil where the words stand elsewhere.
    public let spoken: SpokenMatch?
}

/// A passage of a transcript that a search found.
public struct SpokenMatch: Equatable, Sendable {
    /// When it is said and by whom, where the transcript tells.
    public let start: Duration?
    public let speaker: String?
    public let snippet: [SnippetPart]
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

/// Finds the segment of a marked transcript in which most of the different words found stand, the first of equals.
///
/// Returns its number and its text, marks included.
func bestSegment(_ marked: String) -> (number: Int, text: Substring)? {
    var best: (number: Int, text: Substring, count: Int)?
    let segments = marked.split(separator: SearchMark.separator, omittingEmptySubsequences: false)
    for (number, text) in segments.enumerated() where text.contains(SearchMark.matchStart) {
        let words = snippetParts(String(text)).filter(\.isMatch).map { $0.text.lowercased() }
        let count = Set(words).count
        if count > best?.count ?? 0 { best = (number, text, count) }
    }
    return best.map { ($0.number, $0.text) }
}
