import Testing

@testable import FeedParser

/// Damage to one place of a feed costs that place, and nothing of what stands around it.
@Suite struct DamagedMarkupTests {
    private static let first =
        "<item><title>A</title><guid>a</guid><enclosure url=\"https://e.example/a.mp3\"/></item>"
    private static let second =
        "<item><title>B</title><guid>b</guid><enclosure url=\"https://e.example/b.mp3\"/></item>"

    private func expectWhole(_ feed: Feed, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(feed.title == "Show", sourceLocation: sourceLocation)
        #expect(feed.episodes.map(\.title) == ["A", "B"], sourceLocation: sourceLocation)
        #expect(feed.episodes.map(\.guid) == ["a", "b"], sourceLocation: sourceLocation)
        #expect(
            feed.episodes.map { $0.enclosures.first?.url } == [
                "https://e.example/a.mp3", "https://e.example/b.mp3",
            ],
            sourceLocation: sourceLocation)
        #expect(!feed.diagnostics.isEmpty, "no word of the damage", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        #"<itunes:image href="https://e.example/i.png">"#, #"<itunes:category text="Arts">"#,
        #"<atom:link href="https://e.example/" rel="self">"#, "<image>", "<link>https://e.example/",
        "<itunes:owner><itunes:name>x</itunes:name>", "<itunes:explicit>no", "<description>words",
        "<generator>x", #"<media:thumbnail url="https://e.example/t.png">"#,
    ])
    func `an element of the channel that nobody closes`(_ element: String) throws {
        let isLevel = element == "<image>" || element.hasPrefix("<itunes:owner")
        let title = "<title>Show</title>"
        // What holds fields of its own may well hold this title.
        let start = isLevel ? title + element : element + title
        expectWhole(try readChannel(start + Self.first + Self.second))
    }

    @Test(arguments: ["<description><![CDATA[words</description>", "<!-- words"])
    func `a section or comment that nobody closes`(_ start: String) throws {
        let item = Self.first.replacing("<item>", with: "<item>\(start)")
        let feed = try readChannel("<title>Show</title>" + item + Self.second)
        expectWhole(feed)
        #expect(!feed.isTruncated)
        #expect(feed.episodes.first?.summary == (start.hasPrefix("<!--") ? nil : "words"))
    }

    @Test func `a section may hold whole items`() throws {
        let notes = "&lt; ]] </description></item><item><title>X</title></item> -->"
        let item = Self.first.replacing(
            "<item>", with: "<item><description><![CDATA[\(notes)]]></description>")
        let feed = try readChannel("<title>Show</title>" + item + Self.second)
        #expect(feed.episodes.map(\.title) == ["A", "B"])
        #expect(feed.episodes.first?.contentHTML == notes)
        #expect(feed.diagnostics.isEmpty)
    }

    @Test(arguments: [
        #"<enclosure url="https://e.example/a.mp3">"#, #"<itunes:image href="https://e.example/i.png">"#,
        #"<media:thumbnail url="https://e.example/t.png">"#, "<itunes:explicit>no",
        "<link>https://e.example/",
        "<category>a", "<pubDate>Tue, 24 Nov 2026 10:00:00 GMT</pubdate>",
        "<itunes:duration>12:00</duration>",
        "<description>words", "<content:encoded>words<br>and<p>more",
    ])
    func `an element of an item that nobody closes`(_ element: String) throws {
        let item = Self.first.replacing("<item>", with: "<item>\(element)")
        expectWhole(try readChannel("<title>Show</title>" + item + Self.second + "<x></y>"))
    }

    @Test(arguments: ["</Title>", "</TITLE>", "</titel>", "", "</title", "<b></titel>"])
    func `an end tag that is written wrongly`(_ end: String) throws {
        let item = Self.first.replacing("<title>A</title>", with: "<title>A\(end)")
        expectWhole(try readChannel("<title>Show\(end)" + item + Self.second + "<x></y>"))
    }

    @Test(arguments: [
        (#"url="https://e.example/a.mp3""#, #"url="https://e.example/a.mp3"#),
        (#"url="https://e.example/a.mp3"/>"#, #"url="https://e.example/a.mp3" type="audio/mpeg/>"#),
        (#"url="https://e.example/a.mp3""#, #"url="https://e.example/a.mp3 length="10""#),
        ("<guid>", #"<guid isPermaLink="false>"#),
        ("<guid>", "<guid isPermaLink='false>"),
        ("<item>", #"<item><itunes:image href="https://e.example/i.png/>"#),
    ])
    func `a quote that was forgotten`(_ right: String, _ wrong: String) throws {
        let item = Self.first.replacing(right, with: wrong)
        #expect(item != Self.first)
        expectWhole(try readChannel("<title>Show</title>" + item + Self.second + "<x></y>"))
    }

    @Test(arguments: [
        "<!-- x --!>", "<!-->", "<!--->", "<!->", "<!>", "<![cdata[x]]>", "<?xml version='1.0'>",
    ])
    func `markup that ends in another way`(_ markup: String) throws {
        expectWhole(try readChannel("<title>Show</title>" + Self.first + markup + Self.second + "<x></y>"))
    }

    @Test func `three hundred items that nobody closes`() throws {
        let items = (1...300).map { "<item><title>\($0)</title>" }.joined()
        let feed = try readChannel("<title>Show</title>" + items)
        #expect(feed.episodes.count == 300)
        #expect(feed.episodes.last?.title == "300")
    }

    @Test(arguments: ["<br>", "<p>word ", "<hr>", "<img src='x'>", "<li>word"])
    func `three hundred elements of HTML that nobody closes`(_ element: String) throws {
        let notes = "<description>\(String(repeating: element, count: 300))</description>"
        let item = Self.first.replacing("<item>", with: "<item>\(notes)")
        expectWhole(try readChannel("<title>Show</title>" + item + Self.second + "<x></y>"))
    }

    @Test(arguments: [
        "<r:rss xmlns:r='urn:x'><r:channel>CHANNEL</r:channel></r:rss>",
        "<rss xmlns='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel>CHANNEL</channel></rss>",
        "<rss xmlns='urn:y'><channel>CHANNEL</channel></rss>",
    ])
    func `a namespace where none belongs`(_ document: String) throws {
        var channel = "<title>Show</title>" + Self.first + Self.second
        if document.hasPrefix("<r:") {
            channel = channel.replacing("<", with: "<r:").replacing("<r:/", with: "</r:")
        }
        let text = document.replacing("CHANNEL", with: channel)
        expectWhole(
            try FeedReader.parse(
                Array(
                    text.replacing("</channel>", with: "</x></channel>").replacing(
                        "</r:channel>", with: "</x></r:channel>"
                    ).utf8)))
    }

    @Test func `a date or a link that is cut off is none`() throws {
        for cut in [
            "<pubDate>Tue, 24 Nov 202", "<link>https:/", "<guid>guid-12", "<title>First</titl",
            "<title>First</",
        ] {
            let feed = try FeedReader.parse(Array("<rss><channel><item><title>First</title>\(cut)".utf8))
            let episode = try #require(feed.episodes.first)
            #expect(episode.published == nil && episode.link == nil && episode.guid == nil)
            #expect(episode.title == "First")
        }
    }
}
