import Aggregator
import EpisodeStore

/// Deletes downloaded files: `podget delete EPISODE…`.
struct DeleteCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete",
        group: .files,
        summary: "Delete episodes: their files, and their place in the queue",
        arguments: [ArgumentSyntax("EPISODE", .atLeastOne, "The episodes to delete")],
        details: "They stay deleted: no sync fetches them again, unless 'podget download' asks for them.")

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let episodes = try await aggregator.episodes(matching: selectors)
        let deleted = try await aggregator.delete(episodes)
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(deleted.map { StorageRow.Item($0, aggregator) }))
        }
        for file in deleted {
            try environment.say(
                "Deleted \(file.feedTitle): \(file.title) (\(environment.format.bytes(file.byteCount)))")
        }
        for episode in episodes where !deleted.contains(where: { $0.id == episode.id }) {
            let name = "\(episode.feedTitle): \(episode.title)"
            try environment.say(
                episode.state == .deleted
                    ? "\(name) is deleted already" : "\(name) had no file, and gets none by itself")
        }
        return .done
    }
}
