import Aggregator

/// Refreshes, downloads and rewrites the playlists: `podget sync [FEED…]`.
struct SyncCommand: Command {
    static let syntax = CommandSyntax(
        name: "sync",
        group: .main,
        summary: "Refresh the feeds, download the newest episodes, rewrite the playlists",
        arguments: [ArgumentSyntax("FEED", .any, "The feeds to sync; all without any")],
        options: [
            OptionSyntax("no-download", "Refresh and rewrite the playlists only"), scheduledOption,
        ],
        details: """
            What broke off earlier goes on where it stopped. Ctrl-C stops within a second, and the next sync goes on
            from there.
            """,
        examples: [
            .init("podget sync", "does everything for every feed"),
            .init("podget sync --scheduled", "asks only the feeds that are due, for a timer"),
            .init("podget sync --json", "prints one event a line, for scripts"),
        ])

    private let selectors: [String]
    private let downloads: Bool
    private let isScheduled: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        downloads = !arguments.has("no-download")
        isScheduled = arguments.has("scheduled")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let feeds = try await aggregator.feeds(matching: selectors)
        if feeds.isEmpty {
            try environment.say("There are no feeds yet; 'podget subscribe ADDRESS' adds one")
        }
        let printer = EventPrinter(environment)
        let asking = aggregator.feedsToAsk(
            among: feeds, isScheduled: isScheduled, areNamed: !selectors.isEmpty)
        let summary = try await aggregator.sync(feeds, asking: asking, downloads: downloads) {
            printer.print($0)
        }
        return try printer.finish(summary)
    }
}
