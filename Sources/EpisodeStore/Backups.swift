public import FoundationEssentials

/// The folder with the daily copies of a library.
public struct Backups: Sendable {
    /// How many copies are kept.
    public static let count = 3

    public let folder: String

    public init(folder: String) {
        self.folder = folder
    }

    /// Returns the copies, the newest first.
    public func all() -> [String] {
        // A folder that cannot be read holds no copy that could be used.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("podget-") && $0.hasSuffix(".db") }.sorted(by: >).map {
            "\(folder)/\($0)"
        }
    }

    /// Copies a library unless it was copied on the same day (in UTC), and drops the oldest copies.
    ///
    /// Returns the path of the new copy. A copy appears under its name only when it is whole.
    @discardableResult
    public func makeDaily(of library: Library, now: Date) async throws(StoreError) -> String? {
        let path = "\(folder)/podget-\(now.formatted(.iso8601.year().month().day())).db"
        // A copy without any feed saves nothing, and would take the place of one that does.
        guard !FileManager.default.fileExists(atPath: path), try await library.hasFeeds() else { return nil }
        let unfinished = path + ".part"
        try attempt {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try removeIfPresent(unfinished)
        try await library.backup(to: unfinished)
        try attempt { try FileManager.default.moveItem(atPath: unfinished, toPath: path) }
        for old in all().dropFirst(Self.count) {
            try removeIfPresent(old)
        }
        return path
    }

    /// Returns the newest copy in which nothing is damaged and that holds a feed.
    public func newestSound() async -> String? {
        for path in all() {
            if let library = try? Library(path: path, mode: .readOnly),
                let findings = try? await library.integrityCheck(), findings.isEmpty,
                (try? await library.hasFeeds()) == true
            {
                return path
            }
        }
        return nil
    }
}

extension Library {
    /// Renames a damaged database, so that nothing of it is lost, and returns its new name.
    ///
    /// No process may have it open.
    public static func setAside(_ path: String, now: Date) throws(StoreError) -> String {
        let stamp = now.formatted(.iso8601.timeSeparator(.omitted))
        let newPath = "\(path).damaged-\(stamp)"
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try attempt { try FileManager.default.moveItem(atPath: path + suffix, toPath: newPath + suffix) }
        }
        return newPath
    }

    /// Puts a copy in the place of a library that was set aside.
    public static func restore(from backup: String, to path: String) throws(StoreError) {
        let unfinished = path + ".restoring"
        try removeIfPresent(unfinished)
        let source = try Connection(path: backup, access: .readOnly)
        try BackupCopy(of: source).write(to: unfinished)
        // The file system refuses where a library stands already.
        try attempt { try FileManager.default.moveItem(atPath: unfinished, toPath: path) }
    }
}

private func removeIfPresent(_ path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try attempt { try FileManager.default.removeItem(atPath: path) }
}

/// Does something with files and turns what goes wrong into the store's error.
private func attempt(_ action: () throws -> Void) throws(StoreError) {
    do {
        try action()
    } catch {
        throw .file(message: "\(error)")
    }
}
