@testable import Downloader

extension Integrity {
    /// The digest that a file of these bytes has.
    init(sha256Of bytes: [UInt8]) {
        var digest = makeDigest(.sha256)
        bytes.withUnsafeBytes { digest.update($0) }
        self = Integrity(algorithm: .sha256, digest: digest.finish())!
    }
}
