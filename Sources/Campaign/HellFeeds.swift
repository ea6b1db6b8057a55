import Foundation
import TestServer

typealias HellFeed = (name: String, serve: @Sendable (DummyServer, Home) throws -> Void)

/// What nobody should have to read.
let hellFeeds: [HellFeed] =
    documents.map { name, text in
        (name, { server, _ in server.serve("/feed.xml", .text(text(), type: "application/rss+xml")) })
    } + servers

private func rss(_ content: String, doctype: String = "", attributes: String = "") -> String {
    "<?xml version=\"1.0\"?>\(doctype)<rss version=\"2.0\"\(attributes)><channel><title>Hell</title>\(content)</channel></rss>"
}

private func item(_ title: String, guid: String = "1", url: String = "/media.mp3", more: String = "")
    -> String
{
    "<item><title>\(title)</title><guid>\(guid)</guid><enclosure url=\"\(url)\" type=\"audio/mpeg\"/>\(more)</item>"
}

private func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

private let documents: [(String, @Sendable () -> String)] = [
    (
        "a billion laughs",
        {
            let entities = (1...9).map { level in
                "<!ENTITY l\(level) \"\(times(10, "&l\(level - 1);"))\">"
            }
            return rss(item("&l9;"), doctype: "<!DOCTYPE rss [<!ENTITY l0 \"lol\">\(entities.joined())]>")
        }
    ),
    (
        "a quadratic entity",
        {
            rss(
                item(times(50_000, "&a;")),
                doctype: "<!DOCTYPE rss [<!ENTITY a \"\(times(50_000, "a"))\">]>")
        }
    ),
    ("an item in an item in an item", { rss(times(100_000, "<item>") + item("heron")) }),
    ("elements 100,000 deep", { rss(times(100_000, "<a>") + item("heron") + times(100_000, "</a>")) }),
    ("5,000 categories an item", { rss(item("heron", more: times(5_000, "<category>x</category>"))) }),
    (
        "10 MB of attributes",
        { rss(item("heron", more: "<a " + (0..<500_000).map { "b\($0)='cccccccc' " }.joined() + "/>")) }
    ),
    ("one attribute of 10 MB", { rss(item("heron", more: "<a b='" + times(10_000_000, "c") + "'/>")) }),
    ("a title of 4 MB", { rss(item(times(4_000_000, "t"))) }),
    (
        "notes of 8 MB of open tags",
        {
            rss(
                item(
                    "heron",
                    more: "<description><![CDATA[" + times(1_000_000, "<b><i>x ") + "]]></description>"))
        }
    ),
    (
        "20,000 items without a guid",
        { rss((0..<20_000).map { "<item><title>\($0)</title></item>" }.joined()) }
    ),
    (
        "20,000 items with one guid",
        { rss((0..<20_000).map { item("Part \($0)", url: "/\($0).mp3") }.joined()) }
    ),
    ("300,000 empty items", { rss(times(300_000, "<item/>")) }),
    (
        "50,000 enclosures in one item",
        {
            rss(
                item(
                    "heron",
                    more: (0..<50_000).map { "<enclosure url='/\($0).mp3' type='audio/mpeg'/>" }.joined()))
        }
    ),
    ("a comment that never ends", { rss(item("heron") + "<!-- " + times(10_000_000, "-")) }),
    (
        "a section that never ends",
        { rss(item("heron", more: "<description><![CDATA[" + times(10_000_000, "]"))) }
    ),
    (
        "titles that steer a terminal",
        {
            rss(
                item(
                    "\u{1B}]0;owned\u{7}\u{1B}[2J&#27;[31mred&#x9b;31m\u{9B}2J\r\u{8}\u{8}", guid: "\u{1B}[1m"
                )
                    + "<description>\u{1B}]52;c;aGk=\u{7}</description><link>http://x/\u{1B}[5m</link>")
        }
    ),
    (
        "titles that are paths",
        {
            rss(
                [
                    "../../../../tmp/x", "/etc/passwd", "..", ".", "-rf", "~", "NUL.mp3", "a/b\\c",
                    times(5_000, "é"), "CON", " ", "\u{202E}3pm.exe",
                ]
                .enumerated().map { item($1, guid: "\($0)", url: "/media.mp3?\($0)") }.joined())
        }
    ),
    (
        "a show that is a path",
        { rss(item("heron")).replacing("<title>Hell</title>", with: "<title>../../../secret.txt</title>") }
    ),
    (
        "addresses that are none",
        {
            rss(
                [
                    "javascript:alert(1)", "data:audio/mpeg;base64,AAAA", "gopher://127.0.0.1:1/x", "http://",
                    "http://[::1", "//", "?", "http://127.0.0.1:99999/x", "http://a b/\n\nX: y",
                    "ftp://127.0.0.1/x", "http://\u{0}/",
                ]
                .enumerated().map { item("Part \($0)", guid: "\($0)", url: $1) }.joined())
        }
    ),
    (
        "dates and numbers beyond all bounds",
        {
            rss(
                [
                    "Mon, 99 Foo 999999999 99:99:99 +9999", times(100_000, "9"), "9999-12-31T23:59:59Z", "-1",
                    "0001-01-01",
                ]
                .enumerated().map {
                    item(
                        "Part \($0)", guid: "\($0)",
                        more:
                            "<pubDate>\($1)</pubDate><itunes:duration>\($1)</itunes:duration><itunes:episode>\($1)</itunes:episode>"
                    )
                }.joined(), attributes: " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"")
        }
    ),
    ("JSON 100,000 deep", { times(100_000, "[") + times(100_000, "]") }),
    (
        "JSON with a list in each item 10,000 deep",
        { "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": " + times(10_000, "[{\"a\":") }
    ),
    (
        "JSON with a number of 5 MB",
        {
            "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": 1\(times(5_000_000, "0"))}]}"
        }
    ),
    ("nothing", { "" }),
    ("10 MB of blanks", { times(10_000_000, " ") }),
    ("10 MB of less-than signs", { times(10_000_000, "<") }),
    (
        "10 MB of ampersands",
        { rss(item("heron", more: "<description>" + times(10_000_000, "&") + "</description>")) }
    ),
    (
        "a page that offers itself",
        { "<html><link rel=alternate type='application/rss+xml' href='/feed.xml'></html>" }
    ),
    (
        "a feed that moves to itself",
        { rss("<itunes:new-feed-url>/feed.xml</itunes:new-feed-url>" + item("heron")) }
    ),
]

