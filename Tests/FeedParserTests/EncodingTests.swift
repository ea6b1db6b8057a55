import Testing

@testable import FeedParser

/// The encoding of a document: stated, misstated and not stated.
@Suite struct EncodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let declared: String?
        let contentType: String?
        let title: [UInt8]
        let expected: String
        var isMisstated = false

        init(
            _ description: String, declared: String? = nil, contentType: String? = nil, _ title: [UInt8],
            _ expected: String, isMisstated: Bool = false
        ) {
            testDescription = description
            self.declared = declared
            self.contentType = contentType
            self.title = title
            self.expected = expected
            self.isMisstated = isMisstated
        }

        var document: [UInt8] {
            let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
            return Array("\(declaration)<rss><channel><title>".utf8) + title
                + Array("</title></channel></rss>".utf8)
        }
    }

    private static let utf8 = Array("Tür".utf8)
    private static let latin1: [UInt8] = [0x54, 0xFC, 0x72]

    @Test(arguments: [
        Case("UTF-8 that nobody states", utf8, "Tür"),
        Case(
            "Latin-1 in the content type", contentType: "application/xml; charset=ISO-8859-1", latin1, "Tür"),
        Case("Latin-1 in the declaration", declared: "ISO-8859-1", latin1, "Tür"),
        Case("Windows-1252 by its name", declared: "windows-1252", [0x93, 0x54, 0x94], "“T”"),
        Case("Windows-1252 that calls itself Latin-1", declared: "iso-8859-1", [0x93, 0x54, 0x94], "“T”"),
        Case(
            "text/xml without charset says nothing", declared: "KOI8-R", contentType: "text/xml",
            [0xED, 0xC9, 0xD2], "Мир"),
        Case(
            "the content type wins", declared: "utf-8", contentType: "text/xml; charset=\"koi8-r\"",
            [0xED, 0xC9, 0xD2], "Мир"),
        Case("UTF-8 that calls itself Latin-1", declared: "ISO-8859-1", utf8, "Tür"),
        Case(
            "UTF-8 that the server calls KOI8-R", contentType: "text/xml; charset=koi8-r", utf8, "Tür",
            isMisstated: true),
        Case("Latin-1 that calls itself UTF-8", declared: "UTF-8", latin1, "Tür", isMisstated: true),
        Case("UTF-8 that calls itself ASCII", declared: "us-ascii", utf8, "Tür"),
        Case("an encoding that does not exist", declared: "utf-9-turbo", utf8, "Tür", isMisstated: true),
        Case("Shift_JIS", declared: "Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        Case("EUC-KR", declared: "EUC-KR", [0xC7, 0xD1, 0xB1, 0xB9], "한국"),
        Case("GB18030", declared: "GB18030", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
        Case("GB2312, read as GB18030", declared: "gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
        Case(
            "ISO-2022-JP", declared: "ISO-2022-JP",
            [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
        Case("UTF-8 that calls itself UTF-7", declared: "UTF-7", utf8, "Tür"),
        Case(
            "bytes that stand for no character", declared: "Shift_JIS", [0x93, 0xFA, 0xFF, 0x41],
            "日\u{FFFD}A",
            isMisstated: true),
        Case("KOI8-R", declared: "KOI8-R", [0xED, 0xC9, 0xD2], "Мир"),
        Case("one bad byte among UTF-8", utf8 + [0x20, 0xFC], "Tür ü", isMisstated: true),
    ])
    func `the title is read`(_ test: Case) throws {
        for sizes in [[1], [3, 7], [10_000]] {
            let feed = try readInPieces(test.document, sizes: sizes, contentType: test.contentType)
            #expect(feed.title == test.expected, "pieces of \(sizes)")
            #expect(feed.diagnostics.contains { $0.code == .encoding } == test.isMisstated)
        }
    }

    @Test(
        arguments: [
            (nil, [0xC3, 0xBC], [0xFC], 4), ("utf-8", [0x78], [0xFC], 4), ("utf-8", [0xFC], [0xC3, 0xBC], 3),
            ("Shift_JIS", [0x93, 0xFA], [0xFF], 4), ("koi8-r", [0x78], [0xC3, 0xBC], 0),
            ("utf-9-turbo", [0x78], [0x78], 0),
        ] as [(String?, [UInt8], [UInt8], Int)])
    func `damage is reported with its line, and a statement that is wrong altogether with none`(
        _ declared: String?, _ third: [UInt8], _ fourth: [UInt8], _ line: Int
    ) throws {
        let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
        let padding = String(repeating: "x", count: 5_000)
        let bytes =
            Array("\(declaration)\n<rss><channel><title>\(padding)\n".utf8) + third + [0x0A] + fourth
            + Array("\n\(padding)</title></channel></rss>".utf8)
        for sizes in [[1], [1_000], [100_000]] {
            let feed = try readInPieces(bytes, sizes: sizes)
            #expect(feed.diagnostics.filter { $0.code == .encoding }.map(\.line) == [line])
        }
    }

    @Test(arguments: [true, false])
    func `half a surrogate pair costs one character of UTF-16`(_ isLittleEndian: Bool) throws {
        let text =
            Array("\u{FEFF}<rss><channel><title>Tür ".utf16) + [0xDC00]
            + Array("日</title></channel></rss>".utf16)
        let bytes = text.flatMap { unit in
            withUnsafeBytes(of: isLittleEndian ? unit.littleEndian : unit.bigEndian) { Array($0) }
        }
        let feed = try FeedReader.parse(bytes)
        #expect(feed.title == "Tür \u{FFFD}日")
        #expect(feed.diagnostics.map(\.code) == [.encoding])
    }

    @Test(arguments: ["{", "["])
    func `JSON is read in UTF-16 and Latin-1 too`(_ start: String) throws {
        let item = "{\"title\": \"Tür\", \"audio_url\": \"https://a.example/a.mp3\"}"
        let text = start == "{" ? "{\"episodes\": [\(item)]}" : "[\(item)]"
        let wide = ("\u{FEFF}" + text).utf16.flatMap { unit in
            withUnsafeBytes(of: unit.littleEndian) { Array($0) }
        }
        let latin1 = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [wide, Array(wide[2...]), latin1] {
            #expect(try FeedReader.parse(bytes).episodes.map(\.title) == ["Tür"])
        }
    }

    @Test(arguments: 1...4)
    func `zero bytes before a feed are no encoding`(_ count: Int) throws {
        let bytes =
            [UInt8](repeating: 0, count: count) + Array("<rss><channel><title>T</title></channel></rss>".utf8)
        #expect(try FeedReader.parse(bytes).title == "T")
    }

    @Test(arguments: [true, false])
    func `UTF-16 is read by its mark, whatever is declared`(_ isLittleEndian: Bool) throws {
        let text =
            "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><rss><channel><title>Tür 日本 😀</title></channel></rss>"
        let bytes = text.utf16.flatMap { unit in
            withUnsafeBytes(of: isLittleEndian ? unit.littleEndian : unit.bigEndian) { Array($0) }
        }
        for sizes in [[1], [5], [1_000]] {
            #expect(try readInPieces(bytes, sizes: sizes).title == "Tür 日本 😀")
        }
    }
}
