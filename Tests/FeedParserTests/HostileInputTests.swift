import Testing

@testable import FeedParser

/// Input that is built to be slow: each took minutes, or would, in time that grows with the square of its size.
@Suite(.timeLimit(.minutes(5)))
struct HostileInputTests {
    @Test(arguments: ["& ", "< ", "&x; ", "\u{1}", "</x>", "<x ", "<![CDATA[", "&#0;"])
    func `half a megabyte of one fault in one line are read in linear time`(_ fault: String) throws {
        let faults = String(repeating: fault, count: 500_000 / fault.utf8.count)
        let text = "<rss><channel><title>T</title><item><title>Tea \(faults)</title></item></channel></rss>"
        let feed = try FeedReader.parse(Array(text.utf8))
        #expect(feed.title == "T")
        #expect(feed.diagnostics.count <= ParserLimits().diagnosticCount)
    }

    @Test(arguments: [
        "<![CDATA[</title><title>", "<!--", "<!--</rss>", "<!-- -", "<![CDATA[]", "<a><![CDATA[</b>",
    ])
    func `what is opened again and again without an end is read in linear time`(_ fault: String) throws {
        let faults = String(repeating: fault, count: 500_000 / fault.utf8.count)
        let text =
            "<rss><channel><title>T</title><item><title>\(faults)</rss>"
            + String(repeating: "<", count: 500_000)
        for size in [512, 100_000] {
            // Some of this is nested too deep, and refused.
            _ = try? readInPieces(Array(text.utf8), sizes: [size])
        }
    }

    @Test func `items beyond the limit cost next to nothing`() throws {
        var limits = ParserLimits()
        limits.episodeCount = 3
        let items = String(repeating: "<item><title>x</title></item>", count: 100)
        let feed = try FeedReader.parse(Array("<rss><channel>\(items)</channel></rss>".utf8), limits: limits)
        #expect(feed.episodes.count == 3)
        #expect(feed.diagnostics.map(\.code) == [.tooManyEpisodes])
    }

    @Test(arguments: ["a", "outline", "channel"])
    func `ten thousand open elements are refused by name`(_ name: String) {
        let text = "<rss><channel><title>T</title>" + String(repeating: "<\(name)>", count: 10_000)
        #expect(throws: FeedError.tooDeep(depth: ParserLimits().depth)) {
            try FeedReader.parse(Array(text.utf8))
        }
    }

    @Test func `JSON is bounded in depth`() {
        let text = "{\"items\": " + String(repeating: "[", count: 10_000)
        #expect(throws: FeedError.tooDeep(depth: ParserLimits().jsonDepth)) {
            try FeedReader.parse(Array(text.utf8))
        }
    }

    @Test func `a document over the limit is refused while it arrives`() throws {
        var limits = ParserLimits()
        limits.decodedByteCount = 100_000
        let reader = FeedReader(limits: limits)
        let item = Array("<item><title>x</title></item>".utf8)
        try Array("<rss><channel>".utf8).withUnsafeBytes { try reader.feed($0) }
        #expect(throws: FeedError.tooLarge(byteCount: 100_000)) {
            for _ in 0..<4_000 { try item.withUnsafeBytes { try reader.feed($0) } }
        }
    }

    @Test func `attributes beyond the limit go, and the element stays`() throws {
        let attributes = (0..<5_000).map { "a\($0)='x'" }.joined(separator: " ")
        let text =
            "<rss><channel><item><enclosure url='https://a.example/a.mp3' \(attributes)/></item></channel></rss>"
        let feed = try FeedReader.parse(Array(text.utf8))
        #expect(feed.episodes.first?.enclosures.map(\.url) == ["https://a.example/a.mp3"])
        #expect(feed.diagnostics.map(\.code) == [.tooManyAttributes])
    }

    @Test func `lists are bounded`() throws {
        var limits = ParserLimits()
        limits.listCount = 10
        let categories = (0..<5_000).map { "<category>c\($0)</category>" }.joined()
        let text = "<rss><channel><item><title>x</title>\(categories)</item></channel></rss>"
        let feed = try FeedReader.parse(Array(text.utf8), limits: limits)
        #expect(feed.episodes.first?.categories.count == 10)
    }

    @Test func `entities of a document type expand to nothing`() throws {
        let entities = (1..<10).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
        let text = """
            <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "lol">\(entities.joined())
            <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % remote SYSTEM "http://127.0.0.1:9/x"> %remote;]>
            <rss><channel><title>T &e9; &file;</title></channel></rss>
            """
        #expect(try FeedReader.parse(Array(text.utf8)).title == "T &e9; &file;")
    }

    @Test func `memory is that of one item, for each is handed over as it closes`() throws {
        var titles: [String] = []
        let reader = FeedReader { titles.append($0.title ?? "") }
        try Array("<rss><channel>".utf8).withUnsafeBytes { try reader.feed($0) }
        for number in 1...3 {
            let notes = String(repeating: "x", count: 2_000)
            let item = Array("<item><title>\(number)</title><description>\(notes)</description></item>".utf8)
            try item.withUnsafeBytes { try reader.feed($0) }
            // The parser holds back the last bytes until it sees what follows.
            #expect(titles.count >= number - 1)
        }
        #expect(try reader.finish().episodes.isEmpty)
        #expect(titles == ["1", "2", "3"])
    }
}
