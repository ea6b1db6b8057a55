import EpisodeStore

/// Why a use case could not be carried out, in words that tell the user what to do.
public enum AggregatorError: Error, Equatable, Sendable {
    /// What was given as a feed cannot be one.
    case badSource(String, reason: String)

    /// A web page stands where a feed was expected; these are the feeds it offers.
    case webPage(String, feeds: [String])

    /// The document cannot be read as a feed.
    case notAFeed(String, reason: String)

    /// The feed cannot be fetched.
    case unreachable(String, reason: String)

    /// No network is to be used, by the user's wish.
    case offline(String)

    /// Several feeds fit the selector.
    case ambiguous(String, candidates: [String])

    /// No feed or episode fits the selector.
    case unknown(String, nearest: [String])

    /// A feed has no such episode as `FEED:PART` names; the part alone may be the number of the one `numbered`, and the feed
    /// may have `seasons`.
    case noSuchEpisode(feed: String, part: String, numbered: String? = nil, seasons: [Int] = [])

    /// A feed was named where an episode is wanted.
    case feedForEpisode(String, slug: String)

    /// An episode or broadcast cannot be played.
    case unplayable(String, reason: String)

    /// What was asked for has no file to download; so have so many others.
    case nothingToDownload(String, others: Int)

    /// A file or folder cannot be read or written.
    case file(String, reason: String)

    /// The settings file is wrong.
    case settings(String, reason: String)

    /// The library database refuses.
    case store(reason: String)

    /// A file, or the library database, cannot grow: the disk is full, or the user's share of it.
    case noSpace(reason: String)

    /// The library folder is not there, or is that beneath a disk that is not mounted.
    case libraryAbsent(reason: String)
}

extension AggregatorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unplayable(let title, let reason):
            "cannot play '\(title)': \(reason)"
        case .nothingToDownload(let name, 0):
            "\(name): the feed has no file to download"
        case .nothingToDownload(let name, let others):
            "\(name) and \(others) more: the feed has no file to download"
        case .badSource(let source, let reason):
            "cannot read '\(source)': \(reason)"
        case .webPage(let source, let feeds) where feeds.isEmpty:
            "\(source) is a web page, not a feed, and it names no feed"
        case .webPage(let source, let feeds):
            "\(source) is a web page, not a feed; it offers: \(feeds.joined(separator: "  "))"
        case .notAFeed(let source, let reason):
            "\(source): \(reason)"
        case .unreachable(let source, let reason):
            // libcurl's words may name the address already.
            reason.contains(source) ? reason : "\(source): \(reason)"
        case .offline(let source):
            "\(source) needs the network, and --offline says no"
        case .ambiguous(let selector, let candidates):
            "'\(selector)' fits several feeds: \(candidates.joined(separator: ", ")); name one of them"
        case .unknown(let selector, let nearest) where nearest.isEmpty:
            "nothing is called '\(selector)'; 'podget feeds' and 'podget episodes' list what there is, 'podget search' finds titles"
        case .unknown(let selector, let nearest):
            "nothing is called '\(selector)'; did you mean \(nearest.joined(separator: " or "))?"
        case .noSuchEpisode(let feed, let part, let numbered?, _):
            "\(feed) has no episode '\(part)'; a number stands alone: '\(part)' names \(numbered)"
        case .noSuchEpisode(let feed, let part, nil, let seasons) where EpisodeSelection(part)?.season != nil:
            seasons.isEmpty
                ? "\(feed) tells no seasons of its episodes; FEED:all names all of them"
                : "\(feed) has no episode '\(part)'; its seasons are \(seasons.map { "S\($0)" }.joined(separator: ", "))"
        case .noSuchEpisode(let feed, let part, nil, _):
            "\(feed) has no episode '\(part)'; episodes of a feed are named FEED:latest, FEED:S1E2, FEED:E2, FEED:S1 or FEED:all, or by their numbers, which 'podget episodes' shows"
        case .feedForEpisode(let selector, let slug):
            "'\(selector)' is a feed; name its episodes with \(slug):latest or \(slug):all, or one by its number: 'podget episodes \(slug)' lists them"
        case .file(let path, let reason):
            "\(path): \(reason)"
        case .settings(let path, let reason):
            "\(path): \(reason)"
        case .store(let reason), .noSpace(let reason):
            reason
        case .libraryAbsent(let reason):
            "\(reason); is its disk mounted? Nothing is downloaded or deleted until it is there again. "
                + "Where the files are gone for good, 'podget doctor --repair --files-gone' records that"
        }
    }
}

extension AggregatorError {
    init(_ error: StoreError) {
        self = error == .full ? .noSpace(reason: error.description) : .store(reason: error.description)
    }
}
