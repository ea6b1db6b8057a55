import Aggregator

/// Refreshes, deletes and downloads by the rules, rewrites the playlists: `podget sync [FEED…]`.
struct SyncCommand: Command {
    static let syntax = CommandSyntax(
        name: "sync",
        group: .main,
        summary: "Refresh the feeds, download and delete by the rules, rewrite the playlists",
        arguments: [ArgumentSyntax("FEED", .any, "The feeds to sync, and no others; all without any")],
        options: [
            OptionSyntax("no-download", "Refresh and rewrite the playlists only"),
            OptionSyntax(
                "dry-run", "Print what would be downloaded, deleted and kept, and why; do nothing"),
            scheduledOption,
            backgroundOption,
        ],
        details: """
            Ctrl-C stops within a second, and the next sync goes on from there.

            """ + whoGoesOn + """


                The rules are the settings of 'podget config' and 'podget set'. --dry-run looks at what is stored and asks no
                server: 'podget refresh' before it brings the news. With --verbose it tells of what is skipped too.
                """,
        examples: [
            .init("podget sync", "does everything for every feed"),
            .init("podget sync --dry-run", "shows what it would do"),
            .init("podget sync --scheduled", "asks only the feeds that are due, for a timer"),
            .init("podget sync --json", "prints one event a line, for scripts"),
        ])

    private let selectors: [String]
    private let downloads: Bool
    private let isDryRun: Bool
    private let isScheduled: Bool
    private let isInBackground: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        downloads = !arguments.has("no-download")
        isDryRun = arguments.has("dry-run")
        if isDryRun, !downloads { throw UsageError("--dry-run and --no-download leave nothing to show") }
        isScheduled = arguments.has("scheduled")
        isInBackground = arguments.has("background")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        if isDryRun { return try await showPlan(in: environment) }
        let aggregator = try environment.openAggregator()
        let feeds = try await aggregator.feeds(matching: selectors)
        if feeds.isEmpty {
            try environment.say("There are no feeds yet; 'podget subscribe ADDRESS' adds one")
        }
        if isInBackground {
            let options = (downloads ? [] : ["--no-download"]) + (isScheduled ? ["--scheduled"] : [])
            return try await environment.runInBackground(["sync"] + options + ["--"] + selectors)
        }
        let asking = aggregator.feedsToAsk(
            among: feeds, isScheduled: isScheduled, areNamed: !selectors.isEmpty)
        return try await environment.reporting(aggregator, isSync: true) { report in
            if !isScheduled { aggregator.tellOfGone(feeds, asked: asking, report: report) }
            return try await aggregator.sync(
                feeds, asking: asking, downloads: downloads, isLimited: !selectors.isEmpty, report: report)
        }
    }

    private func showPlan(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openForReading()
        let feeds = try await aggregator?.feeds(matching: selectors) ?? []
        try environment.printPlan(
            try await aggregator?.plan(for: feeds, isLimited: !selectors.isEmpty) ?? [], aggregator)
        return .done
    }
}
