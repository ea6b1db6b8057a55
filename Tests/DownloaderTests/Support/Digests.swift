@testable import Downloader

extension Integrity {
    /// The digest that a file of these bytes has.
    init(sha256Of bytes: [UInt8]) throws {
        let digest = try Digest(.sha256)
        try digest.update(bytes, count: bytes.count)
        self = Integrity(algorithm: .sha256, digest: try digest.finish())!
    }
}
