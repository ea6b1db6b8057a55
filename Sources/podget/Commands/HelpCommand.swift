/// Explains podget or one command: `podget help [COMMAND]`.
struct HelpCommand: Command {
    static let syntax = CommandSyntax(
        name: "help",
        group: .help,
        summary: "Explain podget, or one command",
        arguments: [ArgumentSyntax("COMMAND", .optional, "The command to explain")],
        examples: [.init("podget help sync", "explains the main job")])

    private let text: String

    init(_ arguments: Arguments) throws(UsageError) {
        if let name = arguments.positional.first {
            text = commandHelp(try Arguments.command(named: name, in: CommandTable.syntaxes))
        } else {
            text = overviewHelp(CommandTable.syntaxes, globalOptions: GlobalOptions.syntax)
        }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        try environment.output.write(text)
        return .done
    }
}
