import Aggregator
import EpisodeStore

/// Ends subscriptions: `podget unsubscribe FEED…`.
struct UnsubscribeCommand: Command {
    static let syntax = CommandSyntax(
        name: "unsubscribe",
        group: .main,
        summary: "Remove feeds from the library",
        arguments: [ArgumentSyntax("FEED", .atLeastOne, "The feeds to remove")],
        options: [
            OptionSyntax("delete-files", "Delete the downloaded files of these feeds too"),
            OptionSyntax("force", "With --delete-files, delete also what is marked 'keep'"),
        ],
        details: """
            Downloaded files stay where they are, and 'podget storage' goes on showing them by name. The settings, marks and
            deleted episodes of a feed are remembered, should you subscribe again.
            """,
        examples: [.init("podget unsubscribe low-water", "removes one feed, keeps its files")])

    private let selectors: [String]
    private let deletesFiles: Bool
    private let isForced: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        deletesFiles = arguments.has("delete-files")
        isForced = arguments.has("force")
        if isForced, !deletesFiles { throw UsageError("--force goes with --delete-files") }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let feeds = try await feeds(aggregator)
        if deletesFiles, !isForced {
            var kept: [EpisodeRecord] = []
            for feed in feeds {
                kept += try await aggregator.library.episodes(
                    EpisodeQuery(feed: feed.id, filter: .state(.done))
                )
                .filter(\.isKept)
            }
            try refuseKept(kept, "podget unsubscribe --delete-files")
        }
        for feed in feeds {
            let kept = deletesFiles ? "" : try await keptWords(feed, aggregator, environment)
            let deleted = try await aggregator.unsubscribe(feed, deletingFiles: deletesFiles)
            let rest = deleted > 0 ? ": \(counted(deleted, "file", in: environment)) deleted" : kept
            try environment.say("Unsubscribed from \(feed.title)\(rest)")
        }
        return .done
    }

    /// With --delete-files also feeds that were unsubscribed from before, whose files are left.
    private func feeds(_ aggregator: Aggregator) async throws -> [FeedRecord] {
        guard deletesFiles else { return try await aggregator.feeds(matching: selectors) }
        var found: [FeedRecord] = []
        for selector in selectors {
            let feed = try await aggregator.feed(matching: selector)
            if !found.contains(where: { $0.id == feed.id }) { found.append(feed) }
        }
        return found
    }

    /// How many files stay, how much that is, and where; empty where there are none.
    private func keptWords(
        _ feed: FeedRecord, _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> String {
        let files = try await aggregator.library.episodes(EpisodeQuery(feed: feed.id, filter: .state(.done)))
            .filter { !aggregator.isFileGone($0) }
        guard !files.isEmpty else { return "" }
        let folders = Set(
            files.compactMap(\.filePath).map { folderPart(of: aggregator.absolutePath(ofStored: $0)) })
        let place =
            folders.count == 1 ? "in \(folders.first ?? "")" : "in \(folders.count) folders"
        let count = "\(counted(files.count, "file", in: environment)) \(files.count == 1 ? "is" : "are")"
        // Summed as numbers that cannot overflow, whatever was recorded.
        let size = environment.format.bytes(byteSum(files.compactMap(\.byteCount)))
        return ": \(count) kept (\(size)), \(place); 'podget storage' shows what is left"
    }
}
