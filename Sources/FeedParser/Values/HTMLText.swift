/// Turns HTML, or text that may be HTML, into one line of plain text.
///
/// Tags go, entities become characters, white space is folded; the ends of blocks count as white space. HTML
/// that was escaped twice is read twice.
public func plainText(fromHTML html: String) -> String {
    guard mayHoldMarkup(html) else { return PlainTextCollector.folded(html) }
    let text = strippedText(html)
    // Only text without any tag of its own can have been escaped as a whole.
    let isEscapedTwice = !html.utf8.contains(UInt8(ascii: "<")) && holdsTag(text)
    return isEscapedTwice ? strippedText(text) : text
}

/// Whether a text holds a tag that notes are written with: an end tag, or one that needs none.
private func holdsTag(_ text: String) -> Bool {
    let lowercased = text.lowercased()
    return commonTags.contains { lowercased.contains($0) }
}

private let commonTags: [String] = [
    "</p>", "</a>", "</b>", "</i>", "</em>", "</strong>", "</span>", "</div>", "</li>", "</ul>", "</h1>",
    "</h2>",
    "</h3>", "<br>", "<br/>", "<br />", "<p>", "<img ",
]

private func strippedText(_ html: String) -> String {
    let collector = PlainTextCollector()
    var html = html
    html.withUTF8 { readHTML($0, encoding: .utf8, handler: collector) }
    return collector.line
}

/// Collects the text of HTML as one line.
private final class PlainTextCollector: HTMLHandler {
    private var bytes: [UInt8] = []
    private var isAfterBlank = false

    var line: String { String(decoding: bytes, as: UTF8.self) }

    static func folded(_ text: String) -> String {
        let collector = PlainTextCollector()
        var text = text
        text.withUTF8 { collector.text($0) }
        return collector.line
    }

    func start(_ name: String, _ attributes: HTMLAttributes) {
        if blockElements.contains(name) { isAfterBlank = true }
    }

    func end(_ name: String) {
        if blockElements.contains(name) { isAfterBlank = true }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            if byte <= 0x20 {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, !bytes.isEmpty { bytes.append(0x20) }
            isAfterBlank = false
            bytes.append(byte)
        }
    }
}

/// Elements that begin and end a line.
let blockElements: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html",
    "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "td", "th", "title", "tr", "ul",
]
