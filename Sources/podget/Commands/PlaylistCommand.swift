import Aggregator
import EpisodeStore

/// Writes a playlist of what is downloaded: `podget playlist [FEED]`.
struct PlaylistCommand: Command {
    static let syntax = CommandSyntax(
        name: "playlist",
        group: .listen,
        summary: "Print a playlist of the downloaded episodes, the newest first",
        arguments: [ArgumentSyntax("FEED", .optional, "Only this feed")],
        options: [
            OptionSyntax(
                "format", value: "FORMAT",
                "One of \(names(PlaylistFormat.self)); if not said, what FILE ends in, else m3u8, with --chapters xspf"
            ),
            OptionSyntax("output", short: "o", value: "FILE", "Write the playlist into FILE"),
            OptionSyntax("force", "Replace FILE even if podget did not write it"),
            OptionSyntax("chapters", "An entry for each chapter, in xspf (for VLC) or edl (for mpv)"),
            OptionSyntax("absolute", "Write absolute paths"),
            OptionSyntax(
                "state", value: "STATE", "Only those in this state: \(names(PlaylistQuery.State.self))"),
            OptionSyntax("tag", value: "TAG", "Only feeds under this tag; may be given more than once"),
            OptionSyntax("search", value: "WORDS", "Only episodes in which all these words occur"),
            OptionSyntax(
                "since", value: "DATE",
                "Only those from this day on, such as 2026-11-24, or 7d, 2w, 1y for so long ago"),
            OptionSyntax(
                "order", value: "ORDER", "One of \(names(PlaylistQuery.Order.self)); newest if not said"),
            OptionSyntax("limit", value: "N", "At most N episodes"),
        ],
        details: """
            Paths are relative to the folder of FILE, or to the working directory where the playlist is printed.
            'podget sync' keeps podget.m3u8 in the library folder, and one playlist for each feed in its folder. A playlist
            names files and holds none: to take them along, copy them as below, and play the folder.
            """,
        examples: [
            .init("podget playlist | mpv --playlist=-", "plays what is downloaded"),
            .init("podget playlist --output ~/trip.m3u8 --state unplayed", "writes a playlist file"),
            .init(
                "podget playlist --absolute --state unplayed | grep -v '^#' | xargs -d '\\n' cp -t /media/stick",
                "copies what you have not heard to a stick"),
            .init(
                "podget playlist low-water --order oldest --format xspf",
                "prints a show from its beginning on"),
        ])

    private let selector: String?
    private let file: String?
    private let format: PlaylistFormat
    private let isAbsolute: Bool
    private let replaces: Bool
    private let since: String?
    private let query: PlaylistQuery

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional.first
        file = arguments.value(of: "output")
        format =
            try arguments.choice(of: "format", PlaylistFormat.self)
            ?? file.flatMap(PlaylistFormat.init(file:)) ?? (arguments.has("chapters") ? .xspf : .m3u8)
        if arguments.has("chapters"), !format.hasChapters {
            throw UsageError("--chapters goes with --format xspf or edl, not with \(format.rawValue)")
        }
        isAbsolute = arguments.has("absolute")
        replaces = arguments.has("force")
        since = arguments.value(of: "since")
        var query = PlaylistQuery()
        query.state = try arguments.choice(of: "state", PlaylistQuery.State.self) ?? .done
        query.order = try arguments.choice(of: "order", PlaylistQuery.Order.self) ?? .newest
        query.tags = try tags(arguments)
        query.words = arguments.value(of: "search")
        query.limit = try arguments.number(of: "limit", in: 1...Int.max)
        query.hasChapters = arguments.has("chapters")
        self.query = query
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let path = file.map { absolutePath($0, in: environment.workingDirectory) }
        let folder = path.map(outputFolder) ?? environment.workingDirectory
        var query = query
        query.since = try since.map { text throws(UsageError) in
            try sinceDate(text, now: environment.now(), timeZone: environment.timeZone)
        }
        var entries: [PlaylistEntry] = []
        var title = "podget"
        if let aggregator = try environment.openForReading() {
            var feed: FeedRecord?
            if let selector { feed = try await aggregator.feed(matching: selector) }
            title = feed?.title ?? title
            query.feed = feed?.id
            entries = try await aggregator.playlistEntries(query, relativeTo: isAbsolute ? nil : folder)
        }
        let text = playlistText(entries, title: title, format: format)
        if let path {
            try writeOutput(text, to: path, replacingForeign: replaces)
            try environment.say("Wrote \(path): \(counted(entries.count, "episode", in: environment))")
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(entries.map(Row.init)))
        } else if path == nil {
            try environment.output.write(text)
        }
        return .done
    }

    private static func names<Choice: RawRepresentable & CaseIterable>(_: Choice.Type) -> String
    where Choice.RawValue == String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// An entry as `playlist --json` prints it.
    private struct Row: Encodable {
        let file: String
        let title: String
        let feed: String
        let duration: Double?
        let image: String?
        let chapters: [Chapter]?

        struct Chapter: Encodable {
            let start: Double
            let title: String
        }

        init(_ entry: PlaylistEntry) {
            file = entry.path
            title = entry.title
            feed = entry.feedTitle
            duration = entry.duration.map { $0 / .seconds(1) }
            image = entry.image.map(shownAddress)
            chapters =
                entry.chapters.isEmpty
                ? nil : entry.chapters.map { Chapter(start: $0.start / .seconds(1), title: $0.title) }
        }
    }
}
