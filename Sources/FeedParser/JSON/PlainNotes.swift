/// Writes plain text as HTML that keeps its paragraphs and line breaks.
func htmlFromPlainNotes(_ text: String) -> String {
    let lines = escapedForHTML(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.count < 2 { return lines.joined() }
    let paragraphs = lines.split { $0.allSatisfy(\.isWhitespace) }
    return paragraphs.map { "<p>" + $0.joined(separator: "<br>") + "</p>" }.joined()
}
