import Foundation
import Testing

@testable import FeedParser

@Suite struct JSONFeedTests {
    private func parse(_ json: String) throws -> Feed {
        try FeedReader.parse(Array(json.utf8), baseURL: "https://host.example/feed.json")
    }

    /// A feed with one item that has these members.
    private func item(_ members: String) throws -> Episode {
        let feed = try parse(
            "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": \"1\", \(members)}]}")
        return try #require(feed.episodes.first)
    }

    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: String
        let field: @Sendable (Episode) -> String?
        let value: String?

        init(_ members: String, _ field: @escaping @Sendable (Episode) -> String?, _ value: String?) {
            testDescription = members
            self.members = members
            self.field = field
            self.value = value
        }
    }

    @Test func `a feed's head is read`() throws {
        let feed = try parse(
            #"""
            {"version": "https://jsonfeed.org/version/1.1", "title": "Tools &amp; <i>Tales</i>",
             "home_page_url": "/", "feed_url": "https://host.example/feed.json", "next_url": "feed-2.json",
             "description": "Said\n twice", "language": "en-GB", "icon": "icon.png", "favicon": "fav.ico",
             "authors": [{"name": "Ada"}, {"url": "https://x.example"}, {"name": "Tom"}, {"name": "Ada"}],
             "author": {"name": "Nobody"}, "hubs": [{"type": "x"}, {"type": "WebSub", "url": "https://hub.example/"}],
             "expired": true, "items": []}
            """#)
        var expected = Feed(format: .jsonFeed11)
        expected.title = "Tools & Tales"
        expected.link = "https://host.example/"
        expected.feedURL = "https://host.example/feed.json"
        expected.nextPageURL = "https://host.example/feed-2.json"
        expected.description = "Said twice"
        expected.language = "en-GB"
        expected.image = "https://host.example/icon.png"
        expected.author = "Ada, Tom"
        expected.hubURL = "https://hub.example/"
        expected.complete = true
        #expect(feed == expected)
    }

    @Test(arguments: [
        (#""version": "https://jsonfeed.org/version/1""#, FeedFormat.jsonFeed1),
        (#""version": "https://jsonfeed.org/version/1.1""#, .jsonFeed11),
        (#""version": "HTTP://WWW.JSONFeed.org/version/1.1""#, .jsonFeed11),
        (#""version": "1.1", "home_page_url": "x""#, .jsonFeed11),
        (#""feed_url": "x""#, .jsonFeed1),
    ])
    func `the version tells the format, also at the end`(_ member: String, _ format: FeedFormat) throws {
        #expect(try parse("{\"items\": [{\"id\": 1}], \(member)}").format == format)
    }

    @Test(arguments: ["content_html", "content_text", "date_published", "attachments"])
    func `the items tell the format where no version does`(_ name: String) throws {
        #expect(try parse("{\"items\": [{\"title\": \"x\", \"\(name)\": \"y\"}]}").format == .jsonFeed1)
    }

    @Test(arguments: [
        Text(#""id": 2"#, \.guid, "1"),
        Text(#""title": "A &lt;b&gt; in <b>bold</b>""#, \.title, "A <b> in bold"),
        Text(#""url": "/a b", "external_url": "https://x.example""#, \.link, "https://host.example/a%20b"),
        Text(#""external_url": "https://x.example""#, \.link, "https://x.example"),
        Text(#""summary": "Short", "content_text": "Long""#, \.summary, "Short"),
        Text(#""content_text": "One\n\nTwo", "content_html": "<p>3""#, \.summary, "One Two"),
        Text(#""content_html": "<p>One<p>Two""#, \.summary, "One Two"),
        Text(#""content_html": "<p>3", "content_text": "4""#, \.contentHTML, "<p>3"),
        Text(#""content_text": "a < b\nc\n\n&d""#, \.contentHTML, "<p>a &lt; b<br>c</p><p>&amp;d</p>"),
        Text(#""content_text": "a < b""#, \.contentHTML, "a &lt; b"),
        Text(#""author": "Ada""#, \.author, "Ada"),
        Text(#""author": {"name": "Ada"}"#, \.author, "Ada"),
        Text(#""authors": [], "author": {"name": "Ada"}"#, \.author, "Ada"),
        Text(#""authors": ["Ada", {"name": "Tom"}, 7, null]"#, \.author, "Ada, Tom"),
        Text(#""image": "i.png", "banner_image": "b.png""#, \.image, "https://host.example/i.png"),
        Text(#""image": null, "banner_image": "b.png""#, \.image, "https://host.example/b.png"),
        Text(#""title": ["no", "title"]"#, \.title, nil),
    ])
    func `an item's texts are read`(_ test: Text) throws {
        #expect(test.field(try item(test.members)) == test.value)
    }

    @Test(arguments: [
        ("7", "7"), ("7.0", "7.0"), ("\" a \"", "a"), ("\"\"", nil), ("true", nil), ("null", nil),
    ])
    func `an id is a text or a number`(_ id: String, _ guid: String?) throws {
        let feed = try parse("{\"feed_url\": \"x\", \"items\": [{\"id\": \(id), \"title\": \"t\"}]}")
        #expect(feed.episodes.map(\.guid) == [guid])
    }

    @Test func `dates are read`() throws {
        let item = try item(
            #""date_published": "2026-11-18T07:00:00+01:00", "date_modified": "2026-11-19T00:00:00Z""#)
        #expect(item.published.map(rfc3339) == "2026-11-18T06:00:00Z")
        #expect(item.updated.map(rfc3339) == "2026-11-19T00:00:00Z")
    }

    @Test func `attachments are enclosures, the audio first and no image`() throws {
        let item = try item(
            #"""
            "tags": ["a", " b ", "a"],
            "attachments": [
              {"url": "cover.jpg", "mime_type": "image/jpeg"},
              {"url": "v.mp4", "mime_type": "video/mp4", "duration_in_seconds": 61},
              {"mime_type": "audio/mpeg"},
              {"url": "a.mp3", "mime_type": "audio/mpeg", "title": "Sound", "size_in_bytes": 12345678901,
               "duration_in_seconds": "60.5"}
            ]
            """#)
        #expect(
            item.enclosures == [
                Enclosure(
                    url: "https://host.example/a.mp3", type: "audio/mpeg", length: 12_345_678_901,
                    title: "Sound"),
                Enclosure(url: "https://host.example/v.mp4", type: "video/mp4"),
            ])
        #expect(item.duration == 60.5)
        #expect(item.categories == ["a", "b"])
    }

    @Test func `a lone attachment needs no list`() throws {
        #expect(
            try item(#""attachments": {"url": "a.mp3"}"#).enclosures.map(\.url) == [
                "https://host.example/a.mp3"
            ])
        #expect(try item(#""attachments": "a.mp3""#).enclosures.map(\.url) == ["https://host.example/a.mp3"])
    }

    @Test func `a link to a sound is the last resort`() throws {
        #expect(try item(#""url": "a.mp3""#).enclosures == [Enclosure(url: "https://host.example/a.mp3")])
    }

    @Test func `a bad item is skipped and told with its line`() throws {
        let feed = try parse(
            """
            {"feed_url": "x", "items": [
            {"id": 1},
            "two",
            {"id": 3}, {},
            {"id": 5, "date_published": "never"}]}
            """)
        #expect(feed.episodes.map(\.guid) == ["1", "3", "5"])
        #expect(feed.diagnostics.map(\.line) == [3, 4, 5])
        #expect(feed.diagnostics.map(\.code) == [.badEpisode, .badEpisode, .badDate])
    }
}
