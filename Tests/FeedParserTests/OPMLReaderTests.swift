import Foundation
import Testing

@testable import FeedParser

@Suite(.timeLimit(.minutes(5)))
struct OPMLReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let feeds: [OPMLFeed]

        init(_ name: String, _ body: String, _ feeds: OPMLFeed...) {
            testDescription = name
            self.body = body
            self.feeds = feeds
        }
    }

    private static let river = OPMLFeed(url: "https://river.example/feed", title: "River")

    private func read(_ document: String, limits: ParserLimits = ParserLimits()) throws -> OPMLDocument {
        try readOPML(Data(document.utf8), baseURL: "https://host.example/lists/mine.opml", limits: limits)
    }

    @Test func `a list is read whole`() throws {
        let list = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head><title>My &amp; her\n feeds</title><dateCreated>Tue, 24 Nov 2026 06:30:00 GMT</dateCreated></head>
              <body>
                <outline text="News">
                  <outline type="rss" text="River" xmlUrl="https://river.example/feed"
                    htmlUrl="https://river.example/" category="/Other"/>
                </outline>
                <outline type="rss" text="Sea" xmlUrl="https://sea.example/feed"/>
              </body>
            </opml>
            """)
        #expect(
            list
                == OPMLDocument(
                    title: "My & her feeds",
                    feeds: [
                        OPMLFeed(
                            url: "https://river.example/feed", title: "River",
                            website: "https://river.example/",
                            folders: ["News"], otherFolders: [["Other"]]),
                        OPMLFeed(url: "https://sea.example/feed", title: "Sea"),
                    ]))
    }

    @Test(arguments: [
        Case("no type", #"<outline text="River" xmlUrl="https://river.example/feed"/>"#, river),
        Case(
            "another type", #"<outline type="atom" text="River" xmlUrl="https://river.example/feed"/>"#, river
        ),
        Case("xmlURL", #"<outline text="River" xmlURL="https://river.example/feed"/>"#, river),
        Case("XMLURL in OUTLINE", #"<OUTLINE TEXT="River" XMLURL="https://river.example/feed"/>"#, river),
        Case("url", #"<outline type="rss" text="River" url="https://river.example/feed"/>"#, river),
        Case(
            "url of something else",
            #"<outline type="link" text="A" url="https://a.example"/><outline type="include" url="b.opml"/>"#),
        Case(
            "xmlUrl before url",
            #"<outline text="River" url="https://river.example/" xmlUrl="https://river.example/feed"/>"#,
            river),
        Case("title only", #"<outline title="River" xmlUrl="https://river.example/feed"/>"#, river),
        Case(
            "title before text", #"<outline text="x" title="River" xmlUrl="https://river.example/feed"/>"#,
            river),
        Case(
            "no name", #"<outline xmlUrl="https://river.example/feed" text=""/>"#,
            OPMLFeed(url: "https://river.example/feed")),
        Case(
            "the address as name",
            #"<outline xmlUrl="https://river.example/feed" text="https://river.example/feed"/>"#,
            OPMLFeed(url: "https://river.example/feed")),
        Case(
            "raw ampersands", #"<outline text="Q & A" xmlUrl="https://a.example/?x=1&y=2&copy=3"/>"#,
            OPMLFeed(url: "https://a.example/?x=1&y=2&copy=3", title: "Q & A")),
        Case(
            "HTML entities and tags",
            #"<outline text="Caf&eacute; &lt;b&gt;x&lt;/b&gt;" xmlUrl="https://a.example/"/>"#,
            OPMLFeed(url: "https://a.example/", title: "Café x")),
        Case(
            "no quotes", "<outline text=River xmlUrl=https://river.example/feed />", river),
        Case("blanks around", #"<outline text=" River " xmlUrl=" https://river.example/feed "/>"#, river),
        Case(
            "a relative address", #"<outline text="River" xmlUrl="../river.xml" htmlUrl="/river"/>"#,
            OPMLFeed(
                url: "https://host.example/river.xml", title: "River", website: "https://host.example/river")),
        Case(
            "three deep",
            #"""
            <outline text="A"><outline title="B"><outline text="C">
              <outline text="River" xmlUrl="https://river.example/feed"/>
            </outline></outline></outline><outline text="Sea" xmlUrl="https://sea.example/"/>
            """#,
            OPMLFeed(url: "https://river.example/feed", title: "River", folders: ["A", "B", "C"]),
            OPMLFeed(url: "https://sea.example/", title: "Sea")),
        Case(
            "a folder without a name",
            #"<outline><outline text="River" xmlUrl="https://river.example/feed"/></outline>"#,
            river),
        Case(
            "a feed within a feed",
            #"""
            <outline text="River" xmlUrl="https://river.example/feed">
              <outline text="Sea" xmlUrl="https://sea.example/"/></outline>
            """#, river, OPMLFeed(url: "https://sea.example/", title: "Sea")),
        Case(
            "categories",
            #"<outline text="River" xmlUrl="https://river.example/feed" category="/Arts/ Music ,News,,/"/>"#,
            OPMLFeed(
                url: "https://river.example/feed", title: "River", folders: ["Arts", "Music"],
                otherFolders: [["News"]])),
        Case(
            "duplicates",
            #"""
            <outline text="River" xmlUrl="https://river.example/feed"/><outline text="Sea" xmlUrl="https://sea.example/"/>
            <outline text="A"><outline text="Again" xmlUrl="https://river.example/feed"/></outline>
            <outline text="A"><outline text="Again" xmlUrl="https://river.example/feed"/>
            <outline text="B"><outline text="Again" xmlUrl="https://river.example/feed"/></outline></outline>
            """#,
            OPMLFeed(
                url: "https://river.example/feed", title: "River", folders: ["A"], otherFolders: [["A", "B"]]),
            OPMLFeed(url: "https://sea.example/", title: "Sea")),
        Case(
            "a folder that is not closed",
            #"<outline text="A"><outline text="River" xmlUrl="https://river.example/feed">"#,
            OPMLFeed(url: "https://river.example/feed", title: "River", folders: ["A"])),
    ])
    func `outlines are read as programs write them`(_ test: Case) throws {
        for document in [
            "<opml version=\"1.0\"><body>\(test.body)</body></opml>", "<opml>\(test.body)</opml>",
        ] {
            #expect(try read(document) == OPMLDocument(feeds: test.feeds))
        }
    }

    @Test func `an outline's title is not the list's`() throws {
        let list = try read(#"<opml><body><outline title="x" xmlUrl="https://a.example/"/></body></opml>"#)
        #expect(list.title == nil)
    }

    @Test func `a document that is cut off says so`() throws {
        let list = try read(#"<opml><body><outline text="River" xmlUrl="https://river.example/feed"/><outl"#)
        #expect(list.feeds == [Self.river])
        #expect(list.isTruncated)
    }

    @Test func `an outline beyond any size is missed, and that is said`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let list = try read(
            """
            <opml><body><outline text="River" xmlUrl="https://river.example/feed"/>
            <outline text="\(long)" xmlUrl="https://long.example/feed"/></body></opml>
            """)
        #expect(list.feeds == [Self.river])
        #expect(list.isTruncated)
    }

    @Test(arguments: [
        "", "{}", "plain text", "<html><body><p>opml</p></body></html>",
        "<rss><channel><item><opml><outline xmlUrl='https://a.example/'/></opml></item></channel></rss>",
    ])
    func `what is no list is refused`(_ document: String) {
        #expect(throws: FeedError.noOPMLRoot) { try read(document) }
        #expect(!isOPML(Data(document.utf8)))
    }

    @Test(arguments: [
        "<opml>", "<?xml version=\"1.0\"?>\n<!-- list -->\n<!DOCTYPE opml>\n<opml version=\"2.0\"><head>",
        "\u{FEFF}\n<OPML version=\"1.1\"/>",
    ])
    func `the beginning tells a list`(_ start: String) throws {
        #expect(isOPML(Data(start.utf8)))
        #expect(isOPML(try #require(start.data(using: .utf16))))
    }

    @Test func `another encoding is read`() throws {
        let text =
            #"<?xml version="1.0" encoding="iso-8859-1"?><opml><outline text="Café" xmlUrl="https://a.example/"/></opml>"#
        let list = try readOPML(try #require(text.data(using: .isoLatin1)))
        #expect(list.feeds.map(\.title) == ["Café"])
    }

    @Test func `five thousand feeds are read in order`() throws {
        let outlines = (1...5000).map { "<outline text='\($0)' xmlUrl='https://a.example/\($0)'/>" }
        let list = try read("<opml><body>" + outlines.joined() + "</body></opml>")
        #expect(list.feeds.map(\.title) == (1...5000).map { "\($0)" })
    }

    @Test func `size, depth and number are bounded`() throws {
        var limits = ParserLimits()
        limits.decodedByteCount = 100
        #expect(throws: FeedError.tooLarge(byteCount: 100)) {
            try read("<opml>" + String(repeating: " ", count: 200), limits: limits)
        }
        limits = ParserLimits()
        limits.episodeCount = 1
        let two = "<opml><outline xmlUrl='https://a.example/'/><outline xmlUrl='https://b.example/'/></opml>"
        let list = try read(two, limits: limits)
        #expect(list.feeds.map(\.url) == ["https://a.example/"])
        #expect(list.isTruncated)
        let deep = "<opml>" + String(repeating: "<outline text='x'>", count: 10_000)
        #expect(throws: FeedError.tooDeep(depth: 250)) { try read(deep) }
    }

    @Test func `folders are bounded in depth`() throws {
        let folders = (1...40).map { "<outline text='\($0)'>" }.joined()
        let closed = String(repeating: "</outline>", count: 40)
        let list = try read(
            "<opml>\(folders)<outline xmlUrl='https://a.example/'/>\(closed)<outline xmlUrl='https://b.example/'/></opml>"
        )
        #expect(list.feeds.map(\.folders) == [(1...16).map { "\($0)" }, []])
        let path = "/" + (1...40).map { "\($0)" }.joined(separator: "/")
        let feed = try read("<opml><outline xmlUrl='https://a.example/' category='\(path)'/></opml>").feeds
            .first
        #expect(feed?.folders.count == 16)
        let many = (1...40).map { "/\($0)" }.joined(separator: ",")
        let sorted = try read("<opml><outline xmlUrl='https://a.example/' category='\(many)'/></opml>").feeds
        #expect(sorted.first?.places.count == 16)
    }
}
