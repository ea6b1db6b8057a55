/// Rows of text, aligned in columns and fitted to the width of the terminal.
struct Table {
    enum Alignment { case left, right }

    struct Column {
        let title: String
        var alignment: Alignment = .left
        /// Whether this column gives way where the line is too long.
        var isFlexible = false
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
        let titles = columns.map(\.title)
        let widths = fittedWidths([titles] + rows, width: width)
        return ([titles] + rows).map { line($0, widths: widths) + "\n" }.joined()
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (index, column) in columns.enumerated() {
            let cell = truncated(cells[index], toColumns: widths[index])
            let padding = String(repeating: " ", count: max(0, widths[index] - columnCount(cell)))
            if index > 0 { line += "  " }
            line += column.alignment == .right ? padding + cell : cell + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func fittedWidths(_ lines: [[String]], width: Int?) -> [Int] {
        var widths = columns.indices.map { index in lines.map { columnCount($0[index]) }.max() ?? 0 }
        guard let width else { return widths }
        // A flexible column keeps at least this much of itself.
        let least = 8
        while widths.reduce(0, +) + 2 * (columns.count - 1) > width {
            let shrinkable = columns.indices.filter { columns[$0].isFlexible && widths[$0] > least }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
