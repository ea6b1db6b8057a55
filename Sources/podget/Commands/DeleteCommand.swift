import Aggregator
import EpisodeStore

/// Deletes downloaded files: `podget delete EPISODE…`.
struct DeleteCommand: Command {
    static let syntax = CommandSyntax(
        name: "delete",
        group: .files,
        summary: "Delete episodes: their files, and their place in the queue",
        arguments: [ArgumentSyntax("EPISODE", .atLeastOne, "The episodes to delete")],
        options: [OptionSyntax("force", "Delete also what is marked 'keep'")],
        details: """
            They stay deleted: no sync fetches them again, unless 'podget download' asks for them. What is marked 'keep' is
            deleted only with --force.
            """,
        examples: [
            .init("podget delete 12", "deletes the file of one episode"),
            .init("podget delete low-water:all", "deletes everything of a feed"),
            .init("podget clean --played", "deletes what you have listened to"),
        ])

    private let selectors: [String]
    private let isForced: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        isForced = arguments.has("force")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let episodes = try await aggregator.episodes(matching: selectors)
        if !isForced { try refuseKept(episodes.filter(\.isKept), "podget delete") }
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
        if !deleted.isEmpty {
            let (them, what) = deleted.count == 1 ? ("it", "\(deleted[0].id)") : ("them", "EPISODE")
            try environment.say("No sync fetches \(them) again; 'podget download \(what)' does")
        }
        return .done
    }
}

/// Refuses to delete what the user has marked to be kept; nothing is deleted then.
func refuseKept(_ kept: [EpisodeRecord], _ command: String) throws(CommandFailure) {
    guard let first = kept.first else { return }
    let more = kept.count > 1 ? " and \(kept.count - 1) more" : ""
    throw CommandFailure(
        "\(first.feedTitle): \(first.title) (\(first.id))\(more) \(kept.count == 1 ? "is" : "are") marked 'keep', and nothing is deleted; '\(command) --force' deletes such files too"
    )
}
