import Aggregator
import EpisodeStore

/// Writes a playlist of what is downloaded: `podget playlist [FEED]`.
struct PlaylistCommand: Command {
    enum Format: String, CaseIterable { case m3u8 }

    static let syntax = CommandSyntax(
        name: "playlist",
        group: .listen,
        summary: "Print a playlist of the downloaded episodes, the newest first",
        arguments: [ArgumentSyntax("FEED", .optional, "Only this feed")],
        options: [
            OptionSyntax("format", value: "m3u8", "The format of the playlist"),
            OptionSyntax("output", short: "o", value: "FILE", "Write the playlist into FILE"),
            OptionSyntax("absolute", "Write absolute paths"),
        ],
        details: """
            Paths are relative to the folder of FILE, or to the working directory where the playlist is printed.
            'podget sync' keeps podget.m3u8 in the library folder, and one playlist in each feed's folder.
            """,
        examples: [
            .init("podget playlist | mpv --playlist=-", "plays what is downloaded"),
            .init("podget playlist --output ~/trip.m3u8", "writes a playlist file"),
        ])

    private let selector: String?
    private let file: String?
    private let isAbsolute: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional.first
        _ = try arguments.choice(of: "format", Format.self)
        file = arguments.value(of: "output")
        isAbsolute = arguments.has("absolute")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let path = file.map { absolutePath($0, in: environment.workingDirectory) }
        let folder = path.map(folderPart) ?? environment.workingDirectory
        var entries: [PlaylistEntry] = []
        var title = "podget"
        if let aggregator = try environment.openForReading() {
            var feed: FeedRecord?
            if let selector { feed = try await aggregator.feed(matching: selector) }
            title = feed?.title ?? title
            entries = try await aggregator.playlistEntries(
                of: feed?.id, relativeTo: isAbsolute ? nil : folder)
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(entries.map(Row.init)))
            return .done
        }
        let text = m3u8Playlist(entries, title: title)
        guard let path else {
            try environment.output.write(text)
            return .done
        }
        try replaceFile(at: path, with: text)
        try environment.say("Wrote \(path): \(counted(entries.count, "episode", in: environment))")
        return .done
    }

    /// An entry as `playlist --json` prints it.
    private struct Row: Encodable {
        let file: String
        let title: String
        let feed: String
        let duration: Double?

        init(_ entry: PlaylistEntry) {
            file = entry.path
            title = entry.title
            feed = entry.feedTitle
            duration = entry.duration.map { $0 / .seconds(1) }
        }
    }
}
