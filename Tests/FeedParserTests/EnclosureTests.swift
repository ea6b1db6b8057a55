import Testing

@testable import FeedParser

/// What of an item can be played, and where it lies.
@Suite struct EnclosureTests {
    private func addresses(_ item: String, baseURL: String? = "https://a.example/show/feed.xml") throws
        -> [String]
    {
        let feed = try readChannel("<item><title>x</title>\(item)</item>", baseURL: baseURL)
        return try #require(feed.episodes.first).enclosures.map(\.url)
    }

    @Test(arguments: [
        ReadingCase(
            "the image first",
            #"<enclosure url="/i.jpg" type="image/jpeg"/><enclosure url="/a.mp3" type="audio/mpeg"/>"#,
            "https://a.example/a.mp3"),
        ReadingCase("only an image", #"<enclosure url="/i.jpg" type="image/jpeg"/>"#),
        ReadingCase(
            "the video first",
            #"<enclosure url="/v.mp4" type="video/mp4"/><enclosure url="/a.mp3" type="audio/mpeg"/>"#,
            "https://a.example/a.mp3", "https://a.example/v.mp4"),
        ReadingCase(
            "the same file three times",
            #"<enclosure url="/a.mp3"/><enclosure url="/a.mp3"/><media:content url="/a.mp3"/>"#,
            "https://a.example/a.mp3"),
        ReadingCase(
            "media:content", #"<media:content url="/a.mp3" type="audio/mpeg"/>"#,
            "https://a.example/a.mp3"),
        ReadingCase(
            "in a group",
            #"<media:group><media:content url="/i.png" medium="image"/><media:content url="/a.ogg"/></media:group>"#,
            "https://a.example/a.ogg"),
        ReadingCase(
            "of RSS 1.0", #"<enc:enclosure rdf:resource="/a.mp3" enc:type="audio/mpeg"/>"#,
            "https://a.example/a.mp3"),
        ReadingCase("a link to a file", "<link>/a.mp3</link>", "https://a.example/a.mp3"),
        ReadingCase("a link to a page", "<link>/a.html</link>"),
        ReadingCase(
            "an HLS playlist", #"<enclosure url="/live.m3u8" type="application/x-mpegURL"/>"#,
            "https://a.example/live.m3u8"),
    ])
    func `the playable files are listed, the best first`(_ test: ReadingCase) throws {
        #expect(try addresses(test.text) == test.expected)
    }

    @Test(arguments: [
        "", "audio/mpeg", "audio/x-mpeg", "audio/mp3", "audio/x-m4a", "audio/aac", "audio/ogg; codecs=opus",
        "video/mp4", "audio/mpeg; charset=UTF-8", "AUDIO/MPEG", " audio/mpeg ", "application/octet-stream",
        "application/force-download", "nonsense",
    ])
    func `whatever the type, a media file is an enclosure`(_ type: String) throws {
        let type = type.isEmpty ? "" : "type=\"\(type)\""
        #expect(try addresses("<enclosure url='/a.mp3' \(type)/>") == ["https://a.example/a.mp3"])
    }

    @Test func `an item without file between two with one`() throws {
        let feed = try readChannel(
            """
            <item><title>1</title><enclosure url="/1.mp3"/></item><item><title>2</title></item>
            <item><title>3</title><enclosure url="/3.mp3"/></item>
            """)
        #expect(feed.episodes.map { $0.enclosures.count } == [1, 0, 1])
    }

    @Test(arguments: [
        ReadingCase("relative", "a.mp3", "https://a.example/show/a.mp3"),
        ReadingCase("relative upwards", "../a.mp3", "https://a.example/a.mp3"),
        ReadingCase("without protocol", "//b.example/x.mp3", "https://b.example/x.mp3"),
        ReadingCase("blanks", " https://b.example/a b.mp3 ", "https://b.example/a%20b.mp3"),
        ReadingCase("umlauts", "https://b.example/ü.mp3", "https://b.example/%C3%BC.mp3"),
        ReadingCase(
            "encoded already", "https://b.example/a%3Ab%20c.mp3?u=http%3A%2F%2Fx",
            "https://b.example/a%3Ab%20c.mp3?u=http%3A%2F%2Fx"),
        ReadingCase("&amp;", "https://b.example/a.mp3?x=1&amp;y=2", "https://b.example/a.mp3?x=1&y=2"),
        ReadingCase("a bare &", "https://b.example/a.mp3?s=600&d=mm", "https://b.example/a.mp3?s=600&d=mm"),
        ReadingCase(
            "an international host", "https://bücher.example/a.mp3",
            "https://xn--bcher-kva.example/a.mp3"),
    ])
    func `an address becomes absolute and keeps its meaning`(_ test: ReadingCase) throws {
        #expect(try addresses("<enclosure url=\"\(test.text)\"/>") == test.expected)
    }

    @Test(arguments: ["\n", "\t", "\r\n", "\n\t"])
    func `line breaks and tabs within an address go`(_ gap: String) throws {
        #expect(
            try addresses("<enclosure url='\(gap)https://b.example/\(gap)a.mp3\(gap)'/>") == [
                "https://b.example/a.mp3"
            ])
        #expect(try addresses("<enclosure url='a\(gap)b c.mp3'/>") == ["https://a.example/show/ab%20c.mp3"])
        #expect(try addresses("<link>https://b.example/\(gap)a.mp3</link>") == ["https://b.example/a.mp3"])
    }

    @Test func `xml:base is the base`() throws {
        let feed = try readChannel(
            #"<item xml:base="https://c.example/d/"><title>x</title><enclosure url="a.mp3"/></item>"#)
        #expect(feed.episodes.first?.enclosures.first?.url == "https://c.example/d/a.mp3")
    }

    @Test func `a live item is no episode`() throws {
        let feed = try readChannel(
            """
            <podcast:liveItem status="live" start="2024-05-02T10:00:00Z"><title>On air</title>
            <enclosure url="https://a.example/stream" type="audio/mpeg" length="0"/>
            <podcast:contentLink href="https://a.example/chat">Watch</podcast:contentLink></podcast:liveItem>
            <item><title>Episode</title></item>
            """)
        #expect(feed.episodes.map(\.title) == ["Episode"])
        #expect(feed.liveItems.map(\.episode.title) == ["On air"])
        #expect(feed.liveItems.first?.status == "live")
        #expect(feed.liveItems.first?.contentLinks.map(\.href) == ["https://a.example/chat"])
    }
}
