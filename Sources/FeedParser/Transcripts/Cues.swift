/// Reads the cues of WebVTT (<https://www.w3.org/TR/webvtt1/>) and of SubRip, which differ in little.
///
/// A cue is a line with `-->` and the lines after it up to a blank one. What stands before the times (numbers, names)
/// and other blocks (`NOTE`, `STYLE`, `REGION`) is left out.
func readCues(_ text: String) -> [TranscriptSegment] {
    paragraphs(text).compactMap { lines in
        guard let timeLine = lines.firstIndex(where: { $0.contains("-->") }) else { return nil }
        let times = lines[timeLine].split(
            separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
        guard times.count == 2, let start = cueTime(times[0]) else { return nil }
        let payload = lines[(timeLine + 1)...].joined(separator: " ")
        let (speaker, words) = parted(payload)
        guard let text = plainLine(words) else { return nil }
        return TranscriptSegment(speaker: speaker, text: text, start: start, end: cueTime(times[1]))
    }
}

/// Reads `01:02:03.500`, `02:03.500` or, with a comma, SubRip's; settings after it are left out.
private func cueTime(_ text: Substring) -> Double? {
    guard let time = text.split(whereSeparator: \.isWhitespace).first, time.contains(":") else { return nil }
    return parseFeedDuration(String(time.map { $0 == "," ? "." : $0 }))
}

/// Parts the voice, `<v Name>` or `<v.loud Name>`, from the words of a cue.
private func parted(_ payload: String) -> (speaker: String?, words: String) {
    guard let start = payload.firstRange(of: "<v"),
        payload[start.upperBound...].first.map({ " .".contains($0) }) == true,
        let end = payload[start.upperBound...].firstIndex(of: ">")
    else { return (nil, payload) }
    let tag = payload[start.upperBound..<end]
    let name = tag.drop { $0 != " " }
    let words = payload[..<start.lowerBound] + payload[payload.index(after: end)...]
    return (plainLine(String(name)), String(words).replacing("</v>", with: ""))
}
