import Testing

@testable import FeedParser

@Suite struct JSONDocumentTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let error: FeedError

        init(_ description: String, _ text: String, _ error: FeedError) {
            testDescription = description
            self.text = text
            self.error = error
        }
    }

    @Test(arguments: [
        Case("an object that is no feed", #"{ "a": 1 }"#, .noFeedRoot),
        Case("a list of other things", "[1, 2]", .noFeedRoot),
        Case("items that are no list", #"{ "items": { } }"#, .noFeedRoot),
        Case("cut", "{ \"items\": [\n{ \"id\": \"1\", ", .malformedJSON),
        Case(
            "deep", String(repeating: "[", count: 100_000), .tooDeep(depth: ParserLimits().jsonDepth)),
    ])
    func `what is no feed is told by name`(_ test: Case) {
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

    @Test func `a byte that is not UTF-8 costs one character`() throws {
        let bytes = Array(#"{ "version": "https://jsonfeed.org/version/1", "title": "T"#.utf8) + [0xFC]
        let feed = try FeedReader.parse(bytes + Array(#"r", "items": [] }"#.utf8))
        #expect(feed.title == "T\u{FFFD}r")
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
