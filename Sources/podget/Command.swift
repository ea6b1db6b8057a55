/// One command of podget: made from its arguments, then run.
protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    init(_ arguments: Arguments) throws(UsageError)

    func run(in environment: Environment) async throws -> ExitCode
}
