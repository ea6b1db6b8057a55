import FoundationEssentials

/// The programs that run when something has happened: `hooks` in `config.json5`.
public struct HookSettings: Equatable, Sendable {
    /// A program and its arguments, each.
    public var downloaded: [String]?
    public var failed: [String]?
    public var synced: [String]?

    /// How long one of them may run.
    public var timeLimit = Duration.seconds(60)

    public init() {}

    /// Reads `hooks` of the settings.
    init(json5 data: Data) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let hooks: Hooks?
        do {
            hooks = try decoder.decode(File.self, from: data).hooks
        } catch let error as SettingsError {
            throw error
        } catch let error as DecodingError {
            throw SettingsError(error)
        } catch {
            throw SettingsError(message: "\(error)")
        }
        self.init()
        guard let hooks else { return }
        downloaded = hooks.downloaded
        failed = hooks.failed
        synced = hooks.synced
        for (name, words) in [("downloaded", downloaded), ("failed", failed), ("synced", synced)] {
            guard let words else { continue }
            guard words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) }) else {
                throw SettingsError(
                    message:
                        "'hooks.\(name)' must be a program and its arguments: [\"/usr/bin/logger\", \"new\"]")
            }
        }
        if let seconds = hooks.timeLimit {
            guard (1...86_400).contains(seconds) else {
                throw SettingsError(
                    message: "'hooks.timeLimit' must be from 1 to 86400 seconds, not \(seconds)")
            }
            timeLimit = .seconds(seconds)
        }
    }

    private struct File: Decodable {
        let hooks: Hooks?
    }

    private struct Hooks: Decodable {
        let downloaded: [String]?
        let failed: [String]?
        let synced: [String]?
        let timeLimit: Int?

        private enum Key: String, CodingKey, CaseIterable {
            case downloaded, failed, synced, timeLimit
        }

        init(from decoder: any Decoder) throws {
            let given = try decoder.singleValueContainer().decode([String: AnyValue].self).keys
            if let unknown = given.sorted().first(where: { Key(rawValue: $0) == nil }) {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError(message: "there is no hook '\(unknown)'; 'hooks' takes \(known)")
            }
            let container = try decoder.container(keyedBy: Key.self)
            downloaded = try container.decodeIfPresent([String].self, forKey: .downloaded)
            failed = try container.decodeIfPresent([String].self, forKey: .failed)
            synced = try container.decodeIfPresent([String].self, forKey: .synced)
            timeLimit = try container.decodeIfPresent(Int.self, forKey: .timeLimit)
        }
    }
}
