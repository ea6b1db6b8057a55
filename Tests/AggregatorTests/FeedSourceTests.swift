import Downloader
import Testing

@testable import Aggregator

@Suite struct FeedSourceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: FeedSource

        init(_ text: String, _ source: FeedSource) {
            testDescription = text
            self.source = source
        }
    }

    /// Files that exist in these tests, by their real path.
    private static let files = [
        "/w/feed.xml": "/w/feed.xml", "/w/link.xml": "/real/feed.xml", "/w/a b.xml": "/w/a b.xml",
    ]

    @Test(arguments: [
        Case("https://example.com/feed", .remote(url: "https://example.com/feed")),
        Case(" HTTP://example.com/feed\n", .remote(url: "HTTP://example.com/feed")),
        Case("example.com/feed", .remote(url: "https://example.com/feed")),
        Case("localhost:8080/feed", .remote(url: "https://localhost:8080/feed")),
        Case("feed://example.com/feed", .remote(url: "http://example.com/feed")),
        Case("feed:https://example.com/feed", .remote(url: "https://example.com/feed")),
        Case("podcast://example.com/feed", .remote(url: "http://example.com/feed")),
        Case("feed.xml", .file(path: "/w/feed.xml")),
        Case("./link.xml", .file(path: "/real/feed.xml")),
        Case("file:///w/a%20b.xml", .file(path: "/w/a b.xml")),
        Case("file://localhost/w/feed.xml", .file(path: "/w/feed.xml")),
    ])
    func `a source is read as people write it`(_ test: Case) throws {
        let source = try FeedSource(test.testDescription, workingDirectory: "/w") { Self.files[$0] }
        #expect(source == test.source)
    }

    @Test(arguments: [
        "", "ftp://example.com/feed", "javascript:alert(1)", "no such thing", "file:///etc/none", "..", ".",
    ])
    func `what can be no feed is refused`(_ text: String) {
        #expect(throws: AggregatorError.self) {
            try FeedSource(text, workingDirectory: "/w") { Self.files[$0] }
        }
    }

    @Test func `a path survives as a stored address`() {
        let path = "/w/ä b%20#?.xml"
        #expect(FeedSource(storedURL: fileURL(path)) == .file(path: path))
        #expect(fileURL(path).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `credentials are parted from an address and go to its own host only`() {
        let feed = "https://ada:s%40cret@example.com/feed"
        #expect(shownAddress(feed) == "https://example.com/feed")
        #expect(
            credentials(for: "https://example.com/1.mp3", feedURL: feed)
                == Credentials(user: "ada", password: "s@cret"))
        #expect(credentials(for: "https://EXAMPLE.com/1.mp3", feedURL: feed) != nil)
        for other in [
            "https://cdn.example.com/1.mp3", "http://example.com/1.mp3", "https://example.com:8443/1.mp3",
        ] {
            #expect(credentials(for: other, feedURL: feed) == nil, "\(other)")
        }
    }
}
