import FoundationEssentials
import Testing

@testable import FeedParser

/// Prefixes and namespaces as feeds really write them, and where an element counts.
@Suite struct NamespaceTests {
    @Test(arguments: [
        ReadingCase(
            "as it should be", #"xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd""#, "itunes"),
        ReadingCase("another prefix", #"xmlns:it="http://www.itunes.com/dtds/podcast-1.0.dtd""#, "it"),
        ReadingCase("another case", #"xmlns:itunes="http://www.itunes.com/DTDs/Podcast-1.0.dtd""#, "itunes"),
        ReadingCase(
            "a slash at the end", #"xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd/""#, "itunes"),
        ReadingCase("https", #"xmlns:itunes="https://www.itunes.com/dtds/podcast-1.0.dtd""#, "itunes"),
        ReadingCase("not declared", "", "itunes"),
        ReadingCase("declared as something else", #"xmlns:itunes="http://a.example/""#, "itunes"),
    ])
    func `a namespace is understood`(_ test: ReadingCase) throws {
        let text = """
            <rss version="2.0" \(test.text)><channel><item><title>x</title>
            <\(test.expected[0]):duration>62:03</\(test.expected[0]):duration></item></channel></rss>
            """
        #expect(try FeedReader.parse(Array(text.utf8)).episodes.first?.duration == 3723)
    }

    @Test(arguments: [
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
        "http://podcastindex.org/namespace/1.0/",
    ])
    func `the podcast namespace has two addresses`(_ uri: String) throws {
        let text = """
            <rss xmlns:p="\(uri)"><channel><p:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</p:guid></channel></rss>
            """
        #expect(try FeedReader.parse(Array(text.utf8)).podcastGUID == "917393e3-1b1e-5cef-ace4-edaa54e1f810")
    }

    @Test func `the channel's fields stand after the items, and the image's are its own`() throws {
        let feed = try readChannel(
            """
            <image><url>/i.png</url><title>Image title</title><link>https://image.example/</link></image>
            <item><title>Item title</title><link>https://item.example/</link></item>
            <title>Show title</title><link>https://show.example/</link>
            """)
        #expect(feed.title == "Show title")
        #expect(feed.link == "https://show.example/")
        #expect(feed.image == "https://a.example/i.png")
        #expect(feed.episodes.first?.title == "Item title")
    }

    @Test func `unknown elements hide nothing that is known`() throws {
        let feed = try readChannel(
            """
            <x:a xmlns:x="urn:x"><x:title>Not this</x:title></x:a><title>Show</title>
            <item><y><title>Nor this</title></y><title>Item</title></item>
            """)
        #expect(feed.title == "Show")
        #expect(feed.episodes.map(\.title) == ["Item"])
    }

    @Test func `dates of both kinds are told apart`() throws {
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><published>2024-05-02T10:10:00Z</published>
            <updated>2024-06-01T00:00:00Z</updated></entry></feed>
            """
        let entry = try #require(try FeedReader.parse(Array(atom.utf8)).episodes.first)
        #expect(entry.published == parseFeedDate("2024-05-02T10:10:00Z"))
        #expect(entry.updated == parseFeedDate("2024-06-01T00:00:00Z"))
        let rss = try readChannel("<item><title>x</title><dc:date>2024-05-02T10:10:00+02:00</dc:date></item>")
        #expect(rss.episodes.first?.published == parseFeedDate("2024-05-02T08:10:00Z"))
    }

    @Test(arguments: [
        "Fri, 34 May 2014 10:10 GMT", "2014-13-32T10:00:00Z", "", "  ", "next Tuesday",
        "2014-05-02T34:00:00Z",
    ])
    func `a date that is none is absent, and never now`(_ text: String) throws {
        let feed = try readChannel("<item><title>x</title><pubDate>\(text)</pubDate></item>")
        #expect(feed.episodes.first?.published == nil)
        #expect(feed.episodes.count == 1)
    }
}
