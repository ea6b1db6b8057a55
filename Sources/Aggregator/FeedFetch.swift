import Downloader
import EpisodeStore
import FeedParser
import FoundationEssentials

/// A feed as it was just read, its episodes in the store's terms.
struct FetchedFeed: Sendable {
    /// Everything but the episodes.
    var feed: Feed
    var episodes: [IncomingEpisode]
    var bodyHash: String?

    /// Whether the feed has older pages that were not read.
    var hasMorePages = false
}

/// What asking for a feed came to.
enum FetchResult: Sendable {
    /// A 304, or the very body that is known already; `head` is nil for a local file.
    case unchanged(head: ResponseHead?)

    /// `head` is nil for a local file.
    case feed(FetchedFeed, head: ResponseHead?)
}

/// Feeds a parser with the body of a response, on the thread where the bytes arrive.
struct FeedReceiver: BodyReceiver {
    private let reader: FeedReader
    private let collected: Collected
    private var hash = BodyHash()

    private final class Collected {
        var episodes: [IncomingEpisode] = []
    }

    init(baseURL: String, contentType: String?) {
        let collected = Collected()
        reader = FeedReader(baseURL: baseURL, contentType: contentType) { episode in
            collected.episodes.append(IncomingEpisode(episode))
        }
        self.collected = collected
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws {
        hash.add(bytes)
        try reader.feed(bytes)
    }

    mutating func finish() throws -> FetchedFeed {
        let feed = try reader.finish()
        // Half an episode may have half a guid; the next whole document brings it.
        let episodes = feed.isLastEpisodeCut ? collected.episodes.dropLast() : collected.episodes[...]
        return FetchedFeed(
            feed: feed, episodes: Array(episodes), bodyHash: hash.text,
            hasMorePages: feed.nextPageURL != nil)
    }
}

/// What a request for a feed says it understands, the preferred first.
let feedAcceptHeader =
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, "
    + "application/json;q=0.8, text/xml;q=0.8, */*;q=0.1"

/// Why a feed could not be read: for the message, and for the store's bookkeeping.
struct FetchFailure: Error {
    var error: AggregatorError
    let kind: FeedFailureKind

    /// What it tells of the host; nil where the host gave no answer but may be there.
    var host: RefreshQueue.Ending? = .answered

    /// The pause that the server asked for.
    var retryAfter: Duration?
}

extension TransferLoop {
    /// Gets a feed, from the network or from a file.
    func fetchFeed(
        _ source: FeedSource, validators: FeedValidators? = nil, userAgent: String? = nil, isOffline: Bool
    ) async throws(FetchFailure) -> FetchResult {
        switch source {
        case .file(let path):
            return FetchResult(try readFeedFile(path), head: nil, known: validators)
        case .remote(let url):
            let address = AddressWithCredentials(url)
            guard !isOffline else {
                throw FetchFailure(error: .offline(address.shown), kind: .offline)
            }
            return try await fetchRemote(address, validators: validators, userAgent: userAgent)
        }
    }

    private func fetchRemote(
        _ address: AddressWithCredentials, validators: FeedValidators?, userAgent: String?
    ) async throws(FetchFailure) -> FetchResult {
        var request = DocumentRequest(url: address.url)
        request.credentials = address.credentials
        request.etag = validators?.etag
        request.lastModified = validators?.lastModified
        request.userAgent = userAgent
        request.acceptHeader = feedAcceptHeader
        let document: Document<FetchedFeed>
        do {
            document = try await fetch(request) { head in
                FeedReceiver(baseURL: head.finalURL, contentType: head.contentType)
            }
        } catch {
            throw FetchFailure(error, shown: address.shown)
        }
        guard let fetched = document.output else { return .unchanged(head: document.head) }
        return FetchResult(fetched, head: document.head, known: validators)
    }
}

extension FetchResult {
    /// Compares a document with the one before it.
    fileprivate init(_ fetched: FetchedFeed, head: ResponseHead?, known: FeedValidators?) {
        let isKnown = known?.bodyHash != nil && known?.bodyHash == fetched.bodyHash
        self = isKnown ? .unchanged(head: head) : .feed(fetched, head: head)
    }
}

/// Reads a feed from a local file, in pieces.
private func readFeedFile(_ path: String) throws(FetchFailure) -> FetchedFeed {
    var receiver = FeedReceiver(baseURL: fileURL(path), contentType: nil)
    do {
        try readFile(path) { try receiver.receive($0) }
        return try receiver.finish()
    } catch let error as FeedError {
        throw FetchFailure(error: AggregatorError(error, source: path), kind: .notAFeed)
    } catch let error as AggregatorError {
        throw FetchFailure(error: error, kind: .unreachable)
    } catch {
        throw FetchFailure(error: .notAFeed(path, reason: "\(error)"), kind: .notAFeed)
    }
}

extension FetchFailure {
    /// Sorts a transfer's failure by what it says of the feed.
    init(_ error: TransferError, shown: String) {
        switch error {
        case .receiver(let inner as FeedError):
            self.init(error: AggregatorError(inner, source: shown), kind: .notAFeed)
        case .status(let head):
            self.init(
                error: .unreachable(shown, reason: error.description),
                kind: head.status == 410 ? .gone : .http)
            retryAfter = head.retryAfter
            if head.status == 429 || head.status == 503 && retryAfter != nil {
                host = .asksForPause(retryAfter)
            }
        case .unreachable:
            self.init(
                error: .unreachable(shown, reason: error.description), kind: .unreachable, host: .away)
        case .timedOut, .connectionLost:
            self.init(error: .unreachable(shown, reason: error.description), kind: .unreachable, host: nil)
        case .cancelled:
            self.init(error: .unreachable(shown, reason: "interrupted"), kind: .offline)
        default:
            self.init(error: .unreachable(shown, reason: error.description), kind: .unreachable)
        }
    }
}

extension AggregatorError {
    init(_ error: FeedError, source: String) {
        if case .webPage(let feeds) = error {
            self = .webPage(source, feeds: feeds.map(\.url))
        } else {
            self = .notAFeed(source, reason: error.description)
        }
    }
}
