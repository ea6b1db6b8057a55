import EpisodeStore
import FeedParser
import Testing

@testable import Aggregator

@Suite struct FeedPagesTests {
    private func page(_ guids: ClosedRange<Int>?, next: String?) -> FetchedFeed {
        var feed = Feed()
        feed.nextPageURL = next
        let episodes = guids.map { $0.map { IncomingEpisode(guid: "\($0)") } } ?? []
        return FetchedFeed(feed: feed, episodes: episodes, hasMorePages: next != nil)
    }

    private func url(_ number: Int) -> String { "https://a.example/feed?page=\(number)" }

    @Test func `pages are joined until one names no next`() {
        var pages = FeedPages(page(1...2, next: url(2)), at: [url(1)])
        #expect(pages.nextURL == url(2))
        pages.add(page(2...4, next: url(3)))
        #expect(pages.nextURL == url(3))
        pages.add(page(5...5, next: nil))
        #expect(pages.nextURL == nil)
        #expect(pages.feed.episodes.map(\.guid) == ["1", "2", "3", "4", "5"])
        #expect(!pages.feed.hasMorePages)
    }

    @Test func `a page that names one that was read is the last`() {
        var pages = FeedPages(page(1...2, next: url(2)), at: ["https://a.example/feed", url(1)])
        pages.add(page(3...4, next: "https://A.example/feed?page=1#top"))
        #expect(pages.nextURL == nil)
        #expect(!pages.feed.hasMorePages)
        #expect(FeedPages(page(1...2, next: url(1)), at: [url(1)]).nextURL == nil)
    }

    @Test func `a page that is empty or brings nothing new is the last`() {
        for guids in [nil, 1...2] {
            var pages = FeedPages(page(1...2, next: url(2)), at: [url(1)])
            pages.add(page(guids, next: url(3)))
            #expect(pages.nextURL == nil)
            #expect(!pages.feed.hasMorePages)
        }
    }

    @Test func `pages without end are bounded, and what was not read has not left the feed`() {
        var pages = FeedPages(
            page(0...0, next: url(1)), at: [url(0)], limits: PageLimits(pageCount: 10, episodeCount: 1000))
        var number = 0
        while pages.nextURL != nil {
            number += 1
            pages.add(page(number...number, next: url(number + 1)))
        }
        #expect(pages.pageCount == 10)
        #expect(pages.feed.hasMorePages)

        pages = FeedPages(
            page(1...1000, next: url(1)), at: [url(0)], limits: PageLimits(pageCount: 10, episodeCount: 1000))
        #expect(pages.nextURL == nil)
        #expect(pages.feed.hasMorePages)
    }
}
