/// Lines at the end of a terminal's screen that are drawn over and over.
///
/// Between two frames the cursor stands at their beginning: whatever the terminal does to long lines when it is resized,
/// erasing from the cursor on takes all of them away, and the `^C` of an interruption with them.
struct LiveLines {
    private var drawn: [String] = []
    private var size: TerminalSize?

    /// What to write so that the screen shows `lines`; empty where it does already.
    mutating func frame(_ lines: [String], on newSize: TerminalSize) -> String {
        // At most a screenful: lines that have scrolled away can no longer be reached.
        let shown = Array(lines.suffix(max(1, newSize.rows - 1)))
        guard shown != drawn || newSize != size else { return "" }
        let isResized = size != nil && newSize != size
        defer { (drawn, size) = (shown, newSize) }
        guard !shown.isEmpty else { return drawn.isEmpty ? "" : Self.erasure }
        // Automatic line breaks are off meanwhile: a terminal may count the columns of new emoji in its own way.
        var text = "\r\u{1B}[?7l" + (isResized ? "\u{1B}[J" : "")
        text += shown.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?7h\r"
        if shown.count > 1 { text += "\u{1B}[\(shown.count - 1)A" }
        return text
    }

    /// What to write so that other text can follow.
    mutating func erase() -> String {
        defer { drawn = [] }
        return drawn.isEmpty ? "" : Self.erasure
    }

    /// Erases from the beginning of the line to the end of the screen.
    static let erasure = "\r\u{1B}[J"
}

/// How much a terminal shows.
struct TerminalSize: Equatable, Sendable {
    let columns: Int
    let rows: Int
}
