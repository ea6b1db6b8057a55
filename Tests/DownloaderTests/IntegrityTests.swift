import Testing

@testable import Downloader

@Suite
struct IntegrityTests {
    // The values of md5sum, sha256sum, sha384sum and sha512sum for "abc".
    @Test(arguments: [
        (DigestAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `a digest is the standard one, in one piece or in several`(
        _ algorithm: DigestAlgorithm, _ hex: String
    )
        throws
    {
        for pieces in [["abc"], ["a", "", "bc"]] {
            let digest = try Digest(algorithm)
            for piece in pieces { try digest.update(Array(piece.utf8), count: piece.utf8.count) }
            let bytes = try digest.finish()
            #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == hex)
        }
    }

    @Test func `of several subresource hashes only the strongest count`() {
        let weak = "sha256-" + base64OfZeros(32)
        let strong = "sha512-" + base64OfZeros(64)
        let parsed = Integrity.parse(
            subresource: "\(weak) \(strong)?ct=audio/mpeg nonsense md5-AAAA sha384-short")
        #expect(parsed == [Integrity(algorithm: .sha512, digest: [UInt8](repeating: 0, count: 64))])
    }

    @Test func `a digest header names algorithms and byte sequences`() {
        let text = "unixsum=:AAA=:, sha-256=:\(base64OfZeros(32)):, sha-512=\(base64OfZeros(64))"
        #expect(
            Integrity.parse(digestField: text) == [
                Integrity(algorithm: .sha256, digest: [UInt8](repeating: 0, count: 32))
            ])
        #expect(Integrity.parse(contentMD5: " \(base64OfZeros(16)) ").count == 1)
        #expect(Integrity.parse(contentMD5: "AAAA").isEmpty)
    }

    @Test func `any of several digests of one algorithm is enough, and every algorithm must have one`() throws
    {
        let right = [UInt8](repeating: 1, count: 32)
        let wrong = try #require(Integrity(algorithm: .sha256, digest: [UInt8](repeating: 2, count: 32)))
        let good = try #require(Integrity(algorithm: .sha256, digest: right))
        let md5 = try #require(Integrity(algorithm: .md5, digest: [UInt8](repeating: 3, count: 16)))
        #expect(failingAlgorithm(computed: [.sha256: right], demanded: []) == nil)
        #expect(failingAlgorithm(computed: [.sha256: right], demanded: [wrong, good]) == nil)
        #expect(failingAlgorithm(computed: [.sha256: right], demanded: [wrong]) == .sha256)
        #expect(failingAlgorithm(computed: [.sha256: right], demanded: [good, md5]) == .md5)
    }

    private func base64OfZeros(_ count: Int) -> String {
        let text = String(repeating: "A", count: (count * 4 + 2) / 3)
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
