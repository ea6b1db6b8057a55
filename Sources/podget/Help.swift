/// The text of `podget --help`, in lines of at most `width` columns.
func overviewHelp(_ table: [CommandSyntax], globalOptions: [OptionSyntax], width columns: Int) -> String {
    var text = """
        podget: podcasts to listen to offline

        Usage: podget COMMAND [ARGUMENTS] [OPTIONS]

        To begin:
          podget subscribe https://example.com/feed.xml
          podget sync

        """
    let usages = table.map { ([$0.name] + $0.arguments.map(\.usage)).joined(separator: " ") }
    let width = usages.map(\.count).max() ?? 0
    for group in CommandGroup.allCases {
        let rows = zip(table, usages).filter { $0.0.group == group }.map { ($0.1, $0.0.summary) }
        guard !rows.isEmpty else { continue }
        text += "\n\(group.rawValue):\n" + alignedRows(rows, columns, width: width)
    }
    text += "\nOptions of every command:\n" + alignedRows(globalOptions.map { ($0.usage, $0.help) }, columns)
    text += "\nNames:\n" + alignedRows(SelectorTable.rows.map { ($0.name, $0.meaning) }, columns)
    text += "\nWhere things are kept:\n" + alignedRows(FileTable.rows.map { ($0.path, $0.content) }, columns)
    text += wrapped(FileTable.note, columns - 2).map { "  \($0)\n" }.joined()
    text += "\nExit codes:\n"
    text += alignedRows(ExitCodeTable.rows.map { ("\($0.code.rawValue)", $0.meaning) }, columns)
    return text + "\n'podget help COMMAND' explains a command, with examples; so does 'man podget'.\n"
}

/// The text of `podget COMMAND --help`, in lines of at most `width` columns where they can be broken.
func commandHelp(_ syntax: CommandSyntax, width columns: Int) -> String {
    var text = filled(syntax.summary[...], columns) + "\nUsage: \(syntax.usage)\n"
    for paragraph in syntax.details.split(separator: "\n\n") { text += "\n" + filled(paragraph, columns) }
    if !syntax.arguments.isEmpty {
        text += "\nArguments:\n" + alignedRows(syntax.arguments.map { ($0.name, $0.help) }, columns)
    }
    if !syntax.options.isEmpty {
        text += "\nOptions:\n" + alignedRows(syntax.options.map { ($0.usage, $0.help) }, columns)
    }
    if !syntax.examples.isEmpty {
        text += "\nExamples:\n"
        text += syntax.examples.map { example in
            "  \(example.command)\n" + wrapped(example.meaning, columns - 6).map { "      \($0)\n" }.joined()
        }.joined()
    }
    return text + "\n'podget --help' lists the options of every command.\n"
}

extension CommandSyntax {
    /// The line that shows how the command is called.
    var usage: String {
        (["podget", name] + arguments.map(\.usage) + (options.isEmpty ? [] : ["[OPTIONS]"]))
            .joined(separator: " ")
    }
}

/// Two columns, of which the right one is broken into lines.
private func alignedRows(_ rows: [(String, String)], _ columns: Int, width: Int? = nil) -> String {
    let width = width ?? rows.map { $0.0.count }.max() ?? 0
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { left, right in
        let lines = wrapped(right, max(30, columns - width - 4)).joined(separator: "\n" + indent)
        return "  " + left + String(repeating: " ", count: width - left.count) + "  " + lines + "\n"
    }.joined()
}

/// A paragraph; lines that begin with a blank, and those between them, stay as they are.
private func filled(_ paragraph: Substring, _ columns: Int) -> String {
    let lines = paragraph.split(separator: "\n")
    let isTable = lines.contains { $0.first == " " }
    return (isTable ? lines.map(String.init) : wrapped(String(paragraph), columns)).map { $0 + "\n" }.joined()
}

/// The words of a text in lines of at most so many columns; a longer word has a line of its own.
private func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if let last = lines.last, columnCount(last) + 1 + columnCount(String(word)) <= columns {
            lines[lines.count - 1] = last + " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines
}

extension Environment {
    /// The width of a help text: that of the terminal, but lines that are easy to read.
    var helpWidth: Int { min(max(terminalWidth ?? 100, 40), 100) }
}
