public import EpisodeStore

/// One setting: its name, where it may stand, and what its value may be.
public struct SettingKey: Sendable {
    public enum Scope: Sendable { case everywhere, globalOnly, feedOnly }

    public let name: String
    public let scope: Scope

    /// What a value must be, such as `a whole number from 1 to 32`.
    public let allowed: String

    /// The value that holds without the setting; nil where there is none.
    public let builtIn: String?

    /// An example for the settings file, in JSON5.
    public let example: String
    public let meaning: String

    let read: @Sendable (Settings) -> String?
    let write: @Sendable (String?, inout Settings) throws(SettingsError) -> Void

    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value?> & Sendable, _ kind: SettingKind<Value>,
        scope: Scope = .everywhere, builtIn: String? = nil, example: String, _ meaning: String
    ) {
        self.name = name
        self.scope = scope
        self.builtIn = builtIn
        self.example = example
        self.meaning = meaning
        allowed = kind.allowed
        read = { $0[keyPath: path].map(kind.text) }
        write = { text, settings throws(SettingsError) in
            settings[keyPath: path] = try text.map { text throws(SettingsError) in
                try kind.value(of: text, for: name)
            }
        }
    }

    /// A setting that always has a value.
    init<Value: Sendable>(
        _ name: String, always path: any WritableKeyPath<Settings, Value> & Sendable,
        _ kind: SettingKind<Value>, _ meaning: String
    ) {
        let builtIn = Settings()[keyPath: path]
        self.name = name
        scope = .globalOnly
        self.builtIn = kind.text(builtIn)
        let text = kind.text(builtIn)
        example = Int(text) == nil && Bool(text) == nil ? "\"\(text)\"" : text
        self.meaning = meaning
        allowed = kind.allowed
        read = { kind.text($0[keyPath: path]) }
        write = { text, settings throws(SettingsError) in
            settings[keyPath: path] =
                try text.map { text throws(SettingsError) in try kind.value(of: text, for: name) } ?? builtIn
        }
    }

    /// Finds a key that may stand in the settings file.
    public static func global(
        named name: String, ignoringCase: Bool = true
    ) throws(SettingsError) -> SettingKey {
        try find(name, among: all.filter { $0.scope != .feedOnly }, "setting", ignoringCase)
    }

    /// Finds a key that a feed may override.
    public static func feed(named name: String) throws(SettingsError) -> SettingKey {
        try find(name, among: all.filter { $0.scope != .globalOnly }, "setting of a feed", true)
    }

    /// What the value of a setting may be; empty where there is no such setting.
    public static func allowed(_ name: String) -> String {
        all.first { $0.name == name }?.allowed ?? ""
    }

    private static func find(
        _ name: String, among keys: [SettingKey], _ noun: String, _ ignoringCase: Bool
    ) throws(SettingsError) -> SettingKey {
        let found = keys.first { key in
            key.name == name || (ignoringCase && key.name.lowercased() == name.lowercased())
        }
        if let found { return found }
        let known = keys.map(\.name).joined(separator: ", ")
        throw SettingsError(message: "there is no \(noun) '\(name)'; the settings are \(known)")
    }

    /// The value in force: the one that is set, else the built-in one.
    public func value(in settings: Settings) -> String? {
        read(settings) ?? builtIn
    }

    /// Sets the value, or the default with nil; throws what is wrong with it.
    public func check(_ text: String?, in settings: inout Settings) throws(SettingsError) {
        try write(text, &settings)
    }

    /// The value that a feed has of its own.
    public func value(in settings: FeedSettings) -> String? {
        var all = Settings()
        all.forFeeds = settings
        return read(all)
    }

    /// The settings with this one changed; nil takes it away.
    public func setting(_ text: String?, in settings: FeedSettings) throws(SettingsError) -> FeedSettings {
        var all = Settings()
        all.forFeeds = settings
        try write(text, &all)
        return all.forFeeds
    }
}

