/// Writes `man/podget.1` from the command table, in the macros of man(7).
func manualPage(_ table: [CommandSyntax], globalOptions: [OptionSyntax]) -> String {
    var page = """
        .\\" Generated from the command table by scripts/generate; changes made here are lost.
        .TH PODGET 1 \(Version.date) "podget \(Version.number)" "User Commands"
        .SH NAME
        podget \\- podcasts to listen to offline
        .SH SYNOPSIS
        .B podget
        .I COMMAND
        [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]
        .SH DESCRIPTION
        podget subscribes to podcast feeds, downloads their episodes,
        and writes playlists of them.
        Interrupted downloads go on where they stopped,
        and a file reaches the library only when it is whole.
        .SH COMMANDS

        """
    for group in CommandGroup.allCases {
        let commands = table.filter { $0.group == group }
        guard !commands.isEmpty else { continue }
        page += ".SS " + roff(group.rawValue) + "\n" + commands.map(section).joined()
    }
    page += ".SH OPTIONS\nThese may be given to every command.\n" + globalOptions.map(item).joined()
    page += ".SH NAMES OF FEEDS AND EPISODES\n"
    page += SelectorTable.rows.map { item($0.name, $0.meaning) }.joined()
    page += ".SH FILES\n" + FileTable.rows.map { item($0.path, $0.content) }.joined()
    page += ".PP\n" + filled(FileTable.note) + "\n"
    page += ".SH EXIT STATUS\n"
    page += ExitCodeTable.rows.map { item("\($0.code.rawValue)", $0.meaning) }.joined()
    return page
}

private func section(_ syntax: CommandSyntax) -> String {
    var text = ".TP\n.B " + roff(syntax.usage) + "\n" + filled(syntax.summary + ".") + "\n"
    var isIndented = false
    func indent() {
        if !isIndented { text += ".RS\n" }
        isIndented = true
    }
    if !syntax.details.isEmpty {
        indent()
        text += paragraphs(syntax.details)
    }
    if !syntax.arguments.isEmpty || !syntax.options.isEmpty {
        indent()
        text += syntax.arguments.map { item($0.name, $0.help) }.joined()
        text += syntax.options.map(item).joined()
    }
    if !syntax.examples.isEmpty {
        indent()
        text += ".PP\nExamples:\n" + syntax.examples.map { item($0.command, $0.meaning) }.joined()
    }
    return text + (isIndented ? ".RE\n" : "")
}

private func item(_ option: OptionSyntax) -> String {
    item(option.usage, option.help)
}

private func item(_ term: String, _ text: String) -> String {
    ".TP\n.B " + roff(term) + "\n" + filled(text) + "\n"
}

/// Text with empty lines between its paragraphs; lines that begin with a blank are kept as they stand.
private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
        let lines = paragraph.split(separator: "\n").map(String.init)
        guard lines.contains(where: { $0.first == " " }) else {
            return ".PP\n" + filled(lines.joined(separator: " ")) + "\n"
        }
        return ".PP\n.nf\n" + lines.map { "\\&" + roff($0) + "\n" }.joined() + ".fi\n"
    }.joined()
}

/// Running text, in lines that mandoc's style check accepts.
private func filled(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= 70 {
            lines[lines.count - 1] = last + " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines.map(roff).joined(separator: "\n")
}

/// One line as roff reads it: nothing in it is a request or an escape.
private func roff(_ line: String) -> String {
    let text = line.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
    return text.first == "." || text.first == "'" ? "\\&" + text : text
}
