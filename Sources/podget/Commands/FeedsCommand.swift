import Aggregator
import EpisodeStore

/// Lists the subscribed feeds: `podget feeds`.
struct FeedsCommand: Command {
    static let syntax = CommandSyntax(
        name: "feeds", group: .look, summary: "List the feeds",
        options: [
            OptionSyntax("tag", value: "TAG", "Only feeds under this tag; may be given more than once")
        ],
        details: """
            FILES counts what is downloaded, NEWEST is the day of the newest episode, CHECKED when the feed was asked last. Reads
            what is stored; the network is not asked.
            """,
        examples: [.init("podget feeds --tag News", "lists the feeds tagged News, News/Local and the like")])

    private let wantedTags: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        wantedTags = try tags(arguments)
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let all = try await environment.openForReading()?.feeds(matching: []) ?? []
        let feeds = all.filter { feed in wantedTags.allSatisfy { feed.settings.isTagged($0) } }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(feeds.map(FeedRow.init)))
            return .done
        }
        if feeds.isEmpty, !all.isEmpty {
            try environment.say("No feed has this tag; 'podget feeds' shows the tags of each")
            return .done
        }
        if feeds.isEmpty {
            try environment.say("There are no feeds yet; 'podget subscribe ADDRESS' adds one")
            return .done
        }
        let hasTags = feeds.contains { $0.settings.tags?.isEmpty == false }
        var table = Table(
            [
                .init(title: "ID", alignment: .right),
                .init(title: "SLUG", isFlexible: true),
                .init(title: "TITLE", isFlexible: true),
                .init(title: "EPISODES", alignment: .right, goes: 5),
                .init(title: "FILES", alignment: .right, goes: 4),
                .init(title: "NEWEST", goes: 3),
                .init(title: "CHECKED", goes: 1),
            ] + (hasTags ? [.init(title: "TAGS", isFlexible: true, goes: 2)] : []) + [
                .init(title: "PROBLEM", goes: 6)
            ])
        let format = environment.format
        for feed in feeds {
            table.addRow(
                [
                    feed.id.description, feed.slug, feed.title, format.number(feed.episodeCount),
                    format.number(feed.downloadedCount), feed.newestEpisode.map(format.day) ?? "",
                    feed.lastChecked.map(format.moment) ?? "never",
                ] + (hasTags ? [tagWords(feed.settings.tags)] : []) + [problemWord(feed)])
        }
        try environment.output.write(table.text(width: environment.terminalWidth))
        // Below the table, where no narrow column cuts them.
        let problems = feeds.compactMap { feed in
            problem(of: feed, format).map { "  " + terminalText("\(feed.slug): \($0)") + "\n" }
        }
        if !problems.isEmpty {
            try environment.output.write("\nProblems:\n" + problems.joined())
        }
        return .done
    }
}

/// What is wrong with a feed, in a word; empty where nothing is.
private func problemWord(_ feed: FeedRecord) -> String {
    if feed.isGone { return "gone" }
    guard feed.lastError != nil else { return "" }
    if feed.failureCount > 0 { return "failing" }
    return feed.lastErrorKind == .damaged ? "damaged" : "offline"
}

/// What is wrong with a feed, and since when; nil where nothing is.
func problem(of feed: FeedRecord, _ format: HumanFormat) -> String? {
    if feed.isGone {
        return "gone for good, asked no more; 'podget unsubscribe \(feed.slug)' removes it"
    }
    guard var error = feed.lastError else { return nil }
    // Whose problem it is stands beside it.
    let address = shownAddress(feed.url) + ": "
    if error.hasPrefix(address) { error = String(error.dropFirst(address.count)) }
    // Being offline and a repair say nothing about how long it has been so.
    guard feed.failureCount > 0 else { return error }
    let since = feed.lastSucceeded.map { "last worked \(format.day($0))" } ?? "never worked"
    return "\(error) (\(since))"
}
