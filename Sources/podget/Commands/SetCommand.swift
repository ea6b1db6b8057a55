import Aggregator
import EpisodeStore

/// Overrides global settings for one feed: `podget set FEED KEY VALUE`.
struct SetCommand: Command {
    static let syntax = CommandSyntax(
        name: "set",
        group: .settings,
        summary: "Show or change the settings of one feed",
        arguments: [
            ArgumentSyntax("FEED", .one, "The feed"),
            ArgumentSyntax(
                "KEY", .optional, choices: settingNames(.globalOnly), "The setting; all are listed without"),
            ArgumentSyntax("VALUE", .any, "Its new value; several words are one value"),
        ],
        options: [
            OptionSyntax("default", "Take the setting away, so that the global one holds again"),
            forceKeepOption,
        ],
        details: "The settings of a feed:\n" + settingsHelp(.globalOnly),
        examples: [
            .init("podget set low-water keep 10", "keeps the ten newest files of a feed"),
            .init("podget set low-water exclude rerun", "skips every episode with 'rerun' in its title"),
            .init("podget set low-water types full", "skips trailers and bonus episodes"),
            .init(
                "podget set low-water tags \"News, Arts/Music\"",
                "sorts a feed under these tags and no others"),
            .init("podget set low-water tag Local", "adds a tag to those of a feed"),
            .init("podget set low-water untag Local", "takes one away"),
            .init("podget set low-water", "lists what holds for a feed, and why"),
        ])

    private let selector: String
    private let name: String?
    private let change: SettingChange?
    private let isForced: Bool

    /// The words that stand for a part of the setting `tags`.
    private enum TagWord: String { case tag, untag }
    private let tagWord: TagWord?

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional[0]
        isForced = arguments.has("force")
        name = arguments.positional.count > 1 ? arguments.positional[1] : nil
        tagWord = name.flatMap { TagWord(rawValue: $0.lowercased()) }
        if let tagWord, arguments.has("default") {
            throw UsageError(
                "'\(tagWord)' is one tag: 'podget set FEED untag TAG' takes it away, 'podget set FEED tags --default' takes "
                    + "all away")
        }
        change = try SettingChange(
            arguments, name: name, value: joinedValue(arguments, after: 2))
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let key = try name.map { name throws(UsageError) in
            try usage { () throws(SettingsError) in try SettingKey.feed(named: tagWord == nil ? name : "tags")
            }
        }
        guard let key, let change else {
            guard let aggregator = try environment.openForReading() else {
                throw AggregatorError.unknown(selector, nearest: [])
            }
            let feed = try await aggregator.feed(matching: selector)
            let settings = aggregator.effectiveSettings(of: feed)
            try environment.printSettings(settings.filter { key == nil || $0.name == key?.name })
            return .done
        }
        let aggregator = try environment.openAggregator()
        let feed = try await aggregator.feed(matching: selector)
        let changed: FeedRecord
        let consequence: String
        do {
            // A wrong value is told before what it would come to.
            var tried = Settings()
            try key.check(change.value, in: &tried)
            let new = tried.forFeeds.tags ?? []
            consequence = try await environment.checkKeep(
                key, change.value, of: feed, isForced: isForced, aggregator)
            changed =
                switch tagWord {
                case .tag: try await aggregator.add(tags: new, to: feed)
                case .untag: try await aggregator.remove(tags: new, from: feed)
                case nil: try await aggregator.set(key, to: change.value, of: feed)
                }
        } catch let error as SettingsError {
            throw UsageError(error.message)
        }
        let now = aggregator.effectiveSettings(of: changed).filter { $0.name == key.name }
        if environment.options.wantsJSON {
            try environment.printSettings(now)
        }
        try environment.say(
            "\(changed.title): \(key.name) \(key.name == "tags" ? "are" : "is") \(shownValue(now.first?.value)) now\(consequence)"
        )
        try environment.tellLatestBeyondKeep(key, changed.settings, over: aggregator.settings.forFeeds)
        try await environment.tellNothingToChoose(key, change.value, of: changed, aggregator)
        try environment.tellUntagged(key, change.value)
        return .done
    }
}
