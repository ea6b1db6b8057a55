import Aggregator
import EpisodeStore

/// Adds feeds: `podget subscribe SOURCE…`.
struct SubscribeCommand: Command {
    static let syntax = CommandSyntax(
        name: "subscribe",
        group: .main,
        summary: "Add feeds to the library",
        arguments: [
            ArgumentSyntax(
                "SOURCE", .atLeastOne,
                "A feed's address, a web page that links to one, a feed file, or an OPML file")
        ],
        options: [
            OptionSyntax(
                "latest", value: "N",
                "Download the N newest episodes of these feeds at each sync (1 if not said); older files stay"
            ),
            OptionSyntax(
                "keep", value: "KEEP",
                "Delete older files of these feeds: \(SettingKey.allowed("keep"))"),
            OptionSyntax("name", value: "NAME", "Show the feed under this name (one SOURCE only)"),
            OptionSyntax(
                "tag", value: "TAG", "Sort the feeds under TAG; may be given more than once"),
            OptionSyntax("all-pages", "Read the older pages of a paged feed too"),
        ],
        details: """
            Fetches each feed and stores its episodes. 'podget sync' then downloads the newest. 'podget set FEED KEY VALUE'
            changes what is downloaded and kept of a feed; 'podget set --help' lists the settings.
            """,
        examples: [
            .init("podget subscribe https://example.com/feed.xml", "adds one feed"),
            .init("podget subscribe feeds.opml", "adds every feed that another program exported"),
            .init(
                "podget subscribe --latest 3 example.com/show",
                "adds a feed; each sync downloads its three newest episodes"),
            .init(
                "podget subscribe --latest 3 --keep 3 example.com/show",
                "the same, and only the three newest files stay"),
        ])

    private let sources: [String]
    private let settings: FeedSettings
    private var options = RefreshOptions()

    init(_ arguments: Arguments) throws(UsageError) {
        sources = arguments.positional
        var settings = FeedSettings()
        settings.latest = try arguments.number(of: "latest", in: 0...10_000)
        settings.keep = try Self.keep(arguments.value(of: "keep"))
        settings.name = arguments.value(of: "name")
        settings.add(tags: try tags(arguments))
        if settings.name != nil, sources.count > 1 {
            throw UsageError("--name fits one SOURCE only")
        }
        self.settings = settings
        options.readsAllPages = arguments.has("all-pages")
    }

    private static func keep(_ text: String?) throws(UsageError) -> String? {
        guard let text else { return nil }
        let key = try usage { () throws(SettingsError) in try SettingKey.feed(named: "keep") }
        if keepsNothing(key, text) {
            throw UsageError("--keep 0 would delete every file; 'podget set FEED keep 0 --force' does that")
        }
        return try usage { () throws(SettingsError) in try key.setting(text, in: FeedSettings()).keep }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        var failed = 0
        var all: [(source: String, tags: [String])] = []
        for source in sources {
            let list = try aggregator.feedList(at: source, workingDirectory: environment.workingDirectory)
            if list?.entries.isEmpty == true { environment.complain("\(source) lists no feeds") }
            all += list?.entries.map { ($0.url, $0.tags) } ?? [(source, [])]
        }
        if settings.name != nil, all.count > 1 { throw UsageError("--name fits one feed only") }
        let printer = EventPrinter(environment)
        let report: SyncReport = { if case .note = $0 { printer.print($0) } }
        for (source, tags) in all {
            do {
                var settings = settings
                settings.add(tags: tags)
                let subscription = try await aggregator.subscribe(
                    to: source, workingDirectory: environment.workingDirectory, settings: settings,
                    options: options, report: report)
                try tell(subscription, in: environment)
            } catch let error as AggregatorError {
                try Task.checkCancellation()
                environment.complain(error.description)
                failed += 1
            }
        }
        if failed == 0 { return .done }
        return failed == all.count ? .failed : .partly
    }

    private func tell(_ subscription: Subscription, in environment: Environment) throws {
        let feed: FeedRecord
        switch subscription {
        case .added(let added, let isTruncated, let hasMorePages):
            feed = added
            let count = counted(added.episodeCount, "episode", in: environment)
            try environment.say("Subscribed to \(added.title): \(count)")
            if isTruncated {
                environment.complain("\(added.title): the feed is cut off; what could be read of it is kept")
            }
            if hasMorePages {
                try environment.say(
                    "The feed has older pages; 'podget refresh --all-pages \(added.slug)' reads them")
            }
        case .alreadySubscribed(let known):
            feed = known
            let isChanged =
                settings.latest != nil || settings.keep != nil || settings.name != nil || settings.tags != nil
            try environment.say(
                "Already subscribed to \(known.title)\(isChanged ? "; its settings are changed" : "")")
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(FeedRow(feed), isIndented: false))
        }
    }
}
