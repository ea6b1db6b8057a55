/// What the command table says of one command: enough to parse, explain and complete it.
struct CommandSyntax: Sendable {
    let name: String
    let group: CommandGroup
    let summary: String
    var arguments: [ArgumentSyntax] = []
    var options: [OptionSyntax] = []
    var details: String = ""
    var examples: [Example] = []

    struct Example: Sendable {
        let command: String
        let meaning: String

        init(_ command: String, _ meaning: String) {
            self.command = command
            self.meaning = meaning
        }
    }
}

/// A heading of `podget --help`, in the order shown.
enum CommandGroup: String, CaseIterable, Sendable {
    case main = "The main job"
    case look = "Look"
    case transfers = "Transfers"
    case files = "Files"
    case listen = "Listen"
    case settings = "Settings and upkeep"
    case help = "Help"
}

/// One positional argument.
struct ArgumentSyntax: Sendable {
    enum Count: Sendable { case one, optional, any, atLeastOne }

    let name: String
    let count: Count

    /// The words that the argument may be, where it is one of a few.
    let choices: [String]
    let help: String

    /// A `name` in lower case names the choices themselves, as in `bash|zsh|fish`.
    init(_ name: String, _ count: Count, choices: [String] = [], _ help: String) {
        self.name = name
        self.count = count
        self.choices = choices.isEmpty ? choicesNamed(by: name) : choices
        self.help = help
    }

    /// The argument as usage lines show it, such as `FEED…` or `[EPISODE…]`.
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name)…]"
        case .atLeastOne: "\(name)…"
        }
    }
}

/// The words of a placeholder such as `bash|zsh|fish`; none where it is one in upper case, such as `FEED`.
func choicesNamed(by placeholder: String) -> [String] {
    placeholder == placeholder.lowercased() ? placeholder.split(separator: "|").map(String.init) : []
}

/// One option; a flag where `value` is nil.
struct OptionSyntax: Sendable {
    let name: String
    let short: Character?
    let value: String?

    /// The words that the value may be, where it is one of a few.
    let choices: [String]
    let help: String

    /// A `value` in lower case names the choices themselves, as in `m3u8|pls`.
    init(
        _ name: String, short: Character? = nil, value: String? = nil, choices: [String] = [], _ help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.choices = choices.isEmpty ? value.map(choicesNamed(by:)) ?? [] : choices
        self.help = help
    }

    /// The option as usage lines show it, such as `--latest N` or `-q, --quiet`.
    var usage: String {
        let long = "--\(name)" + (value.map { " \($0)" } ?? "")
        return short.map { "-\($0), \(long)" } ?? long
    }
}
