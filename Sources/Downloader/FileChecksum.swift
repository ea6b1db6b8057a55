import FoundationEssentials
internal import Glibc

/// Computes the SHA-256 of a file, written as in Subresource Integrity §3.5: `sha256-BASE64`.
public func fileChecksum(_ path: String) throws(TransferError) -> String {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    // A failed close of a file only read loses nothing.
    defer { _ = close(descriptor) }
    let digest = try Digest(.sha256)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count == 0 { break }
        if count < 0 {
            if errno == EINTR { continue }
            throw .last("read", path)
        }
        try digest.update(buffer, count: count)
    }
    return "sha256-" + Data(try digest.finish()).base64EncodedString()
}
