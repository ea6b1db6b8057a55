/// The text of `podget --help`.
func overviewHelp(_ table: [CommandSyntax], globalOptions: [OptionSyntax]) -> String {
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
        text += "\n\(group.rawValue):\n" + alignedRows(rows, width: width)
    }
    text += "\nOptions of every command:\n" + alignedRows(globalOptions.map { ($0.usage, $0.help) })
    text += "\nNames:\n" + alignedRows(SelectorTable.rows.map { ($0.name, $0.meaning) })
    text += "\nWhere things are kept:\n" + alignedRows(FileTable.rows.map { ($0.path, $0.content) })
    text += FileTable.note.split(separator: "\n").map { "  \($0)\n" }.joined()
    text += "\nExit codes:\n" + alignedRows(ExitCodeTable.rows.map { ("\($0.code.rawValue)", $0.meaning) })
    return text + "\n'podget help COMMAND' explains a command, with examples; so does 'man podget'.\n"
}

/// The text of `podget COMMAND --help`.
func commandHelp(_ syntax: CommandSyntax) -> String {
    var text = "\(syntax.summary)\n\nUsage: \(syntax.usage)\n"
    if !syntax.details.isEmpty {
        text += "\n\(syntax.details)\n"
    }
    if !syntax.arguments.isEmpty {
        text += "\nArguments:\n" + alignedRows(syntax.arguments.map { ($0.name, $0.help) })
    }
    if !syntax.options.isEmpty {
        text += "\nOptions:\n" + alignedRows(syntax.options.map { ($0.usage, $0.help) })
    }
    if !syntax.examples.isEmpty {
        text += "\nExamples:\n"
        text += syntax.examples.map { "  \($0.command)\n      \($0.meaning)\n" }.joined()
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

private func alignedRows(_ rows: [(String, String)], width: Int? = nil) -> String {
    let width = width ?? rows.map { $0.0.count }.max() ?? 0
    return rows.map { left, right in
        "  " + left + String(repeating: " ", count: width - left.count) + "  " + right + "\n"
    }.joined()
}
