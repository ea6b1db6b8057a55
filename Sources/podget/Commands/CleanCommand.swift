import Aggregator
import EpisodeStore
import Synchronization

/// Deletes the files that the rules give up: `podget clean`.
struct CleanCommand: Command {
    static let syntax = CommandSyntax(
        name: "clean",
        group: .files,
        summary: "Delete the files that 'keep' and 'storageLimit' give up",
        options: [
            OptionSyntax("dry-run", "Print what would be deleted and kept, and why; delete nothing"),
            OptionSyntax("played", "Delete also what is played, unless it is marked 'keep'"),
        ],
        details: """
            'podget sync' does the same before it downloads. Files that are marked 'keep', in progress or requested by hand
            stay, and so do those of feeds you unsubscribed from. With --played what you requested and have heard goes too;
            what is marked 'keep' stays.
            """,
        examples: [
            .init("podget clean --dry-run", "shows which files would go"),
            .init("podget clean --played", "makes room: deletes what you have listened to"),
        ])

    private let isDryRun: Bool
    private let playedGo: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        isDryRun = arguments.has("dry-run")
        playedGo = arguments.has("played")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        if isDryRun {
            guard let aggregator = try environment.openForReading() else {
                try environment.printPlan([], nil)
                return .done
            }
            let plan = try await aggregator.plan(
                for: try await aggregator.feeds(matching: []), downloads: false, playedGo: playedGo)
            try environment.printPlan(plan, aggregator)
            return .done
        }
        let printer = EventPrinter(environment)
        let freed = Mutex<Int64>(0)
        let count = try await environment.openAggregator().clean(playedGo: playedGo) { event in
            if case .fileDeleted(_, _, let byteCount, _) = event { freed.withLock { $0 += byteCount } }
            printer.print(event)
        }
        try environment.say(
            count == 0
                ? "Nothing to delete"
                : "\(counted(count, "file", in: environment)) deleted, \(environment.format.bytes(freed.withLock { $0 })) freed"
        )
        return try printer.finish()
    }
}
