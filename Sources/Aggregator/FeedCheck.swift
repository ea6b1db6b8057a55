import Downloader
import EpisodeStore
import FeedParser
import FoundationEssentials

/// How the check of one feed ended.
enum FeedCheck: Sendable {
    case refreshed(new: Int)

    /// Nothing new; to be stored together with others.
    case unchanged(UnchangedFeed)
    case failed(FetchFailure)
    case interrupted

    /// The disk is full; that is told already.
    case notStored

    /// The user wants no network.
    case offline
}

/// What became of a document that was just fetched.
struct StoredAnswer: Sendable {
    let outcome: RefreshOutcome
    let isTruncated: Bool

    /// Whether there are older pages that nobody asked to read.
    let hasMorePages: Bool
}

extension Aggregator {
    /// Asks one feed and stores what is new; only an error of the store itself is thrown.
    func check(
        _ feed: FeedRecord, _ options: RefreshOptions, loop: TransferLoop, report: SyncReport
    ) async throws(AggregatorError) -> FeedCheck {
        let isFull = options.readsAllPages || isFullFetchDue(last: feed.lastFullFetch, now: now())
        let result: FetchResult
        do {
            result = try await loop.fetchFeed(
                FeedSource(storedURL: feed.url), validators: isFull ? nil : feed.validators,
                userAgent: feed.settings.userAgent, isOffline: isOffline)
        } catch {
            if Task.isCancelled { return .interrupted }
            guard isOffline else { return .failed(error) }
            // The user's wish is no fault of the feed.
            report(.note(error.error.description))
            return .offline
        }
        switch result {
        case .unchanged(let head):
            // A validator that matched proves that the other address holds the same feed.
            try await move(feed, to: movedAddress(from: feed.url, to: head?.permanentURL), report)
            report(.feedRefreshed(FeedReference(feed), new: 0, total: feed.episodeCount))
            return .unchanged(
                UnchangedFeed(
                    feed.id, checked: now(), validators: feed.validators.updated(by: head),
                    maxAge: head?.freshness))
        case .feed(let fetched, let head):
            let answer = try await store(fetched, head, of: feed, options, loop: loop, report: report)
            let new = answer.outcome.newEpisodes.count
            // By the title that it has now.
            let known = answer.outcome.feed ?? feed
            report(.feedRefreshed(FeedReference(known), new: new, total: known.episodeCount))
            if answer.isTruncated { report(.note("\(known.title): \(cutOffWords)")) }
            if answer.outcome.isRewrittenCatalogue {
                report(
                    .note(
                        "\(feed.title): the feed renamed most of its episodes at once; nothing of this refresh is "
                            + "downloaded by itself"))
            }
            return .refreshed(new: new)
        }
    }

    /// Stores a document, after following where the feed has gone and, if wanted, reading its older pages.
    func store(
        _ fetched: FetchedFeed, _ head: ResponseHead?, of feed: FeedRecord, _ options: RefreshOptions,
        loop: TransferLoop, report: SyncReport
    ) async throws(AggregatorError) -> StoredAnswer {
        var fetched = fetched
        var head = head
        var address = movedAddress(from: feed.url, to: head?.permanentURL)
        if let announced = try await fetchAnnounced(by: fetched, of: feed, loop: loop) {
            (address, fetched, head) = (announced.url, announced.feed, announced.head)
        }
        if options.readsAllPages {
            let urls = [feed.url, address, head?.finalURL].compactMap(\.self)
            let pages = await loop.fetchPages(after: fetched, at: urls, of: feed, isOffline: isOffline)
            fetched = pages.feed
            if let failure = pages.failure {
                report(.note("\(feed.title): not all older pages could be read: \(failure.error)"))
            } else if fetched.hasMorePages {
                report(
                    .note(
                        "\(feed.title): there are still older pages than those that were read "
                            + "(\(fetched.episodes.count) episodes); they are left out"))
            }
        }
        try await move(feed, to: address, report)
        let now = now()
        var incoming = IncomingFeed(fetched, head)
        incoming.hasOlderPages = options.readsAllPages
        let dates = fetched.episodes.compactMap(\.published)
        incoming.schedule.publicationGap = publicationGap(dates, now: now)
        incoming.schedule.lastPublished = dates.filter { $0 <= now }.max()
        let next = scheduleNextCheck(of: feed.id, hints: incoming.schedule, after: .answered, now: now)
        let document = incoming
        let outcome = try await stored { library, now throws(StoreError) in
            try await library.recordRefresh(of: feed.id, document, nextCheck: next, now: now)
        }
        return StoredAnswer(
            outcome: outcome, isTruncated: fetched.feed.isTruncated,
            hasMorePages: fetched.hasMorePages && !options.readsAllPages)
    }

    /// Gives a feed its new address, unless another feed has it.
    private func move(
        _ feed: FeedRecord, to address: String?, _ report: SyncReport
    ) async throws(AggregatorError) {
        guard let address else { return }
        do {
            try await library.moveFeed(feed.id, to: address, now: now())
            report(.note("\(feed.title) has moved to \(shownAddress(address))"))
        } catch .addressTaken {
            // Both subscriptions are the user's; which one goes is not ours to say.
            return
        } catch {
            throw .store(reason: error.description)
        }
    }

    /// Fetches the feed at the address that `itunes:new-feed-url` names; nil where the feed is to stay.
    ///
    /// One step at a time: where that document names yet another address, the next refresh follows. What leads back,
    /// belongs to another feed or has lost all episodes is not followed at all.
    private func fetchAnnounced(
        by fetched: FetchedFeed, of feed: FeedRecord, loop: TransferLoop
    ) async throws(AggregatorError) -> (url: String, feed: FetchedFeed, head: ResponseHead?)? {
        guard let url = announcedAddress(fetched.feed.newFeedURL, of: feed.url, former: feed.formerURLs),
            try await isFree(url, for: feed),
            case .feed(let successor, let head)? = try? await loop.fetchFeed(
                .remote(url: url), userAgent: feed.settings.userAgent, isOffline: isOffline),
            fetched.episodes.isEmpty || !successor.episodes.isEmpty
        else { return nil }
        let settled = movedAddress(from: url, to: head?.permanentURL) ?? url
        let ways = ([feed.url] + feed.formerURLs).map { FeedAddress($0) }
        guard !ways.contains(FeedAddress(settled)), try await isFree(settled, for: feed) else { return nil }
        if let next = successor.feed.newFeedURL, ways.contains(FeedAddress(next)) { return nil }
        return (settled, successor, head)
    }

    private func isFree(_ url: String, for feed: FeedRecord) async throws(AggregatorError) -> Bool {
        let owner = try await stored { library, _ throws(StoreError) in try await library.feed(at: url) }
        return owner == nil || owner?.id == feed.id
    }
}

extension FeedValidators {
    /// The validators after an answer without news, which may carry new ones (RFC 9110 §15.4.5).
    fileprivate func updated(by head: ResponseHead?) -> FeedValidators {
        FeedValidators(
            etag: head?.etag ?? etag, lastModified: head?.lastModified ?? lastModified, bodyHash: bodyHash)
    }
}
