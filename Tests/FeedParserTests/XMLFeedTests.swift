import FoundationEssentials
import Testing

@testable import FeedParser

/// RSS and Atom through the whole parser: one quirk each.
@Suite struct XMLFeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let item: String
        let value: @Sendable (Episode) -> String?
        let expected: String?

        init(
            _ description: String, _ item: String, _ expected: String?,
            _ value: @escaping @Sendable (Episode) -> String?
        ) {
            testDescription = description
            self.item = item
            self.value = value
            self.expected = expected
        }
    }

    private func rss(_ item: String) throws -> Feed {
        let text = """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
             xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Show</title>
            <item>\(item)</item></channel></rss>
            """
        return try FeedReader.parse(Array(text.utf8), baseURL: "https://a.example/feed.xml")
    }

    @Test func `Podlove chapters are in order of their start`() throws {
        let feed = try rss(
            """
            <psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
            <psc:chapter start="1:00" title="Two"/><psc:chapter start="0" title="One"/>
            <psc:chapter start="1:00" title="Three"/></psc:chapters>
            """)
        #expect(feed.episodes.first?.chapters.map(\.title) == ["One", "Two", "Three"])
    }

    @Test(arguments: [
        Case("&amp;", #"<enclosure url="/a.mp3?x=1&amp;y=2"/>"#, "https://a.example/a.mp3?x=1&y=2") {
            $0.enclosures.first?.url
        },
        Case("a bare &", #"<enclosure url="/a.mp3?x=1&y=2"/>"#, "https://a.example/a.mp3?x=1&y=2") {
            $0.enclosures.first?.url
        },
        Case("&#38;", #"<enclosure url="/a.mp3?x=1&#38;y=2"/>"#, "https://a.example/a.mp3?x=1&y=2") {
            $0.enclosures.first?.url
        },
        Case("an escaped reference", #"<itunes:category text="&amp;#38;"/>"#, "&") { $0.categories.first },
        Case("a bare & in a category", #"<itunes:category text="Arts & Crafts"/>"#, "Arts & Crafts") {
            $0.categories.first
        },
        Case("<, >, quotes", #"<enclosure url="/a.mp3" title="&lt;&quot;&apos;>"/>"#, "<\"'>") {
            $0.enclosures.first?.title
        },
    ])
    func `an attribute is read as it was meant`(_ test: Case) throws {
        #expect(test.value(try #require(try rss(test.item).episodes.first)) == test.expected)
    }

    @Test(arguments: [
        Case("an image as a link", #"<itunes:link rel="image" href="/i.jpg"/>"#, "https://a.example/i.jpg") {
            $0.image
        },
        Case("another link", #"<itunes:link rel="self" href="/i.jpg"/>"#, nil) { $0.image },
        Case("a media category", "<media:category>Sea</media:category>", "Sea") { $0.categories.first },
        Case("a length of one byte", #"<enclosure url="/a.mp3" length="1"/>"#, "1") {
            $0.enclosures.first?.length?.description
        },
        Case("a length of nothing", #"<enclosure url="/a.mp3" length="0"/>"#, nil) {
            $0.enclosures.first?.length?.description
        },
        Case("a length with a comma", #"<enclosure url="/a.mp3" length="12,345"/>"#, nil) {
            $0.enclosures.first?.length?.description
        },
        Case("a negative length", #"<enclosure url="/a.mp3" length="-5"/>"#, nil) {
            $0.enclosures.first?.length?.description
        },
    ])
    func `an item is read leniently`(_ test: Case) throws {
        #expect(test.value(try #require(try rss(test.item).episodes.first)) == test.expected)
    }

    @Test func `content of a binary type is Base64`() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>
            <content type="application/octet-stream"> PGI+VGVh
            PC9iPg== </content></entry></feed>
            """
        #expect(try FeedReader.parse(Array(text.utf8)).episodes.first?.contentHTML == "<b>Tea</b>")
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-32 is read with and without its mark`(_ isLittleEndian: Bool, _ hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + "<rss><channel><title>Tür 日本</title></channel></rss>"
        let bytes = text.unicodeScalars.flatMap { scalar in
            let value = isLittleEndian ? scalar.value.littleEndian : scalar.value.bigEndian
            return withUnsafeBytes(of: value) { Array($0) }
        }
        #expect(try FeedReader.parse(bytes).title == "Tür 日本")
    }
}
