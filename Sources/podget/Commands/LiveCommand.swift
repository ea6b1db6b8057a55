import Aggregator
import EpisodeStore
import FoundationEssentials

/// Shows what is broadcast live: `podget live [FEED]`.
struct LiveCommand: Command {
    static let syntax = CommandSyntax(
        name: "live",
        group: .listen,
        summary: "Show what is on live, and what follows",
        arguments: [ArgumentSyntax("FEED", .any, "Only these shows")],
        options: [OptionSyntax("ics", "Print the broadcasts that have a time as a calendar")],
        details: """
            The guide is what the feeds announced at their last refresh. 'podget play FEED:live' opens what is on, its
            stream or else the page that shows it. Broadcasts are never downloaded.
            """,
        examples: [
            .init("podget live", "shows every live show"),
            .init("podget play low-water:live", "plays what is on"),
            .init("podget live --ics > live.ics", "writes a calendar"),
        ])

    private let selectors: [String]
    private let wantsCalendar: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        wantsCalendar = arguments.has("ics")
        if wantsCalendar, arguments.has("json") { throw UsageError("--ics and --json exclude each other") }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        var shows: [LiveShow] = []
        if let aggregator = try environment.openForReading() {
            let wanted = Set(try await aggregator.feeds(matching: selectors).map(\.id))
            shows = try await aggregator.liveGuide().filter { wanted.contains($0.feed.id) }
        } else if let selector = selectors.first {
            throw AggregatorError.unknown(selector, nearest: [])
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(shows.map(LiveRow.init)))
        } else if wantsCalendar {
            try environment.output.write(calendarText(shows, now: environment.now()))
        } else if shows.isEmpty {
            let who = selectors.isEmpty ? "No feed" : "None of these feeds"
            try environment.say(
                "\(who) announces live broadcasts; those that do so are listed here (podcast:liveItem)")
        } else {
            try environment.output.write(shows.map { text($0, environment) }.joined(separator: "\n"))
        }
        return .done
    }

    private func text(_ show: LiveShow, _ environment: Environment) -> String {
        let format = environment.format
        var lines = [show.feed.title + " (\(show.feed.slug))"]
        for broadcast in show.on {
            let bar = broadcast.progress.map { liveBar($0) + " " } ?? ""
            let end = broadcast.item.end.map { " until \(format.moment($0))" } ?? ""
            lines.append("  now   \(bar)\(broadcast.item.title ?? "live")\(end)")
            if let address = broadcast.stream ?? broadcast.page {
                lines.append("        \(shownAddress(address))")
            }
        }
        for broadcast in show.next {
            let time = broadcast.item.start.map(format.moment) ?? "time unknown"
            let wait = broadcast.startsIn.map { ", in \(format.span($0))" } ?? ""
            lines.append("  next  \(broadcast.item.title ?? "live") (\(time)\(wait))")
        }
        if show.on.isEmpty, show.next.isEmpty { lines.append("  nothing is on or announced") }
        if let problem = show.feed.lastError {
            let age = show.feed.lastSucceeded.map { date in
                "this is " + format.span(.seconds(Int64(max(environment.now().timeIntervalSince(date), 0))))
                    + " old"
            }
            lines.append("  the last refresh failed" + (age.map { "; \($0)" } ?? "") + ": \(problem)")
        }
        return lines.map { terminalText($0) + "\n" }.joined()
    }
}

/// A bar of ten places, such as `[####------]`.
func liveBar(_ progress: Double) -> String {
    let full = Int((min(max(progress, 0), 1) * 10).rounded(.down))
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: 10 - full) + "]"
}

/// A show as `live --json` prints it; the lists are there also where they are empty.
private struct LiveRow: Encodable {
    struct Feed: Encodable {
        let id: Int64
        let slug: String
        let title: String
    }
    struct Link: Encodable {
        let url: String
        let text: String?
    }
    struct Item: Encodable {
        let guid: String?
        let title: String?
        let status: String?
        let start: Date?
        let end: Date?
        let progress: Double?
        let startsIn: Double?
        let stream: String?
        let links: [Link]
        let link: String?
        let chat: String?

        init(_ broadcast: LiveBroadcast) {
            let item = broadcast.item
            guid = item.guid
            title = item.title
            status = item.status
            start = item.start
            end = item.end
            progress = broadcast.progress
            startsIn = broadcast.startsIn.map { $0 / .seconds(1) }
            stream = broadcast.stream.map(shownAddress)
            links = item.contentLinks.map { Link(url: shownAddress($0.url), text: $0.text) }
            link = item.link
            chat = item.chat
        }
    }

    let feed: Feed
    let lastSucceeded: Date?
    let lastError: String?
    let on: [Item]
    let next: [Item]

    init(_ show: LiveShow) {
        feed = Feed(id: show.feed.id.rawValue, slug: show.feed.slug, title: show.feed.title)
        lastSucceeded = show.feed.lastSucceeded
        lastError = show.feed.lastError
        on = show.on.map(Item.init)
        next = show.next.map(Item.init)
    }
}
