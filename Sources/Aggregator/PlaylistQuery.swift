public import EpisodeStore
public import FoundationEssentials

/// Which finished files a playlist names, and in what order.
public struct PlaylistQuery: Equatable, Sendable {
    public enum State: String, CaseIterable, Sendable {
        case done, new, played, unplayed, kept, requested
    }

    public enum Order: String, CaseIterable, Sendable {
        case newest, oldest

        /// By show, each from its first episode on.
        case show
        case shortest, longest
    }

    public var feed: FeedID?
    public var state = State.done

    /// Only feeds with all of these tags.
    public var tags: [String] = []

    /// Only episodes that a search for these words finds.
    public var words: String?

    /// Only episodes published on this date or later.
    public var since: Date?
    public var order = Order.newest
    public var limit: Int?

    /// Whether the chapters of the files are entries of their own.
    public var hasChapters = false

    public init() {}
}

extension Aggregator {
    /// The finished files that a query asks for, as playlist entries with paths as seen from `folder`,
    /// which is one without symbolic links.
    ///
    /// With `folder` nil the paths are absolute. Files that are gone are left out.
    public func playlistEntries(
        _ query: PlaylistQuery, relativeTo folder: String?
    ) async throws(AggregatorError) -> [PlaylistEntry] {
        var files = try await stored { library, _ throws(StoreError) in try await library.storage() }
        if let feed = query.feed { files = files.filter { $0.feedID == feed } }
        if let since = query.since { files = files.filter { ($0.published ?? $0.downloadedAt) >= since } }
        if !query.tags.isEmpty {
            let tagged = try await stored { library, _ throws(StoreError) in
                try await library.feeds(includingUnsubscribed: true)
            }.filter { feed in query.tags.allSatisfy { feed.settings.isTagged($0) } }
            let wanted = Set(tagged.map(\.id))
            files = files.filter { wanted.contains($0.feedID) }
        }
        if query.state != .done {
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(EpisodeQuery(feed: query.feed, filter: .state(.done)))
            }
            let wanted = Set(episodes.filter { query.state.holds($0) }.map(\.id))
            files = files.filter { wanted.contains($0.id) }
        }
        if let words = query.words {
            let hits = try await stored { library, _ throws(StoreError) in
                try await library.search(words, limit: 10_000)
            }
            let wanted = Set(hits.map(\.episode.id))
            files = files.filter { wanted.contains($0.id) }
        }
        // `..` leads out of where a link leads to, not of where it stands.
        let library = folder == nil ? nil : realPath(mediaFolder)
        let entries = playlistEntries(
            playlistOrder(files, query.order), relativeTo: folder, library: library,
            hasChapters: query.hasChapters)
        return Array(entries.prefix(query.limit ?? .max))
    }
}

extension PlaylistQuery.State {
    fileprivate func holds(_ episode: EpisodeRecord) -> Bool {
        switch self {
        case .done: true
        case .new: episode.isNew
        case .played: episode.isPlayed
        case .unplayed: !episode.isPlayed
        case .kept: episode.isKept
        case .requested: episode.isRequested
        }
    }
}

/// Sorts files; those that are equal in the order asked for stand the newest first, and in a show the oldest first.
///
/// Undated files count by the time of their download, files of unknown length as the longest.
func playlistOrder(_ files: [StoredFile], _ order: PlaylistQuery.Order) -> [StoredFile] {
    func date(_ file: StoredFile) -> Date { file.published ?? file.downloadedAt }
    func length(_ file: StoredFile) -> Duration { file.duration ?? .seconds(Int64.max) }
    func show(_ file: StoredFile) -> String { file.feedTitle.lowercased() }
    let newest = files.sorted { (date($0), $0.id) > (date($1), $1.id) }
    // The sort of the standard library is stable in fact and not by promise; places make it so.
    func sorted(_ files: [StoredFile], _ precedes: (StoredFile, StoredFile) -> Bool) -> [StoredFile] {
        files.enumerated().sorted { left, right in
            if precedes(left.element, right.element) { return true }
            return !precedes(right.element, left.element) && left.offset < right.offset
        }.map(\.element)
    }
    return switch order {
    case .newest: newest
    case .oldest: newest.reversed()
    case .show: sorted(newest.reversed()) { (show($0), $0.feedID) < (show($1), $1.feedID) }
    case .shortest: sorted(newest) { length($0) < length($1) }
    case .longest: sorted(newest) { length($0) > length($1) }
    }
}
