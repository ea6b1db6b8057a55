public import EpisodeStore
import FoundationEssentials

/// The global settings: `config.json5`, each key optional.
///
/// `SettingKey.all` tells what each is and may be.
public struct Settings: Equatable, Sendable {
    /// Where finished files go; `~` stands for the home folder.
    public var library: String?

    /// How many downloads run at once, in all and from one host.
    public var transfers = 3
    public var transfersPerHost = 2

    /// The most bytes that finished files may take; nil for no limit.
    public var storageLimit: Int64?

    /// Bytes that downloads leave free on the disk.
    public var reserve: Int64 = 1 << 30

    /// Bytes per second that all downloads together may take; nil for as fast as it goes.
    public var bandwidthLimit: Int64?

    /// `wait` where automatic downloads wait while the connection is metered, else `ignore`.
    public var metered: String?

    /// The file of certificates to trust instead of the system's; `~` stands for the home folder.
    public var caBundle: String?

    /// What a feed gets that has no setting of its own.
    public var forFeeds = FeedSettings()

    /// The program that plays, and its arguments, in which `{file}` stands for the file; nil for mpv.
    public var player: [String]?

    /// An episode counts as played from so long before its end.
    public var playedWithin = Duration.seconds(60)

    /// Whether the desktop is told what a sync has downloaded.
    public var notify = false

    /// The programs that run when something has happened.
    public var hooks = HookSettings()

    public init() {}

    /// How many of the newest episodes of a feed `sync` downloads.
    public var latest: Int { forFeeds.latest ?? 1 }

    public var waitsWhileMetered: Bool { metered == "wait" }

    /// The name podget gives itself to servers, instead of its own.
    public var userAgent: String? { forFeeds.userAgent }

    /// Reads the settings from JSON5 (comments and trailing commas allowed).
    ///
    /// An unknown key is an error: a misspelt setting would otherwise be ignored without a word.
    init(json5 data: Data) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let values: [String: SettingText]
        do {
            values = try decoder.decode([String: SettingText].self, from: data)
        } catch let error as DecodingError {
            throw SettingsError(error)
        } catch {
            throw SettingsError(message: "\(error)")
        }
        self.init()
        hooks = try HookSettings(json5: data)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if name == "hooks" { continue }
            guard !value.isObject else {
                throw SettingsError(message: "the value of '\(name)' is of the wrong kind")
            }
            // In the file a key has one spelling, so that it cannot stand there twice.
            let key = try SettingKey.global(named: name, ignoringCase: false)
            // An argument of a program may hold the comma that parts other lists.
            let words = key.name == "player" ? value.list.map(SettingKind<[String]>.listText) : nil
            if let text = words ?? value.text { try key.write(text, &self) }
        }
    }

    /// Reads the settings file; a missing file means the defaults.
    init(file path: String) throws(SettingsError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            self.init()
            return
        } catch {
            throw SettingsError(message: "cannot be read")
        }
        try self.init(json5: data)
    }
}

/// A value of the settings file, as the text that `podget config` would take; nil for `null`.
private struct SettingText: Decodable {
    let text: String?
    let list: [String]?
    /// Only `hooks` is an object.
    let isObject: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        isObject = (try? container.decode([String: AnyValue].self)) != nil
        list = try? container.decode([String].self)
        if isObject || container.decodeNil() {
            text = nil
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let truth = try? container.decode(Bool.self) {
            text = String(truth)
        } else if let list {
            text = list.joined(separator: ",")
        } else {
            text = try container.decode(String.self)
        }
    }
}

/// A value that is not looked at.
struct AnyValue: Decodable {
    init(from decoder: any Decoder) {}
}

/// What is wrong with a setting or with the settings file, in words for the user.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    public let message: String

    public var description: String { message }

    init(message: String) {
        self.message = message
    }

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            message =
                path.isEmpty
                ? "the settings must be one object { … }" : "the value of '\(path)' is of the wrong kind"
        case .dataCorrupted:
            message = "it is not valid JSON5"
        @unknown default:
            message = "\(error)"
        }
    }
}
