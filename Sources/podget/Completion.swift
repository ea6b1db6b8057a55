/// What may stand at the cursor of a half-typed command line.
struct Completion: Equatable {
    /// A word that fits, with a few words on what it is.
    struct Candidate: Equatable {
        let word: String
        var description = ""
    }

    enum Wish: Equatable {
        case feeds, episodes, files, folders
    }

    /// The word at the cursor without what comes before the part to complete, as in `--state=do`.
    let typed: String
    /// What every candidate begins with besides, as in `--state=`.
    let lead: String
    private(set) var candidates: [Candidate] = []
    /// What else is to be looked up in the store, or left to the shell.
    private(set) var wish: Wish?

    /// Reads the words after `podget`, of which the last, which may be empty, is the one to complete.
    init(_ words: [String], table: [CommandSyntax], globalOptions: [OptionSyntax]) {
        let current = words.last ?? ""
        var state = State(globalOptions)
        for word in words.dropLast() { state.take(word, table: table) }

        if let option = state.openOption {
            (typed, lead) = (current, "")
            offer(option)
        } else if current.hasPrefix("-"), !state.optionsEnded {
            let parts = current.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let option = state.options.first(where: { "--\($0.name)" == parts[0] }) {
                (typed, lead) = (String(parts[1]), parts[0] + "=")
                offer(option)
            } else {
                (typed, lead) = (current, "")
                candidates = state.options.map { Candidate(word: "--\($0.name)", description: $0.help) }
            }
        } else if let command = state.command {
            (typed, lead) = (current, "")
            offerArgument(of: command, index: state.argumentCount, table)
        } else {
            (typed, lead) = (current, "")
            candidates = table.map { Candidate(word: $0.name, description: $0.summary) }
        }
    }

    /// The candidates that begin as the word at the cursor does, those looked up included.
    func fitting(_ lookedUp: [Candidate] = []) -> [Candidate] {
        (candidates + lookedUp).filter { $0.word.hasPrefix(typed) }
            .map { Candidate(word: lead + $0.word, description: $0.description) }
    }

    private mutating func offer(_ option: OptionSyntax) {
        candidates = option.choices.map { Candidate(word: $0) }
        wish = option.choices.isEmpty ? option.value.flatMap(Self.wish) : nil
    }

    private mutating func offerArgument(of command: CommandSyntax, index: Int, _ table: [CommandSyntax]) {
        guard let last = command.arguments.last else { return }
        let isOpen = last.count == .any || last.count == .atLeastOne
        guard index < command.arguments.count || isOpen else { return }
        let argument = command.arguments[min(index, command.arguments.count - 1)]
        candidates = argument.choices.map { Candidate(word: $0) }
        if argument.name == "COMMAND" {
            candidates = table.map { Candidate(word: $0.name, description: $0.summary) }
        }
        // 'download --latest N FEED' names a feed where an episode is expected otherwise; both are offered there.
        wish = Self.wish(argument.name)
    }

    private static func wish(_ placeholder: String) -> Wish? {
        switch placeholder {
        case "FEED": .feeds
        case "EPISODE", "FEED|EPISODE": .episodes
        case "FILE", "DIR|FILE", "SOURCE", "OPML": .files
        case "DIR": .folders
        default: nil
        }
    }

    /// How far the words before the cursor have come.
    private struct State {
        var options: [OptionSyntax]
        var command: CommandSyntax?
        var argumentCount = 0
        var optionsEnded = false
        var openOption: OptionSyntax?

        init(_ globalOptions: [OptionSyntax]) {
            options = globalOptions
        }

        mutating func take(_ word: String, table: [CommandSyntax]) {
            if openOption != nil {
                openOption = nil
            } else if word == "--", !optionsEnded {
                optionsEnded = true
            } else if word.hasPrefix("-"), word != "-", !optionsEnded {
                let known = options.first { "--\($0.name)" == word || $0.short.map { "-\($0)" } == word }
                openOption = known?.value == nil ? nil : known
            } else if command == nil {
                command = table.first { $0.name == word }
                options += command?.options ?? []
            } else {
                argumentCount += 1
            }
        }
    }
}
