import Aggregator

/// Asks the feeds for news: `podget refresh [FEED…]`.
struct RefreshCommand: Command {
    static let syntax = CommandSyntax(
        name: "refresh",
        group: .main,
        summary: "Ask the feeds for new episodes, download nothing",
        arguments: [ArgumentSyntax("FEED", .any, "The feeds to refresh; all without any")])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let printer = EventPrinter(environment)
        let summary = try await aggregator.refresh(try await aggregator.feeds(matching: selectors)) {
            printer.print($0)
        }
        return try printer.finish(summary)
    }
}
