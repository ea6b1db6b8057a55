import FoundationEssentials
import Glibc

/// The folder of partial files and their resume records: `<key>.part` and `<key>.json`.
public struct ResumeFolder: Sendable, Equatable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// What is kept of one download.
    public enum Status: Sendable, Equatable {
        case none
        /// The next attempt goes on at this byte.
        case resumable(byteCount: Int64)
        /// Bytes are there, and nothing proves that the server's file is still the same.
        case restartOnly(byteCount: Int64)
    }

    /// Creates the folder, and the mark that tells backup programs to leave the cache out.
    ///
    /// - Parameter cacheRoot: The folder that gets `CACHEDIR.TAG`; nil for the resume folder itself.
    public func prepare(cacheRoot: String? = nil) throws(TransferError) {
        try createFolders(path)
        try writeCacheTag(in: cacheRoot ?? path)
    }

    /// Tells what the next attempt at an address could do with what is here.
    ///
    /// - Parameter url: The address that will be asked; nil takes the recorded one.
    public func status(of key: String, url: String? = nil) -> Status {
        guard let byteCount = regularFileByteCount(at: partPath(key)), byteCount > 0 else { return .none }
        let record = loadRecord(key)
        let trusted = trustedByteCount(of: key, record, present: byteCount)
        switch planRequest(url: url ?? record?.originalURL ?? "", partialByteCount: trusted, record: record) {
        case .range, .nothing: return .resumable(byteCount: trusted)
        case .fromStart: return .restartOnly(byteCount: byteCount)
        }
    }

    /// How many bytes of a partial file of the size `present` can be built on.
    ///
    /// The file's real size and the record both have a say: each may be older than the other.
    func trustedByteCount(of key: String, _ record: ResumeRecord?, present: Int64) -> Int64 {
        guard present > 0 else { return 0 }
        let trusted = record?.trustedByteCount(of: present, bootID: currentBootID) ?? present
        let sound = soundByteCount(at: partPath(key)) ?? present
        // A file that is too long as it stands is given up as such.
        return sound < present ? min(trusted, sound) : trusted
    }

    /// Whether a partial file is there, be it empty.
    public func hasPartial(of key: String) -> Bool { regularFileByteCount(at: partPath(key)) != nil }

    /// Removes what is kept of a download; nothing there is no error.
    ///
    /// - Parameter mayHaveRecord: False where it is known that no record was written.
    public func remove(_ key: String, mayHaveRecord: Bool = true) throws(TransferError) {
        guard Self.isSafe(key) else { return }
        for path in [partPath(key)] + (mayHaveRecord ? [recordPath(key), newRecordPath(key)] : []) {
            guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove", path) }
        }
    }

    /// The keys of all downloads of which something is kept.
    public func keys() -> Set<String> {
        var keys: Set<String> = []
        for name in (folderNames(path) ?? []).map({ String(decoding: $0, as: UTF8.self) }) {
            for suffix in [".json.new", ".json", ".part"] where name.hasSuffix(suffix) {
                keys.insert(String(name.dropLast(suffix.count)))
                break
            }
        }
        return keys.filter { Self.isSafe($0) }
    }

    /// Removes what is kept of all other downloads.
    public func removeAll(except kept: Set<String>) throws(TransferError) {
        for key in keys().subtracting(kept) { try remove(key) }
    }

    /// Whether the key can be a file name that leads nowhere else.
    static func isSafe(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 200 && key.first != "."
            && !key.utf8.contains { $0 == 0x2F || $0 < 0x20 }
    }

    /// Creates an empty partial file, in place of one that is of no use any more.
    func createPart(_ key: String) throws(TransferError) -> PartFile {
        do {
            return try PartFile.create(at: partPath(key))
        } catch .file(let error) where error.code == ENOENT {
            // Somebody deleted the cache.
            try prepare()
        } catch .file(let error) where error.code == EEXIST {
            // Worthless bytes of an earlier run. What is no file, such as a folder, makes this fail again.
            unlink(partPath(key))
        }
        return try PartFile.create(at: partPath(key))
    }

    func partPath(_ key: String) -> String { "\(path)/\(key).part" }
    func recordPath(_ key: String) -> String { "\(path)/\(key).json" }
    private func newRecordPath(_ key: String) -> String { "\(path)/\(key).json.new" }

    /// Reads a record; one that is damaged, or too large to be ours, counts as none.
    func loadRecord(_ key: String) -> ResumeRecord? {
        guard let part = try? PartFile.openForReading(at: recordPath(key)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = try? part.read(at: 0, into: &bytes)
        return try? JSONDecoder().decode(ResumeRecord.self, from: Data(bytes.prefix(count ?? 0)))
    }

    /// Writes a record under a new name and renames it, so that there is always a whole one.
    ///
    /// - Parameter isDurable: Whether it survives a power cut; worth a sync only where much is at stake.
    func save(_ record: ResumeRecord, _ key: String, isDurable: Bool) throws(TransferError) {
        let newPath = newRecordPath(key)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(record) else {
            throw .failed("encode", newPath, EINVAL)
        }
        // Left over from a crash, if it is there at all.
        unlink(newPath)
        let file = try PartFile.create(at: newPath)
        try file.write(data, at: 0)
        if isDurable { try file.sync() }
        guard rename(newPath, recordPath(key)) == 0 else { throw .last("rename", newPath) }
        if isDurable { try syncFolder(path) }
    }

    private func writeCacheTag(in folder: String) throws(TransferError) {
        let tag =
            "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache and may be deleted.\n"
        let path = "\(folder)/CACHEDIR.TAG"
        if regularFileByteCount(at: path) != nil { return }
        let file = try PartFile.create(at: path)
        try file.write(tag.utf8, at: 0)
    }
}

/// Names the running system: bytes that were written but not synced are sure only within the same one.
let currentBootID: String? = {
    guard let file = try? PartFile.openForReading(at: "/proc/sys/kernel/random/boot_id") else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    guard let count = try? file.read(at: 0, into: &bytes) else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self).trimmingWhitespace.description
}()
