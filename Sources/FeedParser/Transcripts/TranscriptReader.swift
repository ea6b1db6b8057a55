import FoundationEssentials

/// Reads a transcript in any form that feeds link to: WebVTT, SubRip, JSON, HTML, plain text.
///
/// The bytes decide the form, for content types are often wrong; `contentType` only helps with the encoding. Segments
/// come in the order of the document; those of HTML and plain text may have no times. What cannot be read is left
/// out; what is no text at all throws `FeedError.undecodable`.
public func readTranscript(
    _ bytes: [UInt8], contentType: String? = nil, limits: ParserLimits = ParserLimits()
) throws(FeedError) -> [TranscriptSegment] {
    let text = try decodedText(bytes, contentType: contentType, limits: limits)
    guard isText(text) else { throw .undecodable(encoding: "text") }
    let segments: [TranscriptSegment]
    switch text.utf8.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
        segments = transcriptSegments(try parseJSON(Array(text.utf8), context: ParseContext(limits: limits)))
    case UInt8(ascii: "<"): segments = isMessage(text) ? [] : readTranscriptHTML(text)
    default:
        let isCues = text.hasPrefix("WEBVTT") || text.contains("-->")
        segments = isCues ? readCues(text) : readParagraphs(text)
    }
    return inOrder(Array(segments.prefix(limits.segmentCount)))
}

/// Whether what was decoded are words: pictures and sound give control and replacement characters, many of them.
func isText(_ text: String) -> Bool {
    let opening = text.unicodeScalars.prefix(4000)
    let strange = opening.count { scalar in
        scalar == "\u{FFFD}"
            || scalar.properties.generalCategory == .control && !scalar.properties.isWhitespace
    }
    return strange * 50 <= opening.count
}

/// Whether XML is of a kind that holds no transcript, such as the message of a server that denies it.
private func isMessage(_ text: String) -> Bool {
    guard text.hasPrefix("<?xml"), let root = text.firstMatch(of: #/<([A-Za-z_][A-Za-z0-9_.:-]*)/#) else {
        return false
    }
    return !["html", "tt"].contains(String(root.1).lowercased())
}

/// The segments in order of their start; what has no time stays behind what it follows.
func inOrder(_ segments: [TranscriptSegment]) -> [TranscriptSegment] {
    var last = -Double.infinity
    let timed = segments.map { segment in
        last = segment.start ?? last
        return (start: last, segment: segment)
    }
    return timed.sorted { $0.start < $1.start }.map(\.segment)
}

/// The segments of a list, or of an object with `segments`.
///
/// Reads the names of the podcast namespace (`startTime`, `endTime`, `speaker`, `body`) and those of AI-episode feeds.
/// A mere string gives one segment a paragraph.
func transcriptSegments(_ value: JSONValue) -> [TranscriptSegment] {
    (value["segments"] ?? value).list.flatMap { segment in
        if case .string(let text) = segment { return readParagraphs(text) }
        guard let text = segment["body", "text"]?.text.flatMap(foldedLine) else { return [] }
        return [
            TranscriptSegment(
                speaker: segment["speaker"]?.text.flatMap(foldedLine), text: text,
                start: segment["start", "start_time"]?.number, end: segment["end", "end_time"]?.number)
        ]
    }
}

/// Decodes a small document to text, without blanks and marks at its beginning.
func decodedText(_ bytes: [UInt8], contentType: String?, limits: ParserLimits) throws(FeedError) -> String {
    guard bytes.count <= limits.decodedByteCount else { throw .tooLarge(byteCount: limits.decodedByteCount) }
    var decoder = CharacterDecoder(contentType: contentType)
    var text: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
        decoder.push(bytes, isLast: true) { text.append(contentsOf: $0) }
    }
    let decoded = String(decoding: text, as: UTF8.self)
    return String(decoded.drop { $0.isWhitespace || $0 == "\u{FEFF}" })
}

/// One segment a paragraph, without times.
private func readParagraphs(_ text: String) -> [TranscriptSegment] {
    paragraphs(text).compactMap { lines in
        foldedLine(lines.joined(separator: " ")).map { TranscriptSegment(text: $0) }
    }
}

/// The lines of a text, parted where a line is blank.
func paragraphs(_ text: String) -> [[Substring]] {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        if line.allSatisfy(\.isWhitespace) {
            if paragraphs.last?.isEmpty == false { paragraphs.append([]) }
        } else {
            paragraphs[paragraphs.count - 1].append(line)
        }
    }
    return paragraphs.last?.isEmpty == true ? paragraphs.dropLast() : paragraphs
}
