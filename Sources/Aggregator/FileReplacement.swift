import Downloader
import Glibc

/// Replaces a text file as one step: readers see the old text or the new one, never a half.
///
/// Writes a hidden temporary file beside `path`, syncs it, renames it over `path` and syncs the folder. Nothing is
/// written where the file holds this very text already.
public func replaceFile(at path: String, with text: String) throws(AggregatorError) {
    try replaceFile(at: path, with: Array(text.utf8))
}

/// As with a text; `mode` is that of a new file, less the umask.
func replaceFile(at path: String, with bytes: [UInt8], mode: mode_t = 0o666) throws(AggregatorError) {
    if readWholeFile(path, atMost: bytes.count + 1) == bytes { return }
    let folder = folderPart(of: path)
    let temporary = "\(folder)/.podget-\(UInt64.random(in: 0 ... .max)).tmp"
    do throws(AggregatorError) {
        try writeNewFile(temporary, bytes, mode)
        guard rename(temporary, path) == 0 else { throw systemError(path) }
    } catch {
        // The temporary file may not exist; either way the error to report is the first one.
        _ = unlink(temporary)
        throw error
    }
    try syncFolder(folder)
}

/// Reads a file of at most `byteCount` bytes; nil where it is longer, missing or unreadable.
func readWholeFile(_ path: String, atMost byteCount: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // A failed close of a file only read loses nothing.
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: byteCount + 1)
    var filled = 0
    while filled < bytes.count {
        let count = bytes.withUnsafeMutableBytes { buffer in
            read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
        }
        if count == 0 { return Array(bytes[..<filled]) }
        if count < 0 {
            if errno == EINTR { continue }
            return nil
        }
        filled += count
    }
    return nil
}

/// The folder that a path lies in.
public func folderPart(of path: String) -> String {
    // By bytes: a combining mark after a slash makes another character of both.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
}

/// Creates a folder and those above it.
func createFolders(_ path: String) throws(AggregatorError) {
    if mkdir(path, 0o777) == 0 { return }
    if errno == ENOENT, path != "/" {
        try createFolders(folderPart(of: path))
        if mkdir(path, 0o777) == 0 { return }
    }
    if errno == EEXIST, isFolder(path) { return }
    let error = errno == EEXIST ? nil : systemError(path)
    if let file = fileInPlaceOfFolder(path) {
        throw .file(file, reason: "is a file where a folder is needed; move it away")
    }
    if let error { throw error }
}

/// The error of the last system call on `path`, in the system's words.
func systemError(_ path: String) -> AggregatorError {
    let code = errno
    let reason = String(cString: strerror(code))
    return code == ENOSPC || code == EDQUOT
        ? .noSpace(reason: "\(path): \(reason)") : .file(path, reason: reason)
}

private func writeNewFile(_ path: String, _ bytes: [UInt8], _ mode: mode_t) throws(AggregatorError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw systemError(path) }
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
            write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        }
        if count >= 0 {
            written += count
        } else if errno != EINTR {
            let error = systemError(path)
            _ = close(descriptor)
            throw error
        }
    }
    let isSynced = fsync(descriptor) == 0
    let syncError = systemError(path)
    guard close(descriptor) == 0 else { throw systemError(path) }
    guard isSynced else { throw syncError }
}

private func syncFolder(_ path: String) throws(AggregatorError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(path) }
    // Some file systems cannot sync a folder (EINVAL); the rename itself has happened.
    _ = fsync(descriptor)
    _ = close(descriptor)
}
