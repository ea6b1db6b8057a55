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
                "tag", value: "TAG",
                "Sort the feeds under TAG, also feeds that are there already; may be given more than once"),
            OptionSyntax("all-pages", "Read the older pages of a paged feed too"),
        ],
        details: """
            Fetches each feed and stores its episodes. 'podget sync' then downloads the newest. 'podget set FEED KEY VALUE'
            changes what is downloaded and kept of a feed; 'podget set --help' lists the settings. The feeds of an OPML file are
            asked several at once; one that does not answer is asked again by the next sync. podget searches no directory of shows.

            A user and password stand in the address (https://user:password@example.com/feed.xml), or in ~/.netrc.
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
            .init("podget subscribe --tag News low-water", "gives a feed that is there already a tag"),
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
        var lists: [FeedList] = []
        var addresses: [String] = []
        for source in sources {
            guard
                let list = try aggregator.feedList(at: source, workingDirectory: environment.workingDirectory)
            else {
                addresses.append(source)
                continue
            }
            if list.entries.isEmpty { environment.complain("\(source) lists no feeds") }
            lists.append(list)
        }
        let count = addresses.count + lists.reduce(0) { $0 + $1.entries.count }
        if settings.name != nil, count > 1 { throw UsageError("--name fits one feed only") }
        var failed = 0
        for address in addresses where try await !subscribe(to: address, aggregator, environment) {
            failed += 1
        }
        for list in lists { failed += try await subscribe(toAll: list, aggregator, environment) }
        if failed == 0 { return .done }
        return failed == count ? .failed : .partly
    }

    /// Returns whether the source is a feed that answers.
    private func subscribe(
        to source: String, _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> Bool {
        let printer = EventPrinter(environment)
        do {
            let subscription = try await aggregator.subscribe(
                to: source, workingDirectory: environment.workingDirectory, settings: settings,
                options: options, report: { if case .note = $0 { printer.print($0) } })
            try tell(subscription, aggregator, in: environment)
            return true
        } catch let error as AggregatorError {
            try Task.checkCancellation()
            var hint = ""
            if case .unreachable = error, !source.contains("://") {
                hint = "; 'podget subscribe http://\(source)' asks without encryption"
            }
            environment.complain(error.description + hint)
            return false
        }
    }

    /// Returns how many feeds of the list were refused, or did not answer.
    private func subscribe(
        toAll list: FeedList, _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> Int {
        let printer = EventPrinter(environment)
        let result = try await aggregator.subscribe(
            toAll: list, workingDirectory: environment.workingDirectory, settings: settings, options: options
        ) { event in
            switch event {
            // What arrives is told as it arrives, for a list may be long.
            case .feedRefreshed(let feed, _, let total):
                printer.say("Subscribed to \(feed.title): \(counted(total, "episode", in: environment))")
            case .feedFailed, .note: printer.print(event)
            default: break
            }
        }
        _ = try printer.finish()
        if Task.isCancelled { throw CancellationError() }
        for refused in result.refused { environment.complain(refused.description) }
        for refused in result.refusedSettings { environment.complain(refused) }
        for feed in result.known { try environment.say(alreadySubscribed(feed)) }
        if environment.options.wantsJSON {
            for feed in result.added + result.known {
                try environment.output.write(jsonText(FeedRow(feed), isIndented: false))
            }
        }
        let silent = result.added.count { $0.failureCount > 0 || $0.lastSucceeded == nil }
        if silent > 0 {
            environment.complain(
                "\(counted(silent, "feed", in: environment)) could not be fetched; the next 'podget sync' asks again, and 'podget feeds' shows which"
            )
        }
        return result.refused.count + silent
    }

    private func tell(
        _ subscription: Subscription, _ aggregator: Aggregator, in environment: Environment
    ) throws {
        let feed: FeedRecord
        switch subscription {
        case .added(let added, let isTruncated, let hasMorePages, let deletedBefore):
            feed = added
            let again = deletedBefore == nil ? "" : " again"
            let count = counted(added.episodeCount, "episode", in: environment)
            try environment.say("Subscribed to \(added.title)\(again): \(count)")
            if deletedBefore != nil { try tellOfBefore(added, deletedBefore ?? 0, in: environment) }
            if isTruncated {
                environment.complain("\(added.title): \(added.lastError ?? "the feed is cut off")")
            }
            if let warning = latestBeyondKeep(added.settings, over: aggregator.settings.forFeeds) {
                try environment.say("\(added.title): \(warning)")
            }
            if hasMorePages {
                try environment.say(
                    "The feed has older pages; 'podget refresh --all-pages \(added.slug)' reads them")
            }
        case .alreadySubscribed(let known):
            feed = known
            try environment.say(alreadySubscribed(known))
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(FeedRow(feed), isIndented: false))
        }
    }

    /// That a feed is known, with what this command has changed of it.
    private func alreadySubscribed(_ feed: FeedRecord) -> String {
        var others = settings
        others.tags = nil
        let changes = [
            others == FeedSettings() ? nil : "its settings are changed",
            settings.tags == nil ? nil : "its tags are \(tagWords(feed.settings.tags)) now",
        ].compactMap { $0 }.joined(separator: ", ")
        return "Already subscribed to \(feed.title)" + (changes.isEmpty ? "" : "; \(changes)")
    }

    /// What still holds from an earlier subscription.
    private func tellOfBefore(_ feed: FeedRecord, _ deleted: Int, in environment: Environment) throws {
        let settings = SettingKey.all.compactMap { key in
            key.scope == .globalOnly ? nil : key.value(in: feed.settings).map { "\(key.name) \($0)" }
        }
        if !settings.isEmpty {
            try environment.say("Its settings hold as before: \(settings.joined(separator: ", "))")
        }
        if deleted > 0 {
            let episodes = counted(deleted, "episode", in: environment)
            try environment.say(
                "\(episodes) deleted before \(deleted == 1 ? "stays" : "stay") deleted; 'podget episodes \(feed.slug) --state deleted' lists what 'podget download' fetches again"
            )
        }
    }
}
