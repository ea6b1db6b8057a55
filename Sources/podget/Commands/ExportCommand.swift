import Aggregator
import FeedParser

/// Writes the subscribed feeds as an OPML list: `podget export`.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        group: .settings,
        summary: "Write the feeds as an OPML list, for other programs and other machines",
        options: [
            OptionSyntax("output", short: "o", value: "FILE", "Write the list into FILE"),
            OptionSyntax("plain", "Leave out what only podget understands: the settings of each feed"),
            OptionSyntax("force", "Replace FILE even if podget did not write it"),
        ],
        details: """
            Tags become folders; of several tags the first one, and 'category' names all. Users and passwords of
            addresses are left out; other secrets within an address are the address and stay. The settings of each feed are
            attributes that begin with podget:, which other programs pass over and 'podget import' takes over. What 'podget
            config' sets for all feeds is not in the list: it stands in config.json5, which can be copied.

            The list has no episodes: what was played, marked, downloaded or deleted is not in it. To move everything to
            another machine, copy three folders while no podget runs (here with rsync), and let 'adopt' check the files:
              rsync -aR ~/./.local/share/podget ~/./.config/podget ~/./Podcasts other:
              ssh other 'podget adopt ~/Podcasts; podget doctor'
            """,
        examples: [
            .init("podget export --output feeds.opml", "writes a list that every podcast program reads"),
            .init(
                "podget export | ssh other podget import -",
                "takes the feeds and their settings to another machine"),
        ])

    private let file: String?
    private let replaces: Bool
    private let isPlain: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        file = arguments.value(of: "output")
        replaces = arguments.has("force")
        isPlain = arguments.has("plain")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openForReading()
        let list = try await aggregator?.exportedFeeds(settings: !isPlain) ?? OPMLDocument(title: "Podcasts")
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
