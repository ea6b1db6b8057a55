import Testing

@testable import FeedParser

/// A gzip file that no header announces.
@Suite struct GunzipTests {
    /// `<rss><channel><title>Packed</title></channel></rss>` through `gzip -9n`.
    private static let packed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xB3, 0x29, 0x2A, 0x2E, 0xB6, 0xB3, 0x49,
        0xCE, 0x48, 0xCC, 0xCB, 0x4B, 0xCD, 0xB1, 0xB3, 0x29, 0xC9, 0x2C, 0xC9, 0x49, 0xB5, 0x0B, 0x48, 0x4C,
        0xCE, 0x4E, 0x4D, 0xB1, 0xD1, 0x87, 0xF0, 0x6C, 0xF4, 0xE1, 0xD2, 0xFA, 0x20, 0xD5, 0x00, 0xEB, 0xBA,
        0x5F, 0x15, 0x33, 0x00, 0x00, 0x00,
    ]

    @Test(arguments: [1, 2, 7, 1_000])
    func `it is unpacked in pieces of any size`(_ size: Int) throws {
        #expect(try readInPieces(Self.packed, sizes: [size]).title == "Packed")
        let twice = Self.packed + Self.packed
        #expect(try readInPieces(twice, sizes: [size]).title == "Packed", "two files in one")
        #expect(try readInPieces(Self.packed + [0, 0, 0], sizes: [size]).title == "Packed", "padded")
    }

    @Test func `a file that is cut is a document that is cut`() throws {
        let feed = try FeedReader.parse(Array(Self.packed[..<45]))
        #expect(feed.title?.isEmpty == false)
        #expect(feed.isTruncated)
    }

    @Test func `a file of which nothing comes out is refused`() {
        for document in [Array(Self.packed[..<11]), Self.packed[..<10] + [0xFF, 0xFF, 0xFF]] {
            #expect(throws: FeedError.undecodable(encoding: "gzip")) { try FeedReader.parse(document) }
        }
    }

    @Test func `a file whose sum is wrong counts as cut, with all that it holds`() throws {
        var damaged = Self.packed
        damaged[damaged.count - 6] ^= 0xFF
        let feed = try FeedReader.parse(damaged)
        #expect(feed.title == "Packed")
        #expect(feed.isTruncated)
        #expect(feed.diagnostics.map(\.code) == [.truncated])
    }

    @Test func `a document that begins with nothing but blanks ends early`() throws {
        let reader = FeedReader()
        let blanks = [UInt8](repeating: 0x20, count: 100_000)
        #expect(throws: FeedError.noFeedRoot) {
            for _ in 0..<20 { try blanks.withUnsafeBytes { try reader.feed($0) } }
        }
    }

    @Test func `what unpacks beyond the limit is refused`() {
        var limits = ParserLimits()
        limits.decodedByteCount = 20
        #expect(throws: FeedError.tooLarge(byteCount: 20)) {
            try FeedReader.parse(Self.packed, limits: limits)
        }
    }
}
