import Testing

@testable import FeedParser

/// Input that is built to be slow: each took minutes, or would, in time that grows with the square of its size.
@Suite(.timeLimit(.minutes(1)))
struct HostileInputTests {
    @Test(arguments: ["& ", "< ", "&x; ", "\u{1}", "</x>", "<x ", "<![CDATA[", "&#0;"])
    func `half a megabyte of one fault in one line are read in linear time`(_ fault: String) throws {
        let faults = String(repeating: fault, count: 500_000 / fault.utf8.count)
        let text = "<rss><channel><title>T</title><item><title>Tea \(faults)</title></item></channel></rss>"
        let feed = try FeedReader.parse(Array(text.utf8))
        #expect(feed.title == "T")
        #expect(feed.diagnostics.count <= ParserLimits().diagnosticCount)
    }

    @Test func `items beyond the limit cost next to nothing`() throws {
        var limits = ParserLimits()
        limits.episodeCount = 3
        let items = String(repeating: "<item><title>x</title></item>", count: 100)
        let feed = try FeedReader.parse(Array("<rss><channel>\(items)</channel></rss>".utf8), limits: limits)
        #expect(feed.episodes.count == 3)
        #expect(feed.diagnostics.map(\.code) == [.tooManyEpisodes])
    }
}
