import Testing

@testable import Downloader

@Suite
struct IntegrityTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let algorithm: DigestAlgorithm
        let text: String
        let hex: String
        var testDescription: String { "\(algorithm) of \(text.utf8.count) bytes" }
    }

    // The values of sha256sum, sha384sum, sha512sum and md5sum.
    @Test(arguments: [
        Case(
            algorithm: .md5, text: "",
            hex: "d41d8cd98f00b204e9800998ecf8427e"),
        Case(
            algorithm: .md5, text: "abc",
            hex: "900150983cd24fb0d6963f7d28e17f72"),
        Case(
            algorithm: .md5, text: String(repeating: "a", count: 55),
            hex: "ef1772b6dff9a122358552954ad0df65"),
        Case(
            algorithm: .md5, text: String(repeating: "a", count: 111),
            hex: "089f243d1e831c5879aa375ee364a06e"),
        Case(
            algorithm: .md5, text: String(repeating: "b", count: 119),
            hex: "b4e5105d0b3acae7feda8ec2acbdad57"),
        Case(
            algorithm: .md5, text: String(repeating: "c", count: 1000),
            hex: "46a128cdf4c7d26f1465dfac42771ed3"),
        Case(
            algorithm: .sha256, text: "",
            hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Case(
            algorithm: .sha256, text: "abc",
            hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Case(
            algorithm: .sha256, text: String(repeating: "a", count: 55),
            hex: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        Case(
            algorithm: .sha256, text: String(repeating: "a", count: 111),
            hex: "6374f73208854473827f6f6a3f43b1f53eaa3b82c21c1a6d69a2110b2a79baad"),
        Case(
            algorithm: .sha256, text: String(repeating: "b", count: 119),
            hex: "68297a9eb141ce16bbc0847da1c0c48e2858704feaa13993bde29f87a198a6e1"),
        Case(
            algorithm: .sha256, text: String(repeating: "c", count: 1000),
            hex: "efeea944a76157a88d281091b6a79608653bc1f14a11d0357431c197701b6155"),
        Case(
            algorithm: .sha384, text: "",
            hex: "38b060a751ac96384cd9327eb1b1e36a21fdb71114be0743"
                + "4c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"),
        Case(
            algorithm: .sha384, text: "abc",
            hex: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
                + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
        Case(
            algorithm: .sha384, text: String(repeating: "a", count: 55),
            hex: "5d91ac7e74e62b5c728904b40f10784d66b7af9cb6302123"
                + "e48c92f0432ceb8d2a92c02de77dcb29ed75c4b42bde46f4"),
        Case(
            algorithm: .sha384, text: String(repeating: "a", count: 111),
            hex: "3c37955051cb5c3026f94d551d5b5e2ac38d572ae4e07172"
                + "085fed81f8466b8f90dc23a8ffcdea0b8d8e58e8fdacc80a"),
        Case(
            algorithm: .sha384, text: String(repeating: "b", count: 119),
            hex: "99da819035af820ee45cbe48bb6a809f063f12d20d96d158"
                + "ca8372934a69e8ec42aa2389b992c5fa582ab8f18f97cb3a"),
        Case(
            algorithm: .sha384, text: String(repeating: "c", count: 1000),
            hex: "420a50bfec04f8c2626123ed924a87220737ba05781ae5d8"
                + "5fd3561a9217a6d8e217721274f5b108d1c9f1825f6e30b0"),
        Case(
            algorithm: .sha512, text: "",
            hex: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"),
        Case(
            algorithm: .sha512, text: "abc",
            hex: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
        Case(
            algorithm: .sha512, text: String(repeating: "a", count: 55),
            hex: "b0220c772cbf6c1822e2cb38a437d0e1d58772417a4bbb21c961364f8b6143e0"
                + "5aa6316dca8d1d7b19e16448419076395f6086cb55101fbd6d5497b148e1745f"),
        Case(
            algorithm: .sha512, text: String(repeating: "a", count: 111),
            hex: "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef8681819692176"
                + "0b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2"),
        Case(
            algorithm: .sha512, text: String(repeating: "b", count: 119),
            hex: "d131f64a3e8440f3aaef18efeda717608182b5e4d649ce6dfc5815984ce1e8ac"
                + "2ccd91f5fd102d000c49b2db4f4edc881f146db7b53a50fe4365ebbc5dd7634e"),
        Case(
            algorithm: .sha512, text: String(repeating: "c", count: 1000),
            hex: "69158716dd51b848f95e3b23f6d35d5198688763067d14ffdfcb57132623843d"
                + "a267d8dfba63c4757623bb02ee4dbe47595cc871cfae81768617911aef81d179"),
    ])
    func `a digest is the standard one`(_ test: Case) {
        var digest = makeDigest(test.algorithm)
        // In uneven pieces, so that blocks are put together.
        var rest = Array(test.text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(37))
            piece.withUnsafeBytes { digest.update($0) }
            rest = rest.dropFirst(37)
        }
        let hex = digest.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == test.hex)
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
