/// Reads the HTML form of the podcast namespace: `<cite>` names the speaker, `<time>` the start, `<p>` holds the words.
///
/// Other pages give one segment a paragraph.
func readTranscriptHTML(_ html: String) -> [TranscriptSegment] {
    let collector = TranscriptCollector()
    var html = html
    html.withUTF8 { readHTML($0, encoding: .utf8, handler: collector) }
    collector.endSegment()
    return collector.segments
}

private final class TranscriptCollector: HTMLHandler {
    private(set) var segments: [TranscriptSegment] = []
    private var speaker: String?
    private var start: Double?
    private var text: [UInt8] = []
    private var isInHead = false

    func start(_ name: String, _ attributes: HTMLAttributes) {
        switch name {
        case "head": isInHead = true
        case "cite", "time": endSegment()
        case "br": text.append(0x20)
        default: if blockElements.contains(name) { endSegment() }
        }
    }

    func end(_ name: String) {
        switch name {
        case "head":
            isInHead = false
            text = []
        case "cite":
            let name = takeText()
            speaker = name?.hasSuffix(":") == true ? name.map { String($0.dropLast()) } : name
        case "br": break
        case "time": start = takeText().flatMap { parseFeedDuration($0) }
        default: if blockElements.contains(name) { endSegment() }
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if !isInHead { text.append(contentsOf: bytes) }
    }

    func endSegment() {
        guard let words = takeText() else { return }
        segments.append(TranscriptSegment(speaker: speaker, text: words, start: start))
        // A speaker goes on in the next paragraph; a time belongs to one.
        start = nil
    }

    private func takeText() -> String? {
        defer { text = [] }
        return foldedLine(String(decoding: text, as: UTF8.self))
    }
}
