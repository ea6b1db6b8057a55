import FoundationEssentials
import Testing

@testable import FeedParser

@Suite struct JSONFeedTests {
    private func parse(_ text: String) throws -> Feed {
        try FeedReader.parse(Array(text.utf8), baseURL: "https://a.example/feeds/feed.json")
    }

    @Test func `a feed with every field`() throws {
        let feed = try parse(
            """
            { "version": "https://jsonfeed.org/version/1.1", "title": "Letters &amp; Notes",
              "home_page_url": "/", "feed_url": "feed.json", "next_url": "feed.json?page=2",
              "description": "One <b>letter</b>", "icon": "icon.png", "favicon": "fav.png", "language": "en",
              "authors": [{ "name": "A" }, { "name": "B" }, { "name": "A" }], "expired": true,
              "hubs": [{ "type": "WebSub", "url": "https://hub.example/" }],
              "items": [{ "id": "1", "url": "one", "title": "One", "content_html": "<p>Notes</p>",
                "summary": "Short", "image": "one.jpg", "date_published": "2026-01-02T03:04:05+01:00",
                "date_modified": "2026-01-03T00:00:00Z", "tags": ["x", "y", "x"],
                "authors": [{ "name": "C" }],
                "attachments": [
                  { "url": "one.jpg", "mime_type": "image/jpeg" },
                  { "url": "one.mp3", "mime_type": "audio/mpeg", "title": "MP3",
                    "size_in_bytes": 12345, "duration_in_seconds": 61.5 }] }] }
            """)
        #expect(feed.format == .jsonFeed11)
        #expect(feed.title == "Letters & Notes")
        #expect(feed.link == "https://a.example/")
        #expect(feed.feedURL == "https://a.example/feeds/feed.json")
        #expect(feed.nextPageURL == "https://a.example/feeds/feed.json?page=2")
        #expect(feed.hubURL == "https://hub.example/")
        #expect(feed.description == "One letter")
        #expect(feed.image == "https://a.example/feeds/icon.png")
        #expect(feed.author == "A, B")
        #expect(feed.complete == true)
        let episode = try #require(feed.episodes.first)
        #expect(episode.guid == "1")
        #expect(episode.link == "https://a.example/feeds/one")
        #expect(episode.summary == "Short")
        #expect(episode.contentHTML == "<p>Notes</p>")
        #expect(episode.published == Date(timeIntervalSince1970: 1_767_319_445))
        #expect(episode.updated == Date(timeIntervalSince1970: 1_767_398_400))
        #expect(episode.categories == ["x", "y"])
        #expect(episode.author == "C")
        #expect(episode.duration == 61.5)
        #expect(
            episode.enclosures == [
                Enclosure(
                    url: "https://a.example/feeds/one.mp3", type: "audio/mpeg", length: 12345, title: "MP3")
            ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let item: String
        let check: @Sendable (Episode) -> Bool

        init(_ description: String, _ item: String, _ check: @escaping @Sendable (Episode) -> Bool) {
            testDescription = description
            self.item = item
            self.check = check
        }
    }

    @Test(arguments: [
        Case("a numeric id", #"{ "id": 12, "title": "T" }"#) { $0.guid == "12" },
        Case("an id beyond 64 bits", #"{ "id": 123456789012345678901, "title": "T" }"#) { $0.guid != nil },
        Case("version 1's author", #"{ "id": "1", "author": { "name": "N" } }"#) { $0.author == "N" },
        Case("an author as a text", #"{ "id": "1", "author": "N" }"#) { $0.author == "N" },
        Case("text only", #"{ "id": "1", "content_text": "a < b" }"#) { $0.summary == "a < b" },
        Case("a date in words", #"{ "id": "1", "date_published": "soon" }"#) { $0.published == nil },
        Case(
            "numbers as texts", #"{ "id": "1", "attachments": [{ "url": "a.mp3", "size_in_bytes": "99" }] }"#
        ) {
            $0.enclosures.first?.length == 99
        },
        Case("one attachment outside a list", #"{ "id": "1", "attachments": { "url": "a.mp3" } }"#) {
            $0.enclosures.count == 1
        },
        Case("a lone surrogate", #"{ "id": "1", "title": "a\u00e4b" }"#) { $0.title == "a\u{E4}b" },
        Case(
            "wrong types everywhere", #"{ "id": "1", "title": [], "tags": 5, "attachments": "x", "url": {} }"#
        ) {
            $0.guid == "1" && $0.title == nil
        },
    ])
    func `an item is read leniently`(_ test: Case) throws {
        let feed = try parse(#"{ "version": "https://jsonfeed.org/version/1", "items": [\#(test.item)] }"#)
        #expect(feed.format == .jsonFeed1)
        #expect(test.check(try #require(feed.episodes.first)))
    }

    @Test func `one bad item costs nothing but itself`() throws {
        let feed = try parse(
            #"{ "version": "https://jsonfeed.org/version/1", "items": [7, { "id": "1" }, null, {}] }"#)
        #expect(feed.episodes.map(\.guid) == ["1"])
        #expect(feed.diagnostics.contains { $0.code == .badEpisode })
    }

    @Test func `without a version its keys tell the format`() throws {
        let feed = try parse(#"{ "items": [{ "id": "1", "content_html": "x" }] }"#)
        #expect(feed.format == .jsonFeed1)
    }

    @Test(arguments: [1, 2, 7])
    func `any pieces give the same feed`(_ size: Int) throws {
        let text =
            #"﻿ { "version": "https://jsonfeed.org/version/1", "title": "Tür", "items": [{ "id": "1" }] }"#
        let bytes = Array(text.utf8)
        let reader = FeedReader()
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { try reader.feed($0) }
        }
        let feed = try reader.finish()
        #expect(feed.title == "Tür")
        #expect(feed.episodes.count == 1)
    }
}
