import FoundationEssentials

/// The global settings: `config.json5`, each key optional.
public struct Settings: Equatable, Sendable {
    /// Where finished files go; `~` stands for the home folder.
    public var library: String?

    /// How many of the newest episodes of a feed `sync` downloads.
    public var latest = 1

    /// How many downloads run at once, in all and from one host.
    public var transfers = 3
    public var transfersPerHost = 2

    /// The most bytes of finished files; nil for no limit.
    public var storageLimit: Int64?

    /// Bytes that downloads leave free on the disk.
    public var reserve: Int64 = 1 << 30

    /// Bytes per second that all downloads together may take; nil for as fast as it goes.
    public var bandwidthLimit: Int64?

    /// Whether automatic downloads wait while the connection is metered.
    public var waitsWhileMetered = false

    /// The file of certificates to trust instead of the system's; `~` stands for the home folder.
    public var caBundle: String?

    /// The name podget gives itself to servers, instead of its own.
    public var userAgent: String?

    public init() {}

    /// Reads the settings from JSON5 (comments and trailing commas allowed).
    ///
    /// An unknown key is an error: a misspelt setting would otherwise be ignored without a word.
    init(json5 data: Data) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let file: File
        do {
            file = try decoder.decode(File.self, from: data)
        } catch let error as SettingsError {
            throw error
        } catch let error as DecodingError {
            throw SettingsError(error)
        } catch {
            throw SettingsError(message: "\(error)")
        }
        self.init()
        library = file.library
        latest =
            try file.latest.map { value throws(SettingsError) in try checked(value, .latest, 0...10_000) }
            ?? latest
        transfers =
            try file.transfers.map { value throws(SettingsError) in try checked(value, .transfers, 1...32) }
            ?? transfers
        transfersPerHost =
            try file.transfersPerHost.map { value throws(SettingsError) in
                try checked(value, .transfersPerHost, 1...32)
            }
            ?? transfersPerHost
        storageLimit = try file.storageLimitMiB.map { value throws(SettingsError) in
            Int64(try checked(value, .storageLimitMiB, 1...mostMiB)) << 20
        }
        reserve =
            try file.reserveMiB.map { value throws(SettingsError) in
                Int64(try checked(value, .reserveMiB, 0...mostMiB)) << 20
            }
            ?? reserve
        bandwidthLimit = try file.bandwidthKiB.map { value throws(SettingsError) in
            Int64(try checked(value, .bandwidthKiB, 1...mostMiB)) << 10
        }
        waitsWhileMetered = try file.metered.map(meansWaiting) ?? waitsWhileMetered
        caBundle = file.caBundle
        userAgent = file.userAgent
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

    enum Key: String, CodingKey, CaseIterable {
        case library, latest, transfers, transfersPerHost, storageLimitMiB, reserveMiB, bandwidthKiB, metered,
            caBundle,
            userAgent
    }

    /// The file as it stands, before its values are checked.
    private struct File: Decodable {
        let library: String?
        let latest: Int?
        let transfers: Int?
        let transfersPerHost: Int?
        let storageLimitMiB: Int?
        let reserveMiB: Int?
        let bandwidthKiB: Int?
        let metered: String?
        let caBundle: String?
        let userAgent: String?

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
            if let unknown = keys.sorted().first(where: { Key(rawValue: $0) == nil }) {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError(message: "there is no setting '\(unknown)'; the settings are \(known)")
            }
            let container = try decoder.container(keyedBy: Key.self)
            library = try container.decodeIfPresent(String.self, forKey: .library)
            latest = try container.decodeIfPresent(Int.self, forKey: .latest)
            transfers = try container.decodeIfPresent(Int.self, forKey: .transfers)
            transfersPerHost = try container.decodeIfPresent(Int.self, forKey: .transfersPerHost)
            storageLimitMiB = try container.decodeIfPresent(Int.self, forKey: .storageLimitMiB)
            reserveMiB = try container.decodeIfPresent(Int.self, forKey: .reserveMiB)
            bandwidthKiB = try container.decodeIfPresent(Int.self, forKey: .bandwidthKiB)
            metered = try container.decodeIfPresent(String.self, forKey: .metered)
            caBundle = try container.decodeIfPresent(String.self, forKey: .caBundle)
            userAgent = try container.decodeIfPresent(String.self, forKey: .userAgent)
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// What is wrong with the settings file, in words for the user.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    public let message: String

    public var description: String { message }

    init(message: String) {
        self.message = message
    }

    fileprivate init(_ error: DecodingError) {
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

private func meansWaiting(_ word: String) throws(SettingsError) -> Bool {
    switch word {
    case "wait": true
    case "ignore": false
    default: throw SettingsError(message: "'metered' must be 'wait' or 'ignore', not '\(word)'")
    }
}

/// A pebibyte, in mebibytes.
private let mostMiB = 1 << 30

private func checked(_ value: Int, _ key: Settings.Key, _ range: ClosedRange<Int>) throws(SettingsError)
    -> Int
{
    guard range.contains(value) else {
        throw SettingsError(
            message: "'\(key.rawValue)' must be from \(range.lowerBound) to \(range.upperBound), not \(value)"
        )
    }
    return value
}
