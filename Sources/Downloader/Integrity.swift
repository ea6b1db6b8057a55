import FoundationEssentials

/// A hash function that a server or a feed may name.
public enum DigestAlgorithm: String, Sendable, Codable, CaseIterable {
    case md5, sha256, sha384, sha512

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
public struct Integrity: Sendable, Equatable, Codable {
    public let algorithm: DigestAlgorithm
    public let digest: [UInt8]

    /// Makes nil of a digest whose length is not the algorithm's.
    public init?(algorithm: DigestAlgorithm, digest: [UInt8]) {
        guard digest.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.digest = digest
    }

    private init?(algorithm: DigestAlgorithm, base64: some StringProtocol) {
        guard let data = Data(base64Encoded: String(base64)) else { return nil }
        self.init(algorithm: algorithm, digest: Array(data))
    }

    /// Reads `sha256-… sha512-…?options` (Subresource Integrity §3.5); unknown words are passed over.
    ///
    /// Only the strongest algorithm counts, and any of its digests may match.
    public static func parse(subresource text: String) -> [Integrity] {
        let all = text.split(whereSeparator: \.isWhitespace).compactMap { word -> Integrity? in
            let parts = word.prefix { $0 != "?" }.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let algorithm = DigestAlgorithm(rawValue: parts[0].lowercased()),
                algorithm != .md5
            else { return nil }
            return Integrity(algorithm: algorithm, base64: parts[1])
        }
        let longest = all.map(\.algorithm.byteCount).max()
        return all.filter { $0.algorithm.byteCount == longest }
    }

    /// Reads `Repr-Digest` or `Content-Digest` (RFC 9530): `sha-256=:base64:, sha-512=:base64:`.
    public static func parse(digestField text: String) -> [Integrity] {
        text.split(separator: ",").compactMap { member in
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let name = parts[0].filter { !$0.isWhitespace }.lowercased()
            let value = parts[1].prefix { $0 != ";" }.filter { !$0.isWhitespace }
            guard let algorithm = fieldNames[name], value.count > 2, value.first == ":", value.last == ":"
            else { return nil }
            return Integrity(algorithm: algorithm, base64: value.dropFirst().dropLast())
        }
    }

    /// Reads `Content-MD5` (RFC 1864).
    public static func parse(contentMD5 text: String) -> [Integrity] {
        [Integrity(algorithm: .md5, base64: text.filter { !$0.isWhitespace })].compactMap(\.self)
    }

    private static let fieldNames: [String: DigestAlgorithm] = ["sha-256": .sha256, "sha-512": .sha512]
}

/// Finds the algorithm none of whose demanded digests is the computed one; nil if all are met.
func failingAlgorithm(computed: [DigestAlgorithm: [UInt8]], demanded: [Integrity]) -> DigestAlgorithm? {
    for (algorithm, digests) in Dictionary(grouping: demanded, by: \.algorithm) {
        if !digests.contains(where: { $0.digest == computed[algorithm] }) { return algorithm }
    }
    return nil
}
