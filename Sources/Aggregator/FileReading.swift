import Downloader
import Glibc

/// Reads a regular file piece by piece; the bytes are gone after each call of `take`.
func readFile(_ path: String, take: (UnsafeRawBufferPointer) throws -> Void) throws {
    // Without O_NONBLOCK, opening a named pipe would wait for somebody to write into it.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(path) }
    // A failed close of a file only read loses nothing.
    defer { _ = close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw systemError(path) }
    guard information.st_mode & S_IFMT == S_IFREG else {
        throw AggregatorError.file(path, reason: "is not a file")
    }
    try readDescriptor(descriptor, name: path, take: take)
}

/// Reads an open descriptor to its end, piece by piece.
func readDescriptor(_ descriptor: Int32, name: String, take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    defer { piece.deallocate() }
    while true {
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count == 0 { return }
        if count < 0 {
            if errno == EINTR { continue }
            throw systemError(name)
        }
        try take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
}

/// The path with every symbolic link resolved; nil where nothing stands there.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The container format of a file by its first bytes; nil where it is no media file that we know.
func mediaContainer(_ path: String) throws -> MediaContainer? {
    var start: [UInt8] = []
    do {
        try readFile(path) { piece in
            start = Array(piece.prefix(512))
            throw BeginningRead()
        }
    } catch is BeginningRead {}
    if case .media(let container) = sniffContent(start) { return container }
    return nil
}
