import Aggregator
import EpisodeStore

/// What is to become of a setting.
struct SettingChange {
    /// Nil takes the setting away.
    let value: String?

    /// Returns nil where the setting is only to be shown.
    init?(_ arguments: Arguments, name: String?, value: String?) throws(UsageError) {
        let isDefault = arguments.has("default")
        guard isDefault || value != nil else { return nil }
        guard name != nil else { throw UsageError("--default needs the KEY to take away") }
        guard !(isDefault && value != nil) else { throw UsageError("--default takes no VALUE") }
        self.value = value
    }
}

/// The words of a value such as `500 MB`, behind so many others; nil where there are none.
func joinedValue(_ arguments: Arguments, after count: Int) -> String? {
    let words = arguments.positional.dropFirst(count)
    return words.isEmpty ? nil : words.joined(separator: " ")
}

/// Runs work in which a wrong setting is a mistake in the command line.
func usage<Result>(_ work: () throws(SettingsError) -> Result) throws(UsageError) -> Result {
    do {
        return try work()
    } catch {
        throw UsageError(error.message)
    }
}

/// The settings as a help text lists them, each with what it may be, but for those of one scope.
func settingsHelp(_ excluded: SettingKey.Scope) -> String {
    let keys = SettingKey.all.filter { $0.scope != excluded }
    let width = keys.map(\.name.count).max() ?? 0
    return keys.map { key in
        let padding = String(repeating: " ", count: width - key.name.count)
        let indent = String(repeating: " ", count: width + 4)
        return "  \(key.name)\(padding)  \(key.meaning)\n\(indent)\(key.allowed)\(defaultText(key))"
    }.joined(separator: "\n")
}

private func defaultText(_ key: SettingKey) -> String {
    key.builtIn.map { "; \($0) if not set" } ?? ""
}

/// The names of the settings that `settingsHelp` lists.
func settingNames(_ excluded: SettingKey.Scope) -> [String] {
    SettingKey.all.filter { $0.scope != excluded }.map(\.name)
}

extension Environment {
    /// Prints the settings of a feed with their sources.
    func printSettings(_ settings: [EffectiveSetting]) throws {
        if options.wantsJSON {
            return try output.write(jsonText(settings.map(SettingRow.init)))
        }
        var table = Table([
            .init(title: "KEY"), .init(title: "VALUE", isFlexible: true), .init(title: "FROM"),
        ])
        for setting in settings {
            let source =
                switch setting.source {
                case .feed: "this feed"
                case .global: "config.json5"
                case .builtIn: "default"
                }
            table.addRow([setting.name, setting.value ?? "not set", source])
        }
        try output.write(table.text(width: terminalWidth))
    }
}

/// A value in a sentence.
func shownValue(_ value: String?) -> String {
    value.map { $0.isEmpty ? "empty" : $0 } ?? "not set"
}

/// A setting as `set --json` and `why --json` print it.
struct SettingRow: Encodable {
    let key: String
    let value: String?
    let from: EffectiveSetting.Source

    init(_ setting: EffectiveSetting) {
        key = setting.name
        value = setting.value
        from = setting.source
    }
}

/// The option that a setting needs which makes every file go.
let forceKeepOption = OptionSyntax(
    "force", "Set 'keep' to 0, by which the next sync deletes every file it may")

extension Environment {
    /// Refuses a value that makes every file go, unless it is forced; tells otherwise how many files it makes go.
    ///
    /// - Parameters:
    ///   - feed: The feed that the setting is for; nil for all.
    /// - Returns: The end of the line that tells of the change.
    func checkKeep(
        _ key: SettingKey, _ value: String?, of feed: FeedRecord?, isForced: Bool, _ aggregator: Aggregator?
    ) async throws -> String {
        guard key.name == "keep" else { return "" }
        let count = try await aggregator?.countDeleted(byKeep: value, of: feed) ?? 0
        let files = counted(count, "file", in: self)
        if keepsNothing(key, value), !isForced {
            throw CommandFailure(
                "keep 0 makes the next sync delete every file that the rules fetched (\(files) now); --force sets it nevertheless"
            )
        }
        return count == 0 ? "" : "; the next sync deletes \(files) ('podget clean --dry-run' lists them)"
    }

    /// Tells, after `storageLimit` was set, how many files it makes go.
    func tellBeyondLimit(_ key: SettingKey) async throws {
        guard key.name == "storageLimit", let aggregator = try openForReading() else { return }
        let plan = try await aggregator.plan(
            for: try await aggregator.feeds(matching: []), downloads: false)
        let count = plan.count { $0.action == .delete }
        guard count > 0 else { return }
        try say(
            "The next sync deletes \(counted(count, "file", in: self)) ('podget clean --dry-run' lists them)")
    }

    /// Tells, after `quality` was set, where no episode has files to choose among yet.
    ///
    /// - Parameter feed: The feed that the setting is for; nil for all.
    func tellNothingToChoose(
        _ key: SettingKey, _ value: String?, of feed: FeedRecord?, _ aggregator: Aggregator?
    ) async throws {
        guard key.name == "quality", value != nil, let aggregator,
            try await !aggregator.library.offersAlternates(in: feed?.id)
        else { return }
        let place = feed == nil ? "any feed" : "this feed"
        try say("No episode of \(place) offers several files yet, so the setting changes nothing for now")
    }

    /// Tells, after `writeTags` was set, which files it does not concern.
    func tellUntagged(_ key: SettingKey, _ value: String?) throws {
        guard key.name == "writeTags", value == "true" else { return }
        try say("Files that are here already stay as they are")
    }

    /// Tells, after a change of one of the two, where `keep` allows fewer downloads than `latest` asks for.
    func tellLatestBeyondKeep(
        _ key: SettingKey, _ feed: FeedSettings, over global: FeedSettings
    ) throws {
        guard ["keep", "latest"].contains(key.name), let warning = latestBeyondKeep(feed, over: global)
        else { return }
        try say(warning)
    }
}
