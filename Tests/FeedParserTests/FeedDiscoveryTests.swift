import Foundation
import Testing

@testable import FeedParser

@Suite struct FeedDiscoveryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        let feeds: [DiscoveredFeed]

        init(_ name: String, _ html: String, _ feeds: [DiscoveredFeed]) {
            testDescription = name
            self.html = html
            self.feeds = feeds
        }
    }

    private static let rss = "application/rss+xml"

    @Test(arguments: [
        Case(
            "two feeds in order",
            """
            <!doctype html><html><head><title>Tea</title>
            <link rel="alternate" type="application/rss+xml" title="Tea &amp; toast" href="/tea.xml">
            <link rel=alternate type=application/atom+xml href="notes.atom">
            </head><body>x</body></html>
            """,
            [
                DiscoveredFeed(url: "https://tea.example/tea.xml", title: "Tea & toast", type: rss),
                DiscoveredFeed(url: "https://tea.example/blog/notes.atom", type: "application/atom+xml"),
            ]),
        Case(
            "a base",
            "<base href='https://cdn.example/x/'><link rel=alternate type=application/rss+xml href=a.xml>",
            [DiscoveredFeed(url: "https://cdn.example/x/a.xml", type: rss)]),
        Case(
            "capitals and parameters",
            "<LINK REL='Alternate Home' TYPE='Application/RSS+XML; charset=utf-8' HREF='//b.example/f'>",
            [DiscoveredFeed(url: "https://b.example/f", type: rss)]),
        Case(
            "the same feed twice",
            String(repeating: "<link rel=alternate type=application/rss+xml href=a>", count: 2),
            [DiscoveredFeed(url: "https://tea.example/blog/a", type: rss)]),
        Case(
            "JSON feeds",
            """
            <link rel=alternate type=application/feed+json href=a>
            <link rel=alternate type=application/json href=feed.json>
            <link rel=alternate type=application/json href=/api/pages/2>
            """,
            [
                DiscoveredFeed(url: "https://tea.example/blog/a", type: "application/feed+json"),
                DiscoveredFeed(url: "https://tea.example/blog/feed.json", type: "application/json"),
            ]),
        Case(
            "links that are no feeds",
            """
            <link rel=stylesheet type=text/css href=a.css><link rel=alternate hreflang=de href=/de>
            <link rel=icon type=image/png href=i.png><link rel=alternate type=application/rss+xml>
            <!-- <link rel=alternate type=application/rss+xml href=no> -->
            <a rel=alternate type=application/rss+xml href=no>feed</a>
            """, []),
        Case(
            "a link in the body", "<body><p>Text<link rel=feed href=f>",
            [DiscoveredFeed(url: "https://tea.example/blog/f")]),
        Case("no page at all", "", []),
    ])
    func `a page's links name its feeds`(_ test: Case) {
        let feeds = discoverFeeds(inHTML: Data(test.html.utf8), baseURL: "https://tea.example/blog/")
        #expect(feeds == test.feeds)
    }

    @Test func `a title is read in the page's own encoding`() {
        let head = "<meta charset=iso-8859-1><link rel=alternate type=application/rss+xml href=a title='K"
        let page = Data(head.utf8) + [0xE4] + Data("se'>".utf8)
        #expect(discoverFeeds(inHTML: page, baseURL: nil).map(\.title) == ["Käse"])
    }
}
