import Foundation
import Testing

@testable import FeedParser

@Suite(.timeLimit(.minutes(1)))
struct JSONFeedReaderTests {
    private static let feeds: [String] = [
        #"""
        {"items": [{"id": 1, "title": "Café \ud83d\udeb2", "attachments": [{"url": "a.mp3"}]}, {"id": "zwei ü"}],
         "title": "ü", "version": "https://jsonfeed.org/version/1.1"}
        """#,
        #"{"show": {"title": "Briefing €"}, "episodes": [{"topic": "Why?", "audio": {"url": "/a.mp3"}}, 7]}"#,
    ]

    private func parse(_ bytes: [UInt8], pieceByteCount: Int) throws -> Feed {
        let reader = FeedReader(baseURL: "https://host.example/")
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            try bytes[start..<min(start + pieceByteCount, bytes.count)].withUnsafeBytes {
                try reader.feed($0)
            }
        }
        return try reader.finish()
    }

    private func parse(_ json: String, limits: ParserLimits = ParserLimits()) throws -> Feed {
        try FeedReader.parse(Array(json.utf8), limits: limits)
    }

    @Test(arguments: feeds)
    func `any split of the bytes gives the same feed`(_ json: String) throws {
        let bytes = Array(json.utf8)
        let whole = try parse(bytes, pieceByteCount: bytes.count)
        #expect(!whole.episodes.isEmpty)
        for pieceByteCount in 1..<bytes.count {
            #expect(try parse(bytes, pieceByteCount: pieceByteCount) == whole)
        }
    }

    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf8,
    ])
    func `every encoding of Unicode is read, with a mark and without`(_ encoding: String.Encoding) throws {
        let json = Self.feeds[0]
        let expected = try parse(Array(json.utf8), pieceByteCount: 4096)
        for text in [json, "\u{FEFF}" + json, "\u{FEFF} \n" + json] {
            let bytes = try #require(text.data(using: encoding))
            for pieceByteCount in [1, 3, 4096] {
                var feed = try parse([UInt8](bytes), pieceByteCount: pieceByteCount)
                feed.diagnostics = []
                #expect(feed == expected, "\(pieceByteCount)")
            }
        }
    }

    @Test func `bytes that are no UTF-8 are read as Windows-1252`() throws {
        let feed = try parse(
            Array(#"[{"title": "Caf"#.utf8) + [0xE9, 0x93] + Array(#""}]"#.utf8), pieceByteCount: 5)
        #expect(feed.episodes.map(\.title) == ["Café“"])
        #expect(feed.diagnostics.map(\.code) == [.encoding])
    }

    @Test func `the bytes decide, not the content type`() throws {
        let json = Array(Self.feeds[1].utf8)
        #expect(try FeedReader.parse(json, contentType: "text/xml; charset=iso-8859-1").title == "Briefing €")
        let xml = Array("<rss><channel><title>X</title></channel></rss>".utf8)
        #expect(try FeedReader.parse(xml, contentType: "application/feed+json").title == "X")
    }

    @Test func `episodes are handed over in order and not kept`() throws {
        var titles: [String?] = []
        let reader = FeedReader { titles.append($0.title) }
        try Array(#"[{"title": "A"}, {"title": "B"}]"#.utf8).withUnsafeBytes { try reader.feed($0) }
        #expect(try reader.finish().episodes.isEmpty)
        #expect(titles == ["A", "B"])
    }

    @Test func `a cut document is refused`() {
        for json in Self.feeds {
            for length in [1, 9, 60, json.utf8.count - 1] {
                let cut = Array(json.utf8.prefix(length))
                #expect(throws: FeedError.self) { try parse(cut, pieceByteCount: 16) }
            }
        }
    }

    @Test func `broken JSON is told with its line`() {
        #expect(throws: FeedError.malformedJSON(line: 2, message: "a ':' is missing before '7'")) {
            try parse("{\n\"title\" 7}")
        }
    }

    @Test func `size and number are bounded`() throws {
        var limits = ParserLimits()
        limits.decodedByteCount = 100
        #expect(throws: FeedError.tooLarge(byteCount: 100)) {
            try parse("[{\"title\": \"" + String(repeating: "x", count: 100) + "\"}]", limits: limits)
        }
        limits = ParserLimits()
        limits.episodeCount = 2
        let feed = try parse(
            #"[{"title": "A"}, 1, {"title": "B"}, {"title": "C"}, {"title": "D"}]"#, limits: limits)
        #expect(feed.episodes.map(\.title) == ["A", "B"])
        #expect(feed.diagnostics.map(\.code) == [.badEpisode, .tooManyEpisodes])
    }

    @Test(arguments: [
        String(repeating: "[0,", count: 100), String(repeating: "{\"a\":", count: 127) + "1",
        "[" + String(repeating: "{},", count: 300_000) + "]",
        "[" + String(repeating: "0,", count: 500_000) + "]",
        "{\"episodes\":[{" + String(repeating: "\"a\":1,", count: 200_000) + "}]}",
        "{\"episodes\":[{\"title\":\"" + String(repeating: "\\u00fc", count: 200_000) + "\"}]}",
        "[\"" + String(repeating: "\n", count: 500_000) + "\"]",
        "{\"episodes\":[{\"title\":\"x\",\"hosts\":[" + String(repeating: "{\"name\":\"h\"},", count: 90_000)
            + "]}]}",
    ])
    func `a hostile megabyte costs no more than its size`(_ json: String) {
        // The suite's time limit would be missed by far if the time grew with the square of the size.
        _ = try? parse(json)
    }
}
