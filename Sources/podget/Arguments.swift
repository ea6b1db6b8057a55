import EpisodeStore
/// The words of a command line, sorted into a command, its arguments and its options.
struct Arguments: Sendable, Equatable {
    private(set) var command: String?
    private(set) var positional: [String] = []
    private var options: [String: [String]] = [:]

    /// Parses `words` by the table.
    ///
    /// Options may stand anywhere, as `--name value`, `--name=value`, `-n value` or `-n`; `--` ends them, and a
    /// lone `-` is an argument (standard input or output).
    init(_ words: [String], table: [CommandSyntax], globalOptions: [OptionSyntax]) throws(UsageError) {
        var syntax: CommandSyntax?
        var known = globalOptions
        var pending = words[...]
        var optionsEnded = false

        while let word = pending.popFirst() {
            if word == "--", !optionsEnded {
                optionsEnded = true
            } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
                try takeOption(word, from: &pending, known: known, command: syntax)
            } else if syntax == nil {
                let found = try Self.command(named: word, in: table)
                syntax = found
                command = found.name
                known += found.options
            } else {
                positional.append(word)
            }
        }
        if let syntax, !has("help") {
            try checkCount(syntax)
        }
    }

    func has(_ option: String) -> Bool {
        options[option] != nil
    }

    /// The last value given for `option`.
    func value(of option: String) -> String? {
        options[option]?.last
    }

    /// All values given for `option`, in order.
    func values(of option: String) -> [String] {
        options[option] ?? []
    }

    /// The value of `option` as a whole number in `range`.
    func number(of option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let limits =
                range.upperBound == .max
                ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(option) takes a whole number \(limits), not '\(text)'")
        }
        return number
    }

    /// The value of `option` as one of the cases of `Choice`.
    func choice<Choice>(of option: String, _: Choice.Type) throws(UsageError) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        guard let text = value(of: option) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--\(option) takes one of \(all), not '\(text)'")
        }
        return choice
    }

    private mutating func takeOption(
        _ word: String, from pending: inout ArraySlice<String>, known: [OptionSyntax], command: CommandSyntax?
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        let option = known.first { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name }

        guard let option else {
            throw UsageError(Self.unknownOption(name, known: known, command: command))
        }
        guard let valueName = option.value else {
            guard attached == nil else { throw UsageError("--\(option.name) takes no value") }
            options[option.name, default: []].append("")
            return
        }
        // An option in the place of a value is a value forgotten; `--name=--x` is still possible.
        let isForgotten = attached == nil && known.contains { "--\($0.name)" == pending.first }
        guard !isForgotten, let value = attached ?? pending.popFirst() else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(valueName)")
        }
        options[option.name, default: []].append(value)
    }

    private func checkCount(_ syntax: CommandSyntax) throws(UsageError) {
        let least = syntax.arguments.count { $0.count == .one || $0.count == .atLeastOne }
        let isOpen = syntax.arguments.contains { $0.count == .any || $0.count == .atLeastOne }
        let usage = (["podget", syntax.name] + syntax.arguments.map(\.usage)).joined(separator: " ")
        if positional.count < least {
            throw UsageError("\(syntax.name) needs \(syntax.arguments[positional.count].name): \(usage)")
        }
        if !isOpen, positional.count > syntax.arguments.count {
            let extra = positional[syntax.arguments.count]
            throw UsageError("\(syntax.name) does not take '\(extra)': \(usage)")
        }
    }

    static func command(named word: String, in table: [CommandSyntax]) throws(UsageError)
        -> CommandSyntax
    {
        if let found = table.first(where: { $0.name == word }) { return found }
        let known = CommandTable.otherWords[word].flatMap { name in table.first { $0.name == name }?.name }
        if let advice = CommandTable.advice[word] {
            throw UsageError("there is no command '\(word)'; \(advice)")
        }
        let near = known ?? nearestNames(to: word, from: table.map(\.name)).first
        let hint = near.map { "did you mean 'podget \($0)'?" } ?? "'podget --help' lists the commands"
        throw UsageError("there is no command '\(word)'; \(hint)")
    }

    private static func unknownOption(_ name: String, known: [OptionSyntax], command: CommandSyntax?)
        -> String
    {
        let owner = command.map { "podget \($0.name)" } ?? "podget"
        // Without the dashes, which would make '--keep-files' and '--delete-files' look alike.
        let bare = String(name.drop { $0 == "-" })
        let near = nearestNames(to: bare, from: known.map(\.name)).first
        let hint = near.map { "did you mean --\($0)?" } ?? "'\(owner) --help' lists the options"
        return "\(owner) has no option \(name); \(hint)"
    }
}
