import Aggregator
import EpisodeStore

/// Ends subscriptions: `podget unsubscribe FEED…`.
struct UnsubscribeCommand: Command {
    static let syntax = CommandSyntax(
        name: "unsubscribe",
        group: .main,
        summary: "Remove feeds from the library",
        arguments: [ArgumentSyntax("FEED", .atLeastOne, "The feeds to remove")],
        options: [OptionSyntax("delete-files", "Delete the downloaded files of these feeds too")],
        details: "Downloaded files stay, and 'podget storage' goes on showing them by name.",
        examples: [.init("podget unsubscribe low-water", "removes one feed, keeps its files")])

    private let selectors: [String]
    private let deletesFiles: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        deletesFiles = arguments.has("delete-files")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        for feed in try await aggregator.feeds(matching: selectors) {
            let deleted = try await aggregator.unsubscribe(feed, deletingFiles: deletesFiles)
            let rest =
                deletesFiles ? "\(counted(deleted, "file", in: environment)) deleted" : "its files are kept"
            try environment.say("Unsubscribed from \(feed.title): \(rest)")
        }
        return .done
    }
}
