import Foundation

/// A file system in memory with a size of its own, mounted on a folder; gone with the object.
///
/// Mounting needs root; without it tests that ask for a small disk are skipped.
public final class SmallDisk: Sendable {
    public static let isPossible: Bool = {
        let folder = NSTemporaryDirectory() + "/podget-disk-\(UUID().uuidString)"
        return (try? SmallDisk(at: folder, kilobytes: 64)) != nil
    }()

    public struct Refused: Error {
        public let code: Int32
    }

    public let path: String

    /// Creates the folder and mounts the file system on it.
    public init(at path: String, kilobytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            let refused = Refused(code: errno)
            try FileManager.default.removeItem(atPath: path)
            throw refused
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Gives the file system another size.
    public func resize(kilobytes: Int) throws {
        try remount(flags: 0, "size=\(kilobytes)k")
    }

    public func makeReadOnly() throws {
        try remount(flags: UInt(MS_RDONLY), "")
    }

    public func makeWritable() throws {
        try remount(flags: 0, "")
    }

    /// Takes all the space that is left.
    public func fill() throws {
        let file = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Refused(code: errno) }
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(file, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw Refused(code: errno) }
    }

    /// Gives back what `fill` took.
    public func drain() {
        unlink(path + "/filler")
    }

    private func remount(flags: UInt, _ options: String) throws {
        let all = flags | UInt(MS_REMOUNT)
        guard mount("tmpfs", path, "tmpfs", all, options) == 0 else { throw Refused(code: errno) }
    }
}
