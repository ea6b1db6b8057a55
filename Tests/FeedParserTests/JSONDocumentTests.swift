import Testing

@testable import FeedParser

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        ReadingCase("a tab and a line feed", "A\tB\nC", "A B C"),
        ReadingCase("an escape that does not exist", #"A\x41 \'B\'"#, #"A\x41 \'B\'"#),
        ReadingCase("half a surrogate pair", #"A\ud800 B\udc00"#, "A\u{FFFD} B\u{FFFD}"),
        ReadingCase("half an escape", #"A\u12 B"#, #"A\u12 B"#),
        ReadingCase("a control character", "A\u{1}B", "A B"),
    ])
    func `a string is mended, and that is said`(_ test: ReadingCase) throws {
        let text =
            #"{"items": [{"id": "1", "title": ""# + test.text + #"", "content_text": "x\ud83d\ude00"}]}"#
        let feed = try FeedReader.parse(Array(text.utf8))
        #expect(feed.episodes.first?.title == test.expected[0])
        #expect(feed.episodes.first?.summary == "x😀")
        #expect(feed.diagnostics.map(\.code) == [.badReference])
    }

    @Test func `a document that is cut keeps its whole episodes`() throws {
        let text = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "T", "authors": [{"name": "x"}], "items": [
            {"id": "1", "attachments": [{"url": "https://a.example/1.mp3"}]}, {"id": "2", "tags": ["a", "b"]},
            {"id": "3", "attachments": [{"url": "https://a.example/3.mp3"}]}]}
            """
        let bytes = Array(text.utf8)
        let third = text.utf8.distance(
            from: text.startIndex, to: text.firstRange(of: "\"3\"")?.lowerBound ?? text.endIndex)
        for end in [third, third + 20, bytes.count - 3] {
            let feed = try FeedReader.parse(Array(bytes[..<end]))
            #expect(feed.episodes.map(\.guid) == ["1", "2"])
            #expect(feed.isTruncated)
            #expect(feed.diagnostics.map(\.code) == [.truncated])
        }
        let feed = try FeedReader.parse(Array(bytes.dropLast()))
        #expect(feed.episodes.map(\.guid) == ["1", "2", "3"])
        #expect(feed.isTruncated)
    }

    @Test(arguments: ["\0\0", "<!-- cached -->", "}"])
    func `what stands behind the document does not matter`(_ rest: String) throws {
        let feed = try FeedReader.parse(
            Array((#"{"items": [{"id": 12345678901234567890, "title": "x"}]}"# + rest).utf8))
        #expect(feed.episodes.map(\.guid) == ["12345678901234567890"])
        #expect(!feed.isTruncated)
    }

    @Test(arguments: [
        RefusedDocument("an object that is no feed", #"{ "a": 1 }"#, .noFeedRoot),
        RefusedDocument("a list of other things", "[1, 2]", .noFeedRoot),
        RefusedDocument("items that are no list", #"{ "items": { } }"#, .noFeedRoot),
        RefusedDocument("cut", "{ \"items\": [\n{ \"id\": \"1\", ", .malformedJSON),
        RefusedDocument(
            "deep", String(repeating: "[", count: 100_000), .tooDeep(depth: ParserLimits().jsonDepth)),
    ])
    func `what is no feed is told by name`(_ test: RefusedDocument) {
        #expect(throws: test.error) { try FeedReader.parse(Array(test.text.utf8)) }
    }

    @Test func `brackets and commas in a text do not count`() {
        let extent = JSONExtent(of: Array(#"{ "a": "[[[\"[,,[" }"#.utf8))
        #expect(extent.depth == 1)
        #expect(extent.valueCount == 2)
    }

    @Test func `more values than memory should hold are refused`() {
        var limits = ParserLimits()
        limits.jsonValueCount = 3
        #expect(throws: FeedError.tooManyValues(count: 3)) {
            try FeedReader.parse(Array("[1, 2, 3, 4]".utf8), limits: limits)
        }
    }

    @Test func `bytes that are not UTF-8 are Windows-1252`() throws {
        let bytes = Array(#"{ "version": "https://jsonfeed.org/version/1", "title": "T"#.utf8) + [0xFC]
        let feed = try FeedReader.parse(bytes + Array(#"r", "items": [] }"#.utf8))
        #expect(feed.title == "Tür")
        #expect(feed.diagnostics.map(\.code) == [.encoding])
    }

    @Test func `a document over the limit is refused while it arrives`() throws {
        var limits = ParserLimits()
        limits.decodedByteCount = 20
        #expect(throws: FeedError.tooLarge(byteCount: 20)) {
            try FeedReader.parse(
                Array(#"{ "version": "https://jsonfeed.org/version/1" }"#.utf8), limits: limits)
        }
    }
}
