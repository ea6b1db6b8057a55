import Aggregator
import EpisodeStore

/// Subscribes to the feeds of an OPML list: `podget import OPML`.
struct ImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "import",
        group: .settings,
        summary: "Subscribe to the feeds of an OPML list, with its folders as tags",
        arguments: [ArgumentSyntax("OPML", .one, "The list that another program exported, or - for a pipe")],
        details: """
            Asks the network nothing: 'podget sync' then fetches the feeds. Feeds that are subscribed to already stay
            as they are, and get the tags that they lack. The settings that 'podget export' wrote are taken over with a feed.
            'podget export --help' tells how to move everything to another machine.
            """,
        examples: [
            .init("podget import subscriptions.opml", "takes over the feeds of another program"),
            .init("newsboat -e | podget import -", "does so through a pipe"),
        ])

    private let source: String

    init(_ arguments: Arguments) throws(UsageError) {
        source = arguments.positional[0]
    }

    func run(in environment: Environment) async throws -> ExitCode {
        // Read before the library is created: a wrong file leaves nothing behind.
        let list = try readFeedList(source, workingDirectory: environment.workingDirectory)
        if list.entries.isEmpty { environment.complain("\(source) lists no feeds") }
        let aggregator = try environment.openAggregator()
        let result = try await aggregator.importFeeds(list, workingDirectory: environment.workingDirectory)
        for refused in result.refused { environment.complain(refused.description) }
        for refused in result.refusedSettings { environment.complain(refused) }
        if list.isTruncated {
            environment.complain("\(source) is cut off or too long; the feeds that could be read are kept")
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText((result.added + result.known).map(FeedRow.init)))
        } else {
            for feed in result.added where environment.options.isVerbose {
                try environment.say("Subscribed to \(feed.title)")
            }
            try environment.say(summary(result, in: environment))
        }
        return result.refused.isEmpty && !list.isTruncated ? .done : .partly
    }

    private func summary(_ result: FeedImport, in environment: Environment) -> String {
        var parts = ["\(counted(result.added.count, "feed", in: environment)) added"]
        if !result.known.isEmpty {
            parts.append("\(environment.format.number(result.known.count)) subscribed to before")
        }
        if !result.refused.isEmpty {
            parts.append("\(environment.format.number(result.refused.count)) refused")
        }
        let next = result.added.isEmpty ? "" : "; 'podget sync' fetches what is new"
        return parts.joined(separator: ", ") + next
    }
}
