import Testing

@testable import FeedParser

/// Titles and notes, in all the ways in which they are escaped.
@Suite struct TextFieldTests {
    private func episode(_ item: String) throws -> Episode {
        try #require(try readChannel("<item>\(item)</item>").episodes.first)
    }

    @Test(arguments: [
        ReadingCase("HTML's entities", "Caf&eacute;&nbsp;&rsquo;s &hellip; &iacute;", "Café\u{A0}’s … í"),
        ReadingCase("a bare &", "Tom & Jerry &co", "Tom & Jerry &co"),
        ReadingCase("an entity that does not exist", "Q&A;", "Q&A;"),
        ReadingCase("CDATA", "<![CDATA[Tom & Jerry]]>", "Tom & Jerry"),
        ReadingCase("escaped in CDATA", "<![CDATA[Tom &amp; Jerry&#8217;s]]>", "Tom & Jerry’s"),
        ReadingCase("tags", "<![CDATA[A <b>bold</b> <i>title</i>]]>", "A bold title"),
        ReadingCase("escaped tags", "A &lt;b&gt;bold&lt;/b&gt; title", "A bold title"),
        ReadingCase("escaped twice", "&amp;lt;p&amp;gt;Tea&amp;lt;/p&amp;gt;", "Tea"),
        ReadingCase("no tag", "x &lt; y and 1 < 2", "x < y and 1 < 2"),
        ReadingCase("CDATA within CDATA", "<![CDATA[a <![CDATA[b]]]]>&gt; c", "a b c"),
        ReadingCase("a section and text", "One <![CDATA[& two]]> three", "One & two three"),
        ReadingCase("control characters", "Te\u{0B}a\u{1}<![CDATA[\u{1F}!]]>", "Tea!"),
        ReadingCase("blanks and lines", "\n  Tea \t and\n cake \n", "Tea and cake"),
        ReadingCase("Windows-1252 by number", "It&#146;s", "It’s"),
        ReadingCase("emoji by number", "&#x1F600;", "😀"),
    ])
    func `a title is one line of plain text`(_ test: ReadingCase) throws {
        #expect(try episode("<title>\(test.text)</title>").title == test.expected[0])
    }

    @Test(arguments: [
        ReadingCase(
            "the content",
            "<description>short</description><content:encoded><![CDATA[<p>a &amp; b</p>]]></content:encoded>",
            "<p>a &amp; b</p>", "short"),
        ReadingCase(
            "the description, where it is HTML", "<description>&lt;p&gt;a&lt;br&gt;b&lt;/p&gt;</description>",
            "<p>a<br>b</p>", "a b"),
        ReadingCase("a text only", "<description>no markup</description>", "", "no markup"),
        ReadingCase(
            "iTunes", "<itunes:summary>words</itunes:summary><description>more</description>", "", "words"),
        ReadingCase(
            "the content as the last resort", "<content:encoded>&lt;p&gt;a&lt;/p&gt;</content:encoded>",
            "<p>a</p>", "a"),
    ])
    func `notes keep their HTML, and the summary is plain`(_ test: ReadingCase) throws {
        let episode = try episode(test.text)
        #expect(episode.contentHTML ?? "" == test.expected[0])
        #expect(episode.summary == test.expected[1])
    }

    @Test func `a title beyond all measure is cut, and that is said`() throws {
        let feed = try readChannel("<item><title>\(String(repeating: "日本", count: 4_000))</title></item>")
        let title = try #require(feed.episodes.first?.title)
        #expect(title.utf8.count == 16_383)
        #expect(title.allSatisfy { $0 == "日" || $0 == "本" })
        #expect(feed.diagnostics.map(\.code) == [.fieldTooLong])
    }

    @Test func `a field beyond the limit is cut, and costs neither item nor feed`() throws {
        var limits = ParserLimits()
        limits.fieldByteCount = 1_000
        let text = """
            <rss><channel><title>T</title><item><title>1</title><description>\(String(repeating: "x", count: 5_000))
            </description></item><item><title>2</title></item></channel></rss>
            """
        let feed = try FeedReader.parse(Array(text.utf8), limits: limits)
        #expect(feed.episodes.map(\.title) == ["1", "2"])
        #expect(feed.diagnostics.contains { $0.code == .fieldTooLong })
        #expect((feed.episodes[0].summary?.utf8.count ?? 0) <= 1_000)
    }

    @Test func `a guid is trimmed, and is absent where the feed has none`() throws {
        #expect(try episode("<guid>\n  abc-1 \n</guid>").guid == "abc-1")
        #expect(try episode("<guid> </guid><title>x</title>").guid == nil)
        let feed = try readChannel((1...3).map { "<item><enclosure url='/\($0).mp3'/></item>" }.joined())
        #expect(feed.episodes.map(\.guid) == [nil, nil, nil])
        #expect(Set(feed.episodes.compactMap(\.enclosures.first?.url)).count == 3)
    }
}
