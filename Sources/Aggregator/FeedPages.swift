import Downloader
import EpisodeStore
import FeedParser

/// How far the older pages of a feed are read.
struct PageLimits: Equatable, Sendable {
    var pageCount = 500
    var episodeCount = 100_000
}

/// Joins the pages of a feed (RFC 5005 §3, JSON Feed `next_url`), the newest episodes first.
///
/// The end comes with a page that names no next one, that names one that was read, or that brings nothing new: then
/// a server gives the same page under ever other addresses.
struct FeedPages {
    private(set) var feed: FetchedFeed
    private(set) var pageCount = 1
    private var addresses: [FeedAddress]
    private var seen: Set<String>
    private let limits: PageLimits

    /// The page to read next; nil at the end.
    private(set) var nextURL: String?

    /// Begins with the first page, which was read at one of these addresses.
    init(_ first: FetchedFeed, at urls: [String], limits: PageLimits = PageLimits()) {
        feed = first
        addresses = urls.map { FeedAddress($0) }
        seen = Set(first.episodes.compactMap(\.pageKey))
        self.limits = limits
        goOn(to: first.feed.nextPageURL)
    }

    mutating func add(_ page: FetchedFeed) {
        pageCount += 1
        // An episode that moved to the next page while the pages were read stands on both.
        let new = page.episodes.filter { episode in episode.pageKey.map { seen.insert($0).inserted } ?? true }
        feed.episodes += new
        feed.feed.isTruncated = feed.feed.isTruncated || page.feed.isTruncated
        goOn(to: new.isEmpty ? nil : page.feed.nextPageURL)
    }

    private mutating func goOn(to url: String?) {
        nextURL = nil
        feed.hasMorePages = false
        guard let url, !addresses.contains(FeedAddress(url)) else { return }
        // What is left out has not left the feed.
        feed.hasMorePages = true
        guard pageCount < limits.pageCount, feed.episodes.count < limits.episodeCount else { return }
        addresses.append(FeedAddress(url))
        nextURL = url
    }
}

extension IncomingEpisode {
    /// What tells an episode from those of other pages.
    fileprivate var pageKey: String? { guid ?? enclosures.first?.url ?? link ?? title }
}

extension TransferLoop {
    /// Reads all further pages of a feed; a page that fails ends it, and what was read before is kept.
    func fetchPages(
        after first: FetchedFeed, at urls: [String], of feed: FeedRecord, isOffline: Bool
    ) async -> (feed: FetchedFeed, failure: FetchFailure?) {
        var pages = FeedPages(first, at: urls)
        while let url = pages.nextURL, !Task.isCancelled {
            do {
                let source = FeedSource.remote(url: withCredentials(of: feed.url, url))
                let result = try await fetchFeed(
                    source, userAgent: feed.settings.userAgent, isOffline: isOffline)
                guard case .feed(let page, _) = result else { break }
                pages.add(page)
            } catch {
                return (pages.feed, error)
            }
        }
        return (pages.feed, nil)
    }
}
