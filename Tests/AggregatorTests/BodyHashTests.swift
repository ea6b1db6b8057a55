import Testing

@testable import Aggregator

@Suite struct BodyHashTests {
    private func hash(_ pieces: [[UInt8]]) -> String {
        var hash = BodyHash()
        for piece in pieces { piece.withUnsafeBytes { hash.add($0) } }
        return hash.text
    }

    @Test func `the pieces do not matter, every byte does`() {
        let bytes = (0..<100).map { UInt8($0 * 7 & 0xFF) }
        let whole = hash([bytes])
        for cut in 0...100 {
            #expect(hash([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
        }
        #expect(hash(bytes.map { [$0] }) == whole)
        for changed in 0..<100 {
            var other = bytes
            other[changed] ^= 1
            #expect(hash([other]) != whole)
        }
    }

    @Test func `zeros at the end count`() {
        let texts = (0..<20).map { hash([Array(repeating: 0, count: $0)]) }
        #expect(Set(texts).count == 20)
    }

    @Test func `a hash stays the same in later versions`() {
        #expect(hash([Array("podget".utf8)]) == "a1651fb6499bb0")
    }
}