private let servers: [HellFeed] = [
    (
        "an entity that is a file",
        { server, home in
            server.serve(
                "/feed.xml",
                .text(
                    rss(
                        item("&f;"),
                        doctype: "<!DOCTYPE rss [<!ENTITY f SYSTEM \"file://\(home.path)/secret.txt\">]>")))
        }
    ),
    (
        "enclosures and pictures that are files",
        { server, home in
            server.serve(
                "/feed.xml",
                .text(
                    rss(
                        "<image><url>file://\(home.path)/secret.txt</url></image>"
                            + item("heron", url: "file://\(home.path)/secret.txt"))))
        }
    ),
    (
        "a redirect to a file",
        { server, home in
            server.serve("/feed.xml", .text(rss(item("heron"))))
            server.serve("/media.mp3", .redirect(to: "file://\(home.path)/secret.txt"))
        }
    ),
    (
        "redirects in a ring",
        { server, _ in
            server.serve("/feed.xml", .redirect(301, to: "/b"))
            server.serve("/b", .redirect(301, to: "/feed.xml"))
        }
    ),
    (
        "media that redirect in a ring",
        { server, _ in
            server.serve("/feed.xml", .text(rss(item("heron"))))
            server.serve("/media.mp3", .redirect(to: "/media.mp3"))
        }
    ),
    (
        "a bomb of zeros in gzip",
        { server, _ in
            let bomb = try gzip(ofZeros: 400_000_000)
            server.serve(
                "/feed.xml",
                Reply.bytes(bomb, type: "application/rss+xml").with {
                    $0.headers = [("Content-Encoding", "gzip")]
                })
        }
    ),
    (
        "a bomb of zeros in an archive",
        { server, _ in
            server.serve("/feed.xml", .bytes(try gzip(ofZeros: 400_000_000), type: "application/gzip"))
        }
    ),
    (
        "a feed of 300 MB",
        { server, _ in
            server.serve(
                "/feed.xml", Reply.pattern(300_000_000).with { $0.contentType = "application/rss+xml" })
        }
    ),
    (
        "a length that no disk has",
        { server, _ in
            server.serve("/feed.xml", .text(rss(item("heron"))))
            server.serve("/media.mp3", Reply.pattern(20_000).with { $0.framing = .claimedLength(.max) })
        }
    ),
    (
        "a body that is shorter than it says, each time",
        { server, _ in
            server.serve(
                "/feed.xml", Reply.text(rss(item("heron"))).with { $0.framing = .claimedLength(100_000) })
        }
    ),
    (
        "a head of 1 MB",
        { server, _ in
            server.serve(
                "/feed.xml",
                Reply.text(rss(item("heron"))).with { $0.headers = [("X-Long", times(1_000_000, "x"))] })
        }
    ),
    (
        "heads that steer a terminal and break lines",
        { server, _ in
            server.serve(
                "/feed.xml",
                Reply.text(rss(item("heron"))).with {
                    $0.headers = [
                        ("ETag", "\"\u{1B}[31m\""),
                        ("Content-Disposition", "attachment; filename=\"../../x\u{1B}.sh\""),
                    ]
                })
            server.serve(
                "/media.mp3",
                Reply.pattern(20_000).with {
                    $0.headers = [("Content-Disposition", "attachment; filename=\"../../x.sh\"")]
                })
        }
    ),
    (
        "a web page where the media should be",
        { server, _ in
            server.serve("/feed.xml", .text(rss(item("heron"))))
            server.serve(
                "/media.mp3", .text("<!DOCTYPE html><html>\u{1B}[2Jlog in</html>", type: "audio/mpeg"))
        }
    ),
]

/// Zeros, compressed by the system's gzip.
private func gzip(ofZeros count: Int) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -9"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(bytes)
}
