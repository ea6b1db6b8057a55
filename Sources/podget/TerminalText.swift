internal import CWideCharacter
import Glibc

/// Text from a feed, made safe to show on one line of a terminal.
///
/// Control and escape characters go, so that a title cannot move the cursor or set the window's name; line breaks
/// and tabs become blanks; characters that turn the reading direction go too.
func terminalText(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isUnsafe($0) }) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n", "\r", "\t", "\u{2028}", "\u{2029}": safe.append(" ")
        case _ where isUnsafe(scalar): continue
        default: safe.append(scalar)
        }
    }
    return String(safe)
}

/// Text of several lines, made safe to show on a terminal: as `terminalText`, but line breaks stay.
func terminalLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { terminalText(String($0)) }
        .joined(separator: "\n")
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x061C, 0xFEFF: true
    default: false
    }
}

/// Counts the columns that `text` takes on a terminal: two for wide characters and emoji, none for combining marks.
func columnCount(_ text: String) -> Int {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columnCount($1) }
}

/// Shortens `text` to at most `columns`, with an ellipsis where something was cut.
func truncated(_ text: String, toColumns columns: Int) -> String {
    guard columnCount(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
        let width = columnCount(character)
        if used + width > columns - 1 { break }
        kept.append(character)
        used += width
    }
    return kept + "…"
}

private func columnCount(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // A variation selector 16 asks for the emoji form, and a keycap or flag sequence is drawn as one: two columns.
    if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F || 0x1F1E6...0x1F1FF ~= $0.value }) {
        return 2
    }
    return scalars.map { columnCount($0) }.max() ?? 0
}

private func columnCount(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value ? 0 : 1 }
    let width = wcwidth(wchar_t(bitPattern: scalar.value))
    if width >= 0 { return Int(width) }
    // The C library's table is older than the newest emoji.
    return scalar.properties.isEmojiPresentation ? 2 : 1
}

/// Lets `wcwidth` see Unicode whatever `LANG` says; called once, before any other thread runs.
func useUnicodeCharacterTypes() {
    // Neglecting the result is right: without this locale, widths fall back to one column.
    _ = setlocale(LC_CTYPE, "C.UTF-8")
}
