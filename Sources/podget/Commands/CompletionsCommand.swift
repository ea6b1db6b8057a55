/// Prints a shell's completion script: `podget completions SHELL`.
struct CompletionsCommand: Command {
    static let syntax = CommandSyntax(
        name: "completions",
        group: .help,
        summary: "Print the completion script of a shell",
        arguments: [ArgumentSyntax("bash|zsh|fish", .one, "The shell")],
        details: """
            'make install' puts the scripts where the shells look for them. Commands, options, feeds and episodes are
            completed; what there is to complete is asked of podget itself at the time.
            """,
        examples: [
            .init("source <(podget completions bash)", "switches them on in this shell"),
            .init(
                "podget completions fish > ~/.config/fish/completions/podget.fish",
                "switches them on in every fish"),
        ])

    private let shell: Shell

    init(_ arguments: Arguments) throws(UsageError) {
        let name = arguments.positional[0]
        guard let shell = Shell(rawValue: name) else {
            throw UsageError("completions are there for bash, zsh and fish, not for '\(name)'")
        }
        self.shell = shell
    }

    func run(in environment: Environment) async throws -> ExitCode {
        try environment.output.write(shell.completionScript)
        return .done
    }
}
