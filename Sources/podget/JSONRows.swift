import Aggregator
import EpisodeStore
import FoundationEssentials

/// A feed as `feeds --json` prints it.
struct FeedRow: Encodable {
    let id: Int64
    let slug: String
    let title: String
    let url: String
    let tags: [String]
    let episodes: Int
    let downloaded: Int
    let newestEpisode: Date?
    let lastChecked: Date?
    let lastSucceeded: Date?
    let failures: Int
    let gone: Bool
    let lastError: String?

    init(_ feed: FeedRecord) {
        id = feed.id.rawValue
        slug = feed.slug
        title = feed.title
        url = shownAddress(feed.url)
        tags = feed.settings.tags ?? []
        episodes = feed.episodeCount
        downloaded = feed.downloadedCount
        newestEpisode = feed.newestEpisode
        lastChecked = feed.lastChecked
        lastSucceeded = feed.lastSucceeded
        failures = feed.failureCount
        gone = feed.isGone
        lastError = feed.lastError
    }
}

/// An episode as `episodes --json` prints it.
struct EpisodeRow: Encodable {
    struct Feed: Encodable {
        let id: Int64
        let slug: String
        let title: String
    }

    let id: Int64
    let feed: Feed
    let guid: String?
    let title: String
    let published: Date?
    let duration: Double?
    let season: Int?
    let episode: Int?
    let state: DownloadState
    let verb: DownloadVerb?
    let played: Bool
    let kept: Bool
    let requested: Bool
    let position: Double
    let url: String?
    let file: String?
    let bytes: Int64?
    let expectedBytes: Int64?
    let expectedIsExact: Bool
    let error: String?

    /// Only of a single episode that is shown.
    private(set) var chapters: [Chapter]?
    private(set) var hasTranscript: Bool?
    private(set) var artwork: String?
    private(set) var originalChecksum: String?
    private(set) var taggedChecksum: String?

    struct Chapter: Encodable {
        let start: Double
        let title: String?
        let url: String?
        let image: String?
    }

    /// Adds what only `show` tells.
    mutating func add(_ detail: EpisodeDetail, _ aggregator: Aggregator) {
        chapters = detail.chapters.map { chapter in
            Chapter(
                start: chapter.start / .seconds(1), title: chapter.title, url: chapter.url.map(shownAddress),
                image: chapter.image.map(shownAddress))
        }
        hasTranscript = !detail.transcript.isEmpty
        artwork = aggregator.artworkPath(of: detail)
        originalChecksum = detail.checksums?.original
        taggedChecksum = detail.checksums?.tagged
    }

    init(_ record: EpisodeRecord, _ aggregator: Aggregator) {
        id = record.id.rawValue
        feed = Feed(id: record.feedID.rawValue, slug: record.feedSlug, title: record.feedTitle)
        guid = record.guid
        title = record.title
        published = record.published
        duration = record.duration.map { $0 / .seconds(1) }
        season = record.season
        episode = record.episode
        state = record.state
        verb = record.verb
        played = record.isPlayed
        kept = record.isKept
        requested = record.isRequested
        position = record.position / .seconds(1)
        url = record.enclosureURL.map(shownAddress)
        file = record.state == .done ? record.filePath.map(aggregator.absolutePath(ofStored:)) : nil
        bytes = record.byteCount
        expectedBytes = record.expectedByteCount ?? record.enclosureLength
        expectedIsExact = record.isExpectedExact
        error = record.error
    }
}

/// What the downloads occupy, as `storage --json` prints it.
struct StorageRow: Encodable {
    struct Item: Encodable {
        let id: Int64
        let title: String
        let feed: String
        let bytes: Int64
        let file: String

        init(_ file: StoredFile, _ aggregator: Aggregator) {
            id = file.id.rawValue
            title = file.title
            feed = file.feedTitle
            bytes = file.byteCount
            self.file = aggregator.absolutePath(ofStored: file.path)
        }
    }

    let total: Int64
    let free: Int64?
    let items: [Item]
}

/// The queue, as `status --json` prints it.
struct StatusRow: Encodable {
    struct Item: Encodable {
        let id: Int64
        let title: String
        let feed: String
        let state: DownloadState
        let bytes: Int64
        let expectedBytes: Int64?
        let expectedIsExact: Bool
        let rate: Double?
        let secondsLeft: Double?
        let verb: DownloadVerb?
        let reason: String?
        let until: Date?

        init(_ download: QueuedDownload) {
            id = download.id.rawValue
            title = download.title
            feed = download.feedTitle
            state = download.state
            bytes = download.byteCount
            expectedBytes = download.expectedByteCount ?? download.claimedLength
            expectedIsExact = download.isExpectedExact
            rate = download.state == .active ? download.rate : nil
            secondsLeft = download.secondsLeft
            verb = downloadVerb(
                state: download.state, hasResumeData: download.hasResumeData, isDownloadable: true)
            reason = download.reason
            until = [.waiting, .queued].contains(download.state) ? download.notBefore : nil
        }
    }

    let owner: Int32?
    let active: [Item]
    let queued: [Item]
    let waiting: [Item]
    let paused: [Item]
    let failed: [Item]

    init(_ status: DownloadsStatus?) {
        owner = status?.owner
        active = status?.active.map(Item.init) ?? []
        queued = status?.queued.map(Item.init) ?? []
        waiting = status?.waiting.map(Item.init) ?? []
        paused = status?.paused.map(Item.init) ?? []
        failed = status?.failed.map(Item.init) ?? []
    }
}

extension QueuedDownload {
    /// Seconds to the end at the present rate, where size and rate are known.
    var secondsLeft: Double? {
        guard state == .active, let rate, rate > 0, let expectedByteCount else { return nil }
        return Double(max(0, expectedByteCount - byteCount)) / rate
    }
}
