/// Breaks one paragraph into lines of at most `width` columns.
///
/// It breaks at blanks only; a longer word has a line of its own. No line is narrower than twenty columns.
func wrap(_ paragraph: Substring, width: Int) -> [String] {
    let width = max(width, 20)
    var lines: [String] = []
    var line = ""
    var lineWidth = 0
    for word in paragraph.split(separator: " ") {
        let wordWidth = columnCount(word)
        if lineWidth > 0, lineWidth + 1 + wordWidth > width {
            lines.append(line)
            line = ""
            lineWidth = 0
        }
        if lineWidth > 0 {
            line += " "
            lineWidth += 1
        }
        line += word
        lineWidth += wordWidth
    }
    lines.append(line)
    return lines
}

/// The number of terminal columns that a text takes.
func columnCount(_ text: Substring) -> Int {
    text.reduce(0) { $0 + columnCount($1) }
}

/// A character is as wide as its first scalar: what follows only changes it.
private func columnCount(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.value < 0x300 { return 1 }
    if scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .format {
        return 0
    }
    return wideScalars.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// Scalars of two columns, Unicode Standard Annex 11: East Asian scripts and pictures.
private let wideScalars: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F900...0x1FAFF, 0x20000...0x3FFFD,
]
