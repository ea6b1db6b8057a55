internal import CCurl
import Glibc

/// An open partial file.
///
/// Only the descriptor is kept, so the object may be handed to the thread that syncs and publishes; one thread
/// writes at a time.
final class PartFile: Sendable {
    let descriptor: Int32
    let path: String

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // Nothing depends on it: what matters has been synced before, with its code checked.
        close(descriptor)
    }

    /// Creates a file that was not there; a link standing in its place is an error, never followed.
    static func create(at path: String) throws(TransferError) -> PartFile {
        try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Opens a regular file of an earlier attempt.
    static func openExisting(at path: String) throws(TransferError) -> PartFile {
        try openRegular(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }

    /// Opens a regular file that is not to be changed.
    static func openForReading(at path: String, followsLinks: Bool = false) throws(TransferError) -> PartFile
    {
        try openRegular(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    }

    private static func openRegular(_ path: String, _ flags: Int32) throws(TransferError) -> PartFile {
        let part = try open(path, flags)
        var status = stat()
        guard fstat(part.descriptor, &status) == 0 else { throw .last("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .failed("open", path, EINVAL) }
        return part
    }

    private static func open(_ path: String, _ flags: Int32) throws(TransferError) -> PartFile {
        let descriptor = Glibc.open(path, flags, 0o666)
        guard descriptor >= 0 else { throw .last("open", path) }
        return PartFile(descriptor: descriptor, path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TransferError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("write", path)
            }
            done += count
        }
    }

    func write(_ bytes: some Collection<UInt8>, at offset: Int64) throws(TransferError) {
        let written = Array(bytes).withUnsafeBytes { bytes in
            Result { () throws(TransferError) in try write(bytes, at: offset) }
        }
        try written.get()
    }

    /// Reads up to so many bytes; fewer only at the end of the file.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .last("read", path)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func read(at offset: Int64, into bytes: inout [UInt8]) throws(TransferError) -> Int {
        let count = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(TransferError) in try read(at: offset, into: buffer) }
        }
        return try count.get()
    }

    func byteCount() throws(TransferError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat", path) }
        return Int64(status.st_size)
    }

    /// The bytes before a hole at the end, less what a cut may have blanked; all of them where there is no such hole.
    ///
    /// Whoever writes from the first byte to the last leaves none: it shows that the file was cut and then made
    /// longer, and the rest of the block with the cut was filled with zeros. Holes between bytes prove nothing, for
    /// some file systems, and programs that save space, make them of written zeros.
    func byteCountBeforeHole() throws(TransferError) -> Int64 {
        let count = try byteCount()
        // File systems that know no holes say that there is data everywhere.
        guard count > 0, lseek(descriptor, off_t(count - 1), Int32(podget_seek_data)) < 0,
            errno == ENXIO
        else { return count }
        let hole = Int64(lseek(descriptor, 0, Int32(podget_seek_hole)))
        return max(0, hole - Self.largestBlockByteCount)
    }

    /// No file system in use has larger blocks.
    private static let largestBlockByteCount: Int64 = 64 << 10

    /// Whether the file still stands under its name, and no other in its place.
    var isUnderItsName: Bool {
        var ours = stat()
        var named = stat()
        return fstat(descriptor, &ours) == 0 && lstat(path, &named) == 0 && ours.st_ino == named.st_ino
            && ours.st_dev == named.st_dev
    }

    func truncate(to byteCount: Int64) throws(TransferError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .last("truncate", path) }
    }

    /// Begins to write a part of the file to the disk and does not wait for the end; it may still be lost.
    ///
    /// - Parameter byteCount: 0 for all from the offset on.
    func startWriteBack(from offset: Int64 = 0, byteCount: Int64 = 0) {
        // Only a hint, so that a later `sync` finds less to do.
        _ = podget_start_write_back(descriptor, Int(offset), Int(byteCount))
    }

    /// Returns when the bytes are on the disk.
    func sync() throws(TransferError) {
        guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
    }
}

extension TransferError {
    /// Makes the error of the call that failed just now.
    static func last(_ operation: String, _ path: String) -> TransferError {
        failed(operation, path, errno)
    }

    /// Sets a full disk, or a full share of it, apart from all other failures.
    static func failed(_ operation: String, _ path: String, _ code: Int32) -> TransferError {
        let error = FileError(operation: operation, path: path, code: code)
        return code == ENOSPC || code == EDQUOT ? .noSpace(error) : .file(error)
    }
}

/// The size of a regular file, links not followed; nil where there is none.
func regularFileByteCount(at path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
}

/// The bytes of a partial file that may be what they were when they were written; nil where there is no file.
func soundByteCount(at path: String) -> Int64? {
    guard let file = try? PartFile.openForReading(at: path) else { return nil }
    return try? file.byteCountBeforeHole()
}

/// Syncs a folder, so that the names in it survive a power cut.
func syncFolder(_ path: String) throws(TransferError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .last("open", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw .last("fsync", path) }
}

/// Creates a folder and those above it.
func createFolders(_ path: String) throws(TransferError) {
    if mkdir(path, 0o755) == 0 { return }
    // By bytes: a combining mark after a slash makes another character of both.
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
        try createFolders(String(path[..<slash]))
        if mkdir(path, 0o755) == 0 { return }
    }
    let code = errno
    if code == EEXIST, isFolder(path) { return }
    if let file = fileInPlaceOfFolder(path) { throw .failed("mkdir", file, ENOTDIR) }
    guard code == EEXIST else { throw .failed("mkdir", path, code) }
}

/// Finds what is no folder among a folder's path and those above it; nil where nothing stands in the way.
public func fileInPlaceOfFolder(_ path: String) -> String? {
    var end = path.utf8.startIndex
    while end != path.utf8.endIndex {
        let next = path.utf8.index(after: end)
        end = path.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
        let part = String(path[..<end])
        if access(part, F_OK) == 0, !isFolder(part) { return part }
    }
    return nil
}

/// Whether a path leads to a folder, links followed.
public func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names in a folder as they are, which need not be UTF-8; nil where it cannot be read.
public func folderNames(_ path: String) -> [[UInt8]]? {
    guard let entries = opendir(path) else { return nil }
    defer { closedir(entries) }
    var names: [[UInt8]] = []
    while let entry = readdir(entries) {
        withUnsafeBytes(of: &entry.pointee.d_name) { names.append(Array($0.prefix { $0 != 0 })) }
    }
    return names
}
