import Aggregator
import FeedParser

/// Writes the subscribed feeds as an OPML list: `podget export`.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        group: .settings,
        summary: "Write the feeds as an OPML list for other programs",
        options: [
            OptionSyntax("output", short: "o", value: "FILE", "Write the list into FILE"),
            OptionSyntax("force", "Replace FILE even if podget did not write it"),
        ],
        details: """
            Tags become folders; of several tags the first one, and 'category' names all. Users and passwords of
            addresses are left out; other secrets within an address are the address and stay.
            """,
        examples: [
            .init("podget export --output feeds.opml", "writes a list that every podcast program reads"),
            .init("podget export | ssh other podget import -", "takes the feeds to another machine"),
        ])

    private let file: String?
    private let replaces: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        file = arguments.value(of: "output")
        replaces = arguments.has("force")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let list = try await environment.openForReading()?.exportedFeeds() ?? OPMLDocument(title: "Podcasts")
        let text = String(decoding: writeOPML(list), as: UTF8.self)
        guard let file else {
            try environment.output.write(text)
            return .done
        }
        let path = absolutePath(file, in: environment.workingDirectory)
        try writeOutput(text, to: path, replacingForeign: replaces)
        try environment.say("Wrote \(path): \(counted(list.feeds.count, "feed", in: environment))")
        return .done
    }
}
