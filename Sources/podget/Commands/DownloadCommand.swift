import Aggregator
import EpisodeStore

/// Downloads episodes now: `podget download [EPISODE…]`.
struct DownloadCommand: Command {
    static let syntax = CommandSyntax(
        name: "download",
        group: .main,
        summary: "Download episodes, or go on with what is queued",
        arguments: [
            ArgumentSyntax(
                "EPISODE", .any, "The episodes to download, and no others; with --latest, one FEED")
        ],
        options: [
            OptionSyntax("latest", value: "N", "Download the N newest episodes of the FEED named"),
            backgroundOption,
        ],
        details: """
            Without arguments it goes on with the downloads that are queued. No rule ('keep', 'storageLimit') deletes a file
            that you asked for here, until 'podget mark unkeep EPISODE'. The exit code is 3 where another podget pauses or
            cancels one of them meanwhile.

            """ + whoGoesOn,
        examples: [
            .init("podget download 12 15", "downloads two episodes by number"),
            .init("podget download --latest 5 low-water", "downloads the five newest of a feed"),
            .init("podget download low-water:S2", "downloads a season"),
            .init(
                "podget download low-water:all --background", "downloads everything of a feed while you go on"
            ),
        ])

    private let selectors: [String]
    private let latest: Int?
    private let isInBackground: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        isInBackground = arguments.has("background")
        latest = try arguments.number(of: "latest", in: 1...10_000)
        if latest != nil, selectors.count != 1 {
            throw UsageError("--latest goes with one FEED: podget download --latest N FEED")
        }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let episodes = try await episodes(aggregator).map(\.id)
        if isInBackground {
            return try await environment.queueForBackground(episodes, goesOn: false, aggregator)
        }
        return try await environment.download(episodes, goesOn: false, aggregator)
    }

    private func episodes(_ aggregator: Aggregator) async throws -> [EpisodeRecord] {
        guard let latest else { return try await aggregator.episodes(matching: selectors) }
        return try await aggregator.newestFiles(
            of: try await aggregator.feed(matching: selectors[0]), count: latest)
    }
}

extension Environment {
    /// Downloads episodes, or what is queued where there are none, and tells which of them somebody stopped meanwhile.
    func download(
        _ episodes: [EpisodeID], goesOn: Bool, _ aggregator: Aggregator
    ) async throws -> ExitCode {
        let code = try await reporting(aggregator, isSync: false) { report in
            try await aggregator.download(episodes, goesOn: goesOn, report: report)
        }
        guard code == .done else { return code }
        let left = try await aggregator.stopped(episodes)
        guard !left.isEmpty else { return .done }
        complain(
            "\(counted(left.count, "download", in: self)) of \(format.number(episodes.count)) paused or cancelled meanwhile"
        )
        return .partly
    }
}
