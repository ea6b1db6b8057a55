import Glibc

/// What a file system holds, in bytes.
struct FileSystemSpace: Equatable, Sendable {
    /// Tells file systems apart.
    var device: UInt64

    /// As far as a user who is not root may take them.
    var free: Int64
    var total: Int64
}

/// Asks the file system on which `path` is or would be: the nearest folder above it that exists.
///
/// Returns nil where the system does not say.
func fileSystemSpace(at path: String) -> FileSystemSpace? {
    var folder = path
    var space = statvfs()
    while statvfs(folder, &space) != 0 {
        guard errno == ENOENT, folder != "/" else { return nil }
        folder = folderPart(of: folder)
    }
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    return FileSystemSpace(
        device: UInt64(status.st_dev), free: byteCount(space.f_bavail, space.f_frsize),
        total: byteCount(space.f_blocks, space.f_frsize))
}

private func byteCount(_ blocks: UInt, _ blockByteCount: UInt) -> Int64 {
    let (product, overflows) = blocks.multipliedReportingOverflow(by: blockByteCount)
    return overflows ? .max : Int64(clamping: product)
}
