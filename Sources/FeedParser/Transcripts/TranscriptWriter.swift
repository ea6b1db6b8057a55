import FoundationEssentials

/// A form in which a transcript can be written.
public enum TranscriptFormat: String, Sendable, CaseIterable {
    case text, vtt, srt, json
}

/// Writes a transcript; nil where the form needs times and the segments have none.
///
/// JSON is the form of the podcast namespace. A cue without an end after its start lasts until the next begins, or five
/// seconds.
public func writeTranscript(_ segments: [TranscriptSegment], as format: TranscriptFormat) -> String? {
    switch format {
    case .text: return writeText(segments)
    case .json: return writeJSON(segments)
    case .vtt:
        return writeCues(segments, header: "WEBVTT\n\n", decimalMark: ".") { _, segment in
            let text = escapedForHTML(segment.text).replacing(">", with: "&gt;")
            // A voice ends at the first `>`.
            return segment.speaker.map { "<v \(escapedForHTML($0).replacing(">", with: "&gt;"))>\(text)" }
                ?? text
        }
    case .srt:
        return writeCues(segments, header: "", decimalMark: ",") { _, segment in
            segment.speaker.map { "\($0): \(segment.text)" } ?? segment.text
        }
    }
}

/// Paragraphs, with the name of the speaker where it changes.
private func writeText(_ segments: [TranscriptSegment]) -> String {
    var text = ""
    var speaker: String?
    for segment in segments {
        if let name = segment.speaker, name != speaker {
            text += (text.isEmpty ? "" : "\n\n") + "\(name): "
        } else if !text.isEmpty {
            text += segment.start == nil ? "\n\n" : " "
        }
        speaker = segment.speaker ?? speaker
        text += segment.text
    }
    return text.isEmpty ? "" : text + "\n"
}

private func writeCues(
    _ segments: [TranscriptSegment], header: String, decimalMark: String,
    payload: (Int, TranscriptSegment) -> String
) -> String? {
    let timed = segments.filter { $0.start != nil }
    if timed.isEmpty, !segments.isEmpty { return nil }
    var text = header
    for (index, segment) in timed.enumerated() {
        let start = milliseconds(segment.start ?? 0)
        let next = index + 1 < timed.count ? timed[index + 1].start : nil
        let ends = [segment.end, next].compactMap { $0.map(milliseconds) }
        let end = ends.first { $0 > start } ?? start + 5000
        let times = [start, end].map { cueTime($0, decimalMark: decimalMark) }.joined(separator: " --> ")
        text += "\(index + 1)\n\(times)\n\(payload(index, segment))\n\n"
    }
    return text
}

/// At most a thousand hours.
private func milliseconds(_ seconds: Double) -> Int {
    Int((min(max(seconds, 0), 3_600_000) * 1000).rounded())
}

/// Writes a time as `01:02:03.500`.
private func cueTime(_ milliseconds: Int, decimalMark: String) -> String {
    let parts = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
    let clock = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let fraction = String(milliseconds % 1000)
    return clock + decimalMark + String(repeating: "0", count: 3 - fraction.count) + fraction
}

private struct TranscriptDocument: Encodable {
    struct Segment: Encodable {
        var speaker: String?
        var startTime: Double?
        var endTime: Double?
        var body: String
    }

    let version = "1.0.0"
    let segments: [Segment]
}

private func writeJSON(_ segments: [TranscriptSegment]) -> String? {
    let document = TranscriptDocument(
        segments: segments.map {
            .init(speaker: $0.speaker, startTime: $0.start, endTime: $0.end, body: $0.text)
        })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) + "\n" }
}
