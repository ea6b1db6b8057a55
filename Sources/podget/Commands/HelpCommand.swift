/// Explains podget or one command: `podget help [COMMAND]`.
struct HelpCommand: Command {
    static let syntax = CommandSyntax(
        name: "help",
        group: .help,
        summary: "Explain podget, or one command",
        arguments: [ArgumentSyntax("COMMAND", .optional, "The command to explain")],
        examples: [.init("podget help sync", "explains the main job")])

    private let command: CommandSyntax?

    init(_ arguments: Arguments) throws(UsageError) {
        command = try arguments.positional.first.map { name throws(UsageError) in
            try Arguments.command(named: name, in: CommandTable.syntaxes)
        }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let width = environment.helpWidth
        let text =
            command.map { commandHelp($0, width: width) }
            ?? overviewHelp(CommandTable.syntaxes, globalOptions: GlobalOptions.syntax, width: width)
        try environment.output.write(text)
        return .done
    }
}
