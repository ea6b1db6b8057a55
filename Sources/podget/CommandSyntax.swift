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
}

/// One positional argument.
struct ArgumentSyntax: Sendable {
    enum Count: Sendable { case one, optional, any, atLeastOne }

    let name: String
    let count: Count
    let help: String

    init(_ name: String, _ count: Count, _ help: String) {
        self.name = name
        self.count = count
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

/// One option; a flag where `value` is nil.
struct OptionSyntax: Sendable {
    let name: String
    let short: Character?
    let value: String?
    let help: String

    init(_ name: String, short: Character? = nil, value: String? = nil, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }

    /// The option as usage lines show it, such as `--latest N` or `-q, --quiet`.
    var usage: String {
        let long = "--\(name)" + (value.map { " \($0)" } ?? "")
        return short.map { "-\($0), \(long)" } ?? long
    }
}
