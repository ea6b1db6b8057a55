import Aggregator
import FeedParser

/// Parses a feed and shows it: `podget inspect SOURCE`.
struct InspectCommand: Command {
    static let syntax = CommandSyntax(
        name: "inspect",
        group: .look,
        summary: "Parse a feed and show what is in it; subscribes to nothing",
        arguments: [ArgumentSyntax("SOURCE", .one, "A file, an address, or - for standard input")],
        options: [
            OptionSyntax("base-url", value: "URL", "Resolve relative addresses against URL"),
            OptionSyntax(
                "content-type", value: "TYPE",
                "What a server would have said, such as \"text/xml; charset=…\""),
        ],
        details: """
            Reads RSS, Atom, JSON Feed and the JSON of AI podcast services ("dialogue"), also as a gzip file. What was \
            damaged and mended is listed.
            """,
        examples: [
            .init("podget inspect feed.xml", "sums a feed up, with what was repaired"),
            .init("podget inspect --json https://example.com/feed.xml", "prints everything as JSON"),
        ])

    private let source: String
    private let baseURL: String?
    private let contentType: String?

    init(_ arguments: Arguments) throws(UsageError) {
        source = arguments.positional[0]
        baseURL = arguments.value(of: "base-url")
        if let baseURL,
            !["http://", "https://", "file:///"].contains(where: { baseURL.lowercased().hasPrefix($0) })
        {
            throw UsageError(
                "--base-url takes an address such as https://example.com/feed.xml, not '\(baseURL)'")
        }
        contentType = arguments.value(of: "content-type")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let inspection = Inspection(
            source: source, baseURL: baseURL, contentType: contentType,
            workingDirectory: environment.workingDirectory, isOffline: environment.options.isOffline,
            version: Version.number)
        if environment.options.wantsJSON {
            let json = FeedJSON(to: environment.output)
            try json.finish(try await inspection.feed { json.add($0) })
            return .done
        }
        let summary = FeedSummary()
        let feed = try await inspection.feed { summary.add($0) }
        try environment.output.write(summary.text(feed, environment))
        return .done
    }
}
