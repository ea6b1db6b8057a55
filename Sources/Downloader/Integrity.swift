/// A hash function that a server or a feed may name.
public enum DigestAlgorithm: String, Sendable, Codable, Comparable {
    case md5, sha256, sha384, sha512

    /// Orders by strength, weakest first.
    public static func < (left: Self, right: Self) -> Bool {
        left.byteCount < right.byteCount
    }

    /// The length of the digest.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// A digest that the whole file must have.
public struct Integrity: Sendable, Equatable {
    public let algorithm: DigestAlgorithm
    public let digest: [UInt8]

    /// Makes nil of a digest whose length is not the algorithm's.
    public init?(algorithm: DigestAlgorithm, digest: [UInt8]) {
        guard digest.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.digest = digest
    }
}
