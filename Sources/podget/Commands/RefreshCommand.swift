import Aggregator

/// Asks the feeds for news: `podget refresh [FEED…]`.
struct RefreshCommand: Command {
    static let syntax = CommandSyntax(
        name: "refresh",
        group: .main,
        summary: "Ask the feeds for new episodes, download nothing",
        arguments: [ArgumentSyntax("FEED", .any, "The feeds to refresh; all without any")],
        options: [
            scheduledOption,
            OptionSyntax("all-pages", "Read the older pages of paged feeds too"),
        ])

    private let selectors: [String]
    private let isScheduled: Bool
    private var options = RefreshOptions()

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        isScheduled = arguments.has("scheduled")
        options.readsAllPages = arguments.has("all-pages")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let printer = EventPrinter(environment)
        let all = try await aggregator.feeds(matching: selectors)
        let feeds = aggregator.feedsToAsk(
            among: all, isScheduled: isScheduled,
            areNamed: !selectors.isEmpty)
        if !isScheduled { aggregator.tellOfGone(all, asked: feeds) { printer.print($0) } }
        let summary = try await aggregator.refresh(feeds, options: options) { printer.print($0) }
        return try printer.finish(summary)
    }
}

/// The option by which a timer asks only feeds that are due.
let scheduledOption = OptionSyntax(
    "scheduled", "Ask only feeds whose next check is due, as a timer should; 'podget show FEED' tells when")
