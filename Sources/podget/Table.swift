/// Rows of text, aligned in columns and fitted to the width of the terminal.
struct Table {
    enum Alignment { case left, right }

    struct Column {
        let title: String
        var alignment: Alignment = .left
        /// Whether this column gives way where the line is too long.
        var isFlexible = false
        /// Whether, and in which order, it is left out where that is not enough; the lowest goes first.
        ///
        /// It is also left out where it is empty.
        var goes: Int?
    }

    let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds one row: a cell per column, made safe for the terminal here.
    mutating func addRow(_ cells: [String]) {
        rows.append(cells.map(terminalText))
    }

    /// Draws the table; without `width` (no terminal) nothing is cut.
    func text(width: Int?) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = [columns.map(\.title)] + rows
        var shown = columns.indices.filter { index in
            columns[index].goes == nil || rows.contains { !$0[index].isEmpty }
        }
        var widths = fittedWidths(lines, shown, width: width, least: Self.readableWidth)
        while let width, totalWidth(widths) > width,
            let least = shown.filter({ columns[$0].goes != nil }).min(by: {
                (columns[$0].goes ?? 0) < (columns[$1].goes ?? 0)
            })
        {
            shown.removeAll { $0 == least }
            widths = fittedWidths(lines, shown, width: width, least: Self.readableWidth)
        }
        widths = fittedWidths(lines, shown, width: width, least: Self.leastWidth)
        return lines.map { line($0, shown, widths: widths) + "\n" }.joined()
    }

    private func line(_ cells: [String], _ shown: [Int], widths: [Int]) -> String {
        var line = ""
        for (place, index) in shown.enumerated() {
            let cell = truncated(cells[index], toColumns: widths[place])
            let padding = String(repeating: " ", count: max(0, widths[place] - columnCount(cell)))
            if place > 0 { line += "  " }
            line += columns[index].alignment == .right ? padding + cell : cell + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func totalWidth(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + 2 * (widths.count - 1)
    }

    /// What a flexible column keeps as long as others may go, and in the end.
    private static let readableWidth = 16
    private static let leastWidth = 8

    private func fittedWidths(_ lines: [[String]], _ shown: [Int], width: Int?, least: Int) -> [Int] {
        var widths = shown.map { index in lines.map { columnCount($0[index]) }.max() ?? 0 }
        guard let width else { return widths }
        while totalWidth(widths) > width {
            let shrinkable = widths.indices.filter { columns[shown[$0]].isFlexible && widths[$0] > least }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
