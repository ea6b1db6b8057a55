import Aggregator
import EpisodeStore
import FoundationEssentials

/// Lists episodes, the newest first: `podget episodes [FEED]`.
struct EpisodesCommand: Command {
    static let syntax = CommandSyntax(
        name: "episodes",
        group: .look,
        summary: "List episodes, the newest first",
        arguments: [ArgumentSyntax("FEED", .optional, "Only episodes of this feed")],
        options: [
            OptionSyntax(
                "state", value: "STATE", choices: stateNames,
                "Only those in this state: \(stateNames.joined(separator: ", "))"),
            OptionSyntax("limit", value: "N", "At most N episodes (50 without this option)"),
            OptionSyntax(
                "since", value: "DATE",
                "Only those from this day on, such as 2026-11-24, or 7d, 2w, 1y for so long ago"),
        ],
        details: """
            Reads what is stored; the network is not asked. 'done' is downloaded; 'new' has come since the subscription, and
            was neither played nor deleted nor marked old.
            """,
        examples: [
            .init("podget episodes --state done", "lists what can be listened to now"),
            .init("podget episodes low-water --limit 5", "lists the five newest of one feed"),
        ])

    private static let stateNames =
        DownloadState.allCases.map(\.rawValue) + [
            "new", "started", "kept", "requested", "played", "unplayed",
        ]

    private let selector: String?
    private let filter: EpisodeQuery.Filter?
    private let limit: Int
    private let since: String?

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional.first
        limit = try arguments.number(of: "limit", in: 1...Int.max) ?? 50
        since = arguments.value(of: "since")
        filter = try arguments.value(of: "state").map { name throws(UsageError) in try Self.filter(name) }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let earliest = try since.map { text throws(UsageError) in
            try sinceDate(text, now: environment.now(), timeZone: environment.timeZone)
        }
        guard let aggregator = try environment.openForReading() else {
            return try print([], nil, in: environment)
        }
        var query = EpisodeQuery(filter: filter, since: earliest, limit: limit)
        if let selector {
            query.feed = try await aggregator.feed(matching: selector).id
        }
        return try print(try await aggregator.episodes(query), aggregator, in: environment)
    }

    private func print(
        _ episodes: [EpisodeRecord], _ aggregator: Aggregator?, in environment: Environment
    ) throws -> ExitCode {
        if environment.options.wantsJSON {
            let rows = aggregator.map { aggregator in episodes.map { EpisodeRow($0, aggregator) } } ?? []
            try environment.output.write(jsonText(rows))
            return .done
        }
        if episodes.isEmpty {
            try environment.say("No episodes")
            return .done
        }
        var table = Table([
            .init(title: "ID", alignment: .right),
            .init(title: "DATE"),
            .init(title: "FEED", isFlexible: true, goes: 3),
            .init(title: "TITLE", isFlexible: true),
            .init(title: "PLACE", goes: 1),
            .init(title: "LENGTH", alignment: .right, goes: 2),
            .init(title: "STATE"),
        ])
        let format = environment.format
        for episode in episodes {
            table.addRow([
                episode.id.description,
                episode.published.map(format.day) ?? "",
                episode.feedTitle,
                episode.title,
                placeText(season: episode.season, episode: episode.episode, type: episode.episodeType),
                episode.duration.map { format.duration(seconds: $0 / .seconds(1)) } ?? "",
                stateAndMarks(episode),
            ])
        }
        try environment.output.write(table.text(width: environment.terminalWidth))
        return .done
    }

    private static func filter(_ name: String) throws(UsageError) -> EpisodeQuery.Filter {
        if let state = DownloadState(rawValue: name) { return .state(state) }
        switch name {
        // The word that the list itself shows.
        case "downloaded": return .state(.done)
        case "new": return .new
        case "started": return .started
        case "kept": return .kept
        case "requested": return .requested
        case "played": return .played
        case "unplayed": return .unplayed
        default:
            throw UsageError("--state takes one of \(stateNames.joined(separator: ", ")), not '\(name)'")
        }
    }
}

/// Reads `2026-11-24` as the beginning of that day in the user's time zone, and `7d`, `2w` or `1y` as so long ago.
func sinceDate(_ text: String, now: Date, timeZone: TimeZone) throws(UsageError) -> Date {
    let days: [Character: Double] = ["d": 1, "w": 7, "y": 365]
    if let unit = text.last.flatMap({ days[$0] }), let count = Int(text.dropLast()),
        (0...100_000).contains(count)
    {
        return now.addingTimeInterval(-86_400 * unit * Double(count))
    }
    let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
    guard let date = try? Date(text, strategy: style) else {
        throw UsageError(
            "--since takes a day such as 2026-11-24, or 7d, 2w or 1y for so long ago, not '\(text)'")
    }
    return date
}
