import Aggregator
import EpisodeStore

/// Deletes downloaded files: `podget delete EPISODE…`.
struct DeleteCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete",
        group: .files,
        summary: "Delete the downloaded files of episodes",
        arguments: [ArgumentSyntax("EPISODE", .atLeastOne, "The episodes whose files go")],
        details: "They stay deleted: no sync fetches them again, unless 'podget download' asks for them.")

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let deleted = try await aggregator.delete(try await aggregator.episodes(matching: selectors))
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(deleted.map { StorageRow.Item($0, aggregator) }))
        }
        for file in deleted {
            try environment.say(
                "Deleted \(file.feedTitle): \(file.title) (\(environment.format.bytes(file.byteCount)))")
        }
        if deleted.isEmpty { try environment.say("None of these has a file") }
        return .done
    }
}
