import Aggregator
import EpisodeStore
import Glibc

/// Reads and writes the global settings: `podget config [KEY [VALUE]]`.
struct ConfigCommand: Command {
    static let syntax = CommandSyntax(
        name: "config",
        group: .settings,
        summary: "Show or change the settings for all feeds",
        arguments: [
            ArgumentSyntax(
                "KEY", .optional, choices: settingNames(.feedOnly), "The setting; all are listed without"),
            ArgumentSyntax("VALUE", .any, "Its new value; several words are one value"),
        ],
        options: [
            OptionSyntax("default", "Take the setting out of the file, so that its default holds again"),
            forceKeepOption,
            OptionSyntax("example", "Print a settings file with every key and its default"),
        ],
        details: """
            Comments in the file stay as they are. Programs that run after a download or a sync ('hooks') are named in the file
            itself; --example shows how. The settings:

            """ + settingsHelp(.feedOnly),
        examples: [
            .init("podget config keep 30d", "deletes files thirty days after their download"),
            .init("podget config latest", "prints one setting"),
            .init("podget config --example", "prints a file to begin with"),
        ])

    private let name: String?
    private let change: SettingChange?
    private let wantsExample: Bool
    private let isForced: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        name = arguments.positional.first
        change = try SettingChange(
            arguments, name: name, value: joinedValue(arguments, after: 1))
        wantsExample = arguments.has("example")
        isForced = arguments.has("force")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        if wantsExample {
            try environment.output.write(SettingsFile.example)
            return .done
        }
        let file = SettingsFile(try environment.places())
        let key = try name.map { name throws(UsageError) in
            try usage { () throws(SettingsError) in try SettingKey.global(named: name) }
        }
        guard let key else {
            try list(SettingKey.all.filter { $0.scope != .feedOnly }, try file.read(), in: environment)
            return .done
        }
        if let change {
            // A wrong value is a mistake in the command line, a wrong file is not.
            var settings = try file.read()
            try usage { () throws(SettingsError) in try key.check(change.value, in: &settings) }
            let consequence =
                key.name == "keep"
                ? try await environment.checkKeep(
                    key, change.value, of: nil, isForced: isForced, try environment.openForReading()) : ""
            let old = try environment.openForReading()
            try file.set(key, to: change.value)
            let value = try environment.value(of: key, in: settings)
            try environment.say("\(key.name) is \(shownValue(value)) now\(consequence)")
            if key.name == "library", let old, let value {
                try await tellOfMove(from: old, to: value, in: environment)
            }
            try await environment.tellBeyondLimit(key)
            try environment.tellLatestBeyondKeep(key, settings.forFeeds, over: FeedSettings())
            try await environment.tellNothingToChoose(key, change.value, of: nil, old)
            try environment.tellUntagged(key, change.value)
            if !environment.options.wantsJSON { return .done }
        }
        let settings = try file.read()
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(try Row(key, settings, environment)))
        } else {
            try environment.output.line(try environment.value(of: key, in: settings) ?? "not set")
        }
        return .done
    }

    /// Tells what is left to do where the files still stand in another folder.
    private func tellOfMove(
        from old: Aggregator, to folder: String, in environment: Environment
    ) async throws {
        let files = try await old.library.storage().filter { !$0.path.hasPrefix("/") }
        // Where they stand in the new folder already, they have been moved, or never were in the old one.
        let isHere = files.contains { access(folder + "/" + $0.path, F_OK) == 0 }
        guard old.mediaFolder != folder, !files.isEmpty, !isHere else { return }
        let (from, to) = (shellWord(old.mediaFolder), shellWord(folder))
        try environment.say(
            "\(counted(files.count, "file", in: environment)) \(files.count == 1 ? "stands" : "stand") in \(old.mediaFolder) still, and nothing is downloaded or deleted before they are moved; to move all: mkdir -p \(to) && mv \(from)/* \(to)/"
        )
    }

    private func list(_ keys: [SettingKey], _ settings: Settings, in environment: Environment) throws {
        if environment.options.wantsJSON {
            return try environment.output.write(jsonText(keys.map { try Row($0, settings, environment) }))
        }
        var table = Table([
            .init(title: "KEY"), .init(title: "VALUE", isFlexible: true),
            .init(title: "DEFAULT", isFlexible: true), .init(title: "MEANING", isFlexible: true),
        ])
        for key in keys {
            table.addRow([
                key.name, try environment.value(of: key, in: settings) ?? "not set",
                try environment.builtIn(key) ?? "not set", key.meaning,
            ])
        }
        try environment.output.write(table.text(width: environment.terminalWidth))
    }

    /// A setting as `config --json` prints it.
    private struct Row: Encodable {
        let key: String
        let value: String?
        let builtIn: String?
        let allowed: String
        let meaning: String

        init(_ key: SettingKey, _ settings: Settings, _ environment: Environment) throws {
            self.key = key.name
            value = try environment.value(of: key, in: settings)
            builtIn = try environment.builtIn(key)
            allowed = key.allowed
            meaning = key.meaning
        }

        enum CodingKeys: String, CodingKey {
            case key, value, allowed, meaning
            case builtIn = "default"
        }
    }
}

extension Environment {
    /// The value in force; the folder of the library as the path that it is here.
    fileprivate func value(of key: SettingKey, in settings: Settings) throws -> String? {
        guard key.name == "library" else { return key.value(in: settings) }
        guard let wanted = settings.library else { return try places().defaultLibrary }
        guard wanted == "~" || wanted.hasPrefix("~/"), let home = variables["HOME"] else { return wanted }
        return home + wanted.dropFirst()
    }

    /// The value without the setting.
    fileprivate func builtIn(_ key: SettingKey) throws -> String? {
        key.name == "library" ? try places().defaultLibrary : key.builtIn
    }
}
