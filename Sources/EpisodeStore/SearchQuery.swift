/// A user's words as queries of SQLite's full-text search.
struct SearchQuery: Equatable {
    /// Finds the words anywhere.
    let anywhere: String

    /// Finds the words in the title, and the unwanted ones nowhere.
    let inTitle: String

    /// Reads the words; `nil` if there is none to look for.
    ///
    /// All words must be found. `"two words"` is a phrase, `trai*` a beginning, `-word` must not be found. Everything
    /// is quoted, so that no operator of the query language can be typed by accident.
    init?(_ text: String) {
        var wanted: [String] = []
        var unwanted: [String] = []
        for term in searchTerms(text) where term.text.contains(where: { $0.isLetter || $0.isNumber }) {
            let phrase = "\"\(term.text)\"" + (term.isPrefix ? " *" : "")
            if term.isUnwanted { unwanted.append(phrase) } else { wanted.append(phrase) }
        }
        // FTS5 has no query that consists of exclusions only.
        guard !wanted.isEmpty else { return nil }
        let required = "(\(wanted.joined(separator: " AND ")))"
        let excluded = unwanted.isEmpty ? "" : " NOT (\(unwanted.joined(separator: " OR ")))"
        anywhere = required + excluded
        inTitle = "(title : \(required))" + excluded
    }
}

private struct SearchTerm {
    var text: String
    var isPrefix = false
    var isUnwanted = false
}

/// Splits at blanks outside quotation marks; a quotation mark that is never closed reaches to the end.
private func searchTerms(_ text: String) -> [SearchTerm] {
    var terms: [SearchTerm] = []
    var rest = text[...].filter { $0 != "\0" }[...]
    while true {
        rest = rest.drop { $0.isWhitespace }
        guard !rest.isEmpty, terms.count < 32 else { return terms }
        let isUnwanted = rest.first == "-"
        if isUnwanted { rest = rest.dropFirst() }
        let isPhrase = rest.first == "\""
        if isPhrase { rest = rest.dropFirst() }
        let content = rest.prefix { isPhrase ? $0 != "\"" : !$0.isWhitespace && $0 != "\"" }
        rest = rest[content.endIndex...]
        if isPhrase { rest = rest.dropFirst() }
        var isPrefix = !isPhrase && content.last == "*"
        if isPhrase, rest.first == "*" {
            isPrefix = true
            rest = rest.dropFirst()
        }
        terms.append(
            SearchTerm(text: content.filter { $0 != "*" }, isPrefix: isPrefix, isUnwanted: isUnwanted))
    }
}
