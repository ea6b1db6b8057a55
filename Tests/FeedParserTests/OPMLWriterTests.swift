import Foundation
import Testing

@testable import FeedParser

@Suite struct OPMLWriterTests {
    private func written(_ feeds: OPMLFeed..., title: String? = nil) -> String {
        String(decoding: writeOPML(OPMLDocument(title: title, feeds: feeds)), as: UTF8.self)
    }

    @Test func `feeds stand in their folders`() {
        let text = written(
            OPMLFeed(url: "https://a.example/", title: "A", folders: ["News", "Local"]),
            OPMLFeed(url: "https://b.example/"),
            OPMLFeed(
                url: "https://c.example/", title: "C", website: "https://c.example/home", folders: ["News"]),
            title: "Mine")
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- Written by podget -->
                <opml version="2.0">
                  <head>
                    <title>Mine</title>
                  </head>
                  <body>
                    <outline text="News">
                      <outline text="Local">
                        <outline type="rss" text="A" title="A" xmlUrl="https://a.example/" category="/News/Local"/>
                      </outline>
                      <outline type="rss" text="C" title="C" xmlUrl="https://c.example/" \
                htmlUrl="https://c.example/home" category="/News"/>
                    </outline>
                    <outline type="rss" text="https://b.example/" xmlUrl="https://b.example/"/>
                  </body>
                </opml>

                """)
    }

    @Test func `everything that XML forbids is escaped or blank`() {
        let text = written(OPMLFeed(url: "https://a.example/?b=1&c='2'", title: "<\"Q\"\u{1B}[2J\n&\u{0}>"))
        #expect(text.contains(#"text="&lt;&quot;Q&quot; [2J &amp; &gt;""#))
        #expect(text.contains(#"xmlUrl="https://a.example/?b=1&amp;c='2'""#))
    }

    @Test func `a folder that would part a category is in none`() {
        #expect(!written(OPMLFeed(url: "https://a.example/", folders: ["AC/DC"])).contains("category"))
        #expect(!written(OPMLFeed(url: "https://a.example/", folders: ["Arts, Music"])).contains("category"))
    }

    @Test func `what was written is read again`() throws {
        let document = OPMLDocument(
            title: "Mine & hers",
            feeds: [
                OPMLFeed(
                    url: "https://a.example/?x=1&y=%3A", title: "Tea \"&\" trains < ships",
                    folders: ["AC/DC", "ü"]),
                OPMLFeed(
                    url: "https://c.example/", title: "C", website: "https://c.example/home",
                    folders: ["AC/DC"]),
                OPMLFeed(url: "https://b.example/"),
                OPMLFeed(
                    url: "https://d.example/", title: "D", folders: ["News", "Local"],
                    otherFolders: [["Favourites"], ["Arts", "Music"]]),
                OPMLFeed(url: "file:///music/feed.xml", title: "雨", folders: ["News"]),
            ])
        #expect(try readOPML(writeOPML(document)) == document)
        #expect(try readOPML(writeOPML(OPMLDocument())) == OPMLDocument())
    }

    @Test func `five thousand feeds in folders are read again`() throws {
        let feeds = (0..<5000).map {
            OPMLFeed(
                url: "https://a.example/\($0)", title: "\($0)", folders: ["\($0 / 1000)", "\($0 / 100)"])
        }
        #expect(try readOPML(writeOPML(OPMLDocument(feeds: feeds))).feeds == feeds)
    }
}
