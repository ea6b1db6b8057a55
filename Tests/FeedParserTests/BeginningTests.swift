import Testing

@testable import FeedParser

/// What stands before a feed, and what is no feed at all.
@Suite struct BeginningTests {
    private static let rss = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>"
    private static let json = #"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": []}"#

    @Test(arguments: [
        ReadingCase("nothing", rss),
        ReadingCase("a mark", "\u{FEFF}" + rss),
        ReadingCase("two marks", "\u{FEFF}\u{FEFF}<?xml version=\"1.0\"?>" + rss),
        ReadingCase("blank lines and a declaration", "\n\n<?xml version=\"1.0\" encoding=\"utf-8\"?>" + rss),
        ReadingCase("a warning of the server's", "<br />\n<b>Warning</b>: x in y.php\n" + rss),
        ReadingCase("a style sheet", "<?xml version=\"1.0\"?><?xml-stylesheet href=\"/x.xsl\"?>" + rss),
        ReadingCase("JSON", json),
        ReadingCase("JSON after a mark and blanks", "\u{FEFF}\n " + json),
    ])
    func `a feed is found behind what stands before it`(_ test: ReadingCase) throws {
        for contentType in [nil, "application/json", "text/xml", "text/html; charset=utf-8"] {
            let feed = try FeedReader.parse(Array(test.text.utf8), contentType: contentType)
            #expect(feed.title == "T", "content type \(contentType ?? "none")")
        }
    }

    @Test(arguments: [
        RefusedDocument("nothing", "", .empty),
        RefusedDocument("blanks", "\u{FEFF} \n", .empty),
        RefusedDocument("words", "Service unavailable", .noFeedRoot),
        RefusedDocument("another kind of XML", "<svg xmlns='http://www.w3.org/2000/svg'/>", .noFeedRoot),
        RefusedDocument("a login page", "<!DOCTYPE html><html><body><form>Wi-Fi</form>", .webPage(feeds: [])),
        RefusedDocument(
            "a page without its root", "<head><title>Sign in</title></head>", .webPage(feeds: [])),
        RefusedDocument(
            "an XHTML page", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>",
            .webPage(feeds: [])),
        RefusedDocument("half of a JSON document", #"{"items": [{"id": "#, .malformedJSON),
    ])
    func `what is no feed is refused by name`(_ test: RefusedDocument) {
        #expect(throws: test.error) { try FeedReader.parse(Array(test.text.utf8)) }
    }

    @Test func `a web page names its feeds`() {
        let page = """
            <html><head><link rel="alternate" type="application/rss+xml" title="Show" href="/feed.xml">
            <link rel="stylesheet" href="/x.css"></head></html>
            """
        let offer = DiscoveredFeed(
            url: "https://a.example/feed.xml", title: "Show", type: "application/rss+xml")
        #expect(throws: FeedError.webPage(feeds: [offer])) {
            try FeedReader.parse(Array(page.utf8), baseURL: "https://a.example/show")
        }
    }

    @Test func `a document that is cut keeps what it has`() throws {
        let text =
            "<rss><channel><title>T</title><item><title>1</title></item><item><title>2</title>"
            + "<description><![CDATA[half of"
        let feed = try FeedReader.parse(Array(text.utf8))
        #expect(feed.episodes.map(\.title) == ["1", "2"])
        #expect(feed.episodes.last?.summary == "half of")
        #expect(feed.isTruncated)
        #expect(feed.isLastEpisodeCut)
        #expect(feed.diagnostics.map(\.code) == [.truncated])
    }
}