extension SettingKey {
    /// Every setting, in the order in which they are listed.
    public static let all: [SettingKey] = [
        SettingKey(
            "latest", \.forFeeds.latest, .wholeNumber(0...10_000), builtIn: "1", example: "1",
            "how many of the newest episodes of a feed are downloaded"),
        SettingKey(
            "first", \.forFeeds.first, .wholeNumber(0...10_000), example: "1",
            "how many of those that a feed has when you subscribe; without it as many as latest"),
        SettingKey(
            "keep", \.forFeeds.keep, .keep, builtIn: "all", example: "\"all\"",
            "how many files of a feed stay (10), or for how long (30d, 4w)"),
        SettingKey(
            "order", \.forFeeds.order, .oneOf(["newest", "oldest"]), builtIn: "newest", example: "\"newest\"",
            "what is downloaded first; oldest: a show from its beginning, as it is played"),
        SettingKey(
            "include", \.forFeeds.include, .pattern, example: "\"interview|special\"",
            "only episodes whose title fits (a regular expression as 'grep -E -i' takes it)"),
        SettingKey(
            "exclude", \.forFeeds.exclude, .pattern, example: "\"rerun\"",
            "no episodes whose title fits such an expression"),
        SettingKey(
            "minDuration", \.forFeeds.minDuration, .length, example: "\"5m\"",
            "no episodes that are shorter"),
        SettingKey(
            "maxDuration", \.forFeeds.maxDuration, .length, example: "\"3h\"",
            "no episodes that are longer"),
        SettingKey(
            "types", \.forFeeds.types, .types, builtIn: "full,trailer,bonus",
            example: "[\"full\", \"trailer\", \"bonus\"]",
            "which kinds of episodes are downloaded; full alone: neither trailers nor bonus episodes"),
        SettingKey(
            "quality", \.forFeeds.quality, .quality, example: "\"smallest\"",
            "which file of an episode that offers several (nothing is re-encoded); a bitrate: the best up to it"
        ),
        SettingKey(
            "writeTags", \.forFeeds.writeTags, .yesOrNo, builtIn: "false", example: "false",
            "true: title, show, date, number, chapters and cover are written into mp3, m4a and ogg files once they are downloaded; older files stay as they are"
        ),
        SettingKey(
            "userAgent", \.forFeeds.userAgent, .words, example: "\"podget\"",
            "the name podget gives itself to servers"),
        SettingKey(
            "name", \.forFeeds.name, .words, scope: .feedOnly, example: "\"My show\"",
            "the name to show instead of the feed's title"),
        SettingKey(
            "tags", \.forFeeds.tags, .tags, scope: .feedOnly, example: "\"News, Arts/Music\"",
            "what the feed is sorted under ('feeds --tag', folders of 'export'); tag adds one to them, untag takes one away"
        ),
        SettingKey(
            "library", \.library, .folder, scope: .globalOnly, builtIn: "~/Podcasts",
            example: "\"~/Podcasts\"", "where finished files go"),
        SettingKey(
            "storageLimit", \.storageLimit, .byteCount(from: 1), scope: .globalOnly, example: "\"20 GB\"",
            "how much all files may take; what is played goes first, then what is oldest"),
        SettingKey(
            "reserve", always: \.reserve, .byteCount(from: 0), "how much downloads leave free on the disk"),
        SettingKey(
            "bandwidth", \.bandwidthLimit, .byteRate(from: 1000), scope: .globalOnly, example: "\"500 KB/s\"",
            "how much all downloads together may take in a second"),
        SettingKey(
            "metered", \.metered, .oneOf(["wait", "ignore"]), scope: .globalOnly, builtIn: "ignore",
            example: "\"ignore\"", "wait: automatic downloads wait while the connection is metered"),
        SettingKey(
            "caBundle", \.caBundle, .folder, scope: .globalOnly, example: "\"~/ca.pem\"",
            "the file of certificates to trust instead of the system's"),
        SettingKey("transfers", always: \.transfers, .wholeNumber(1...32), "downloads at once, in all"),
        SettingKey(
            "transfersPerHost", always: \.transfersPerHost, .wholeNumber(1...32),
            "downloads at once from one host"),
        SettingKey(
            "player", \.player, .program, scope: .globalOnly, example: "[\"mpv\", \"{file}\"]",
            "the program that 'play' runs, with its arguments; without it mpv, else xdg-open"),
        SettingKey(
            "playedWithin", always: \.playedWithin, .length,
            "an episode counts as played from so long before its end, at most a tenth of it"),
        SettingKey(
            "notify", always: \.notify, .yesOrNo, "true: the desktop is told what a sync has downloaded"),
    ]
}
