import FoundationEssentials
import Glibc

/// The file of the global settings, as a person keeps it: with comments, in their own order.
public struct SettingsFile: Sendable {
    public let path: String

    public init(_ places: Places) {
        path = places.configFile
    }

    public func read() throws(AggregatorError) -> Settings {
        do {
            return try Settings(file: path)
        } catch {
            throw .settings(path, reason: error.message)
        }
    }

    /// Sets one key, or takes it out with nil; every comment and every other value stays.
    ///
    /// The new text is read before it replaces the file: if anything but this key would differ, nothing is written.
    public func set(_ key: SettingKey, to value: String?) throws(AggregatorError) {
        // Of two processes that change different keys at once, neither may undo the other's change.
        try createFolders(folderPart(of: path))
        let lock = try FolderLock(folderPart(of: path))
        defer { lock.giveBack() }
        let old = try read()
        // A file that a link stands for is changed itself, and the link stays.
        let target = realPath(path) ?? path
        let text: String
        if access(target, F_OK) != 0, errno == ENOENT {
            text = "{\n}\n"
        } else if let bytes = readWholeFile(target, atMost: 1 << 20) {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            throw .settings(path, reason: "cannot be read")
        }
        do throws(SettingsError) {
            var wanted = old
            try key.write(value, &wanted)
            let changed = JSON5Edit(text).map { edit in
                key.json5(in: wanted, isSet: value != nil).map { edit.setting(key.name, to: $0) }
                    ?? edit.removing(key.name)
            }
            guard let changed, try Settings(json5: Data(changed.utf8)) == wanted else {
                throw SettingsError(message: "'\(key.name)' cannot be changed here; change it with an editor")
            }
            try write(changed, to: target)
        } catch {
            throw .settings(path, reason: error.message)
        }
    }

    private func write(_ text: String, to target: String) throws(SettingsError) {
        do throws(AggregatorError) {
            try createFolders(folderPart(of: target))
            try replaceFile(at: target, with: text)
        } catch {
            throw SettingsError(message: error.description)
        }
    }

    /// A settings file that names every key with its default, all of it in comments.
    public static var example: String {
        var text = "{\n    // Every setting of podget. Take the // away from a line to change it.\n"
        for key in SettingKey.all where key.scope != .feedOnly {
            let rest = key.builtIn == nil ? " (not set)" : ""
            text += "\n    // \(key.meaning)\(rest)\n    // \(key.name): \(key.example),\n"
        }
        return text + "}\n"
    }
}

extension SettingKey {
    /// The value as it stands in the file: a number, a truth value, a program's words, else a text in quotes.
    fileprivate func json5(in settings: Settings, isSet: Bool) -> String? {
        guard isSet, let text = read(settings) else { return nil }
        if Int(text) != nil || name == "player" || name == "notify" { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A text can always be encoded.
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A setting in force for a feed, and where it comes from.
public struct EffectiveSetting: Equatable, Sendable {
    public enum Source: String, Codable, Sendable { case feed, global, builtIn }

    public let name: String

    /// Nil where nothing is set and nothing is built in.
    public let value: String?
    public let source: Source
}
