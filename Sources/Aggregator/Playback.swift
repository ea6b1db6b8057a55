public import EpisodeStore
import Glibc

extension Aggregator {
    /// Whether the file of an episode was there once, and somebody removed it.
    public func isFileGone(_ episode: EpisodeRecord) -> Bool {
        if episode.state == .missing { return true }
        guard episode.state == .done, let path = episode.filePath else { return false }
        // Where the disk of the library is not mounted nothing of it is gone.
        guard path.hasPrefix("/") || access(libraryPlaylistPath, F_OK) == 0 else { return false }
        return access(absolutePath(ofStored: path), F_OK) != 0 && errno == ENOENT
    }

    /// What there is to play of an episode: its file, else its address.
    ///
    /// Throws where there is neither, or no network is to be used, or the point is unknown or beyond the end of the file.
    public func playRequest(
        for episode: EpisodeRecord, at start: StartPoint?
    ) async throws(AggregatorError) -> PlayRequest {
        var position = episode.position
        if let start {
            let detail = try await stored { library, _ throws(StoreError) in
                try await library.episodeDetail(episode.id)
            }
            switch startPosition(of: start, in: detail?.chapters ?? []) {
            case .found(let found): position = found
            case .ambiguous(let titles):
                throw .unplayable(
                    episode.title, reason: "several chapters fit: \(titles.joined(separator: ", "))")
            case .unknown:
                throw .unplayable(
                    episode.title, reason: "it has no such chapter; 'podget show \(episode.id)' lists them")
            }
        }
        if episode.state == .done, let path = episode.filePath.map(absolutePath(ofStored:)),
            access(path, R_OK) == 0
        {
            if position > .zero,
                let length = await MediaTagReader(variables: variables).tags(ofFile: path)?.duration,
                position >= length
            {
                // A position that was stored is of a longer file of the same episode.
                guard start == nil else {
                    throw .unplayable(
                        episode.title,
                        reason:
                            "it cannot begin at \(clockText(position)): the end is at \(clockText(length))")
                }
                position = .zero
            }
            return PlayRequest(source: path, isLocal: true, title: episode.title, start: position)
        }
        guard let url = episode.enclosureURL.flatMap(playableAddress) else {
            throw .unplayable(episode.title, reason: "there is no file of it, here or elsewhere")
        }
        if isOffline {
            let reason =
                isFileGone(episode)
                ? "the file is gone ('podget download \(episode.id)' fetches it again)"
                : "it is not downloaded"
            throw .unplayable(episode.title, reason: "\(reason), and --offline asks no server")
        }
        return PlayRequest(source: url, isLocal: false, title: episode.title, start: position)
    }

    /// The newest episode of a feed whose file is here, one that its filters want before others.
    public func newestFile(ofFeed id: FeedID) async throws(AggregatorError) -> EpisodeRecord? {
        let (feed, files) = try await stored { library, _ throws(StoreError) in
            (
                try await library.feed(id),
                try await library.episodes(EpisodeQuery(feed: id, filter: .state(.done)))
            )
        }
        let here = files.filter { !isFileGone($0) }
        let rules = PolicyRules(feed?.settings ?? FeedSettings(), over: settings.forFeeds)
        return here.first { rules.filterReason(for: $0) == nil } ?? here.first
    }

    /// Remembers how far an episode was played; returns the position that is stored then, nil where none is.
    @discardableResult
    public func recordPlaying(
        _ end: PlayEnd, of episode: EpisodeRecord
    ) async throws(AggregatorError) -> Duration? {
        try await stored { library, now throws(StoreError) in
            if end.isPlayed {
                try await library.setPlayed(true, [episode.id], now: now)
            } else if let position = end.position, position <= end.duration ?? position {
                return try await library.recordProgress(to: position, of: episode.id) ? position : nil
            }
            return nil
        }
    }

    /// Remembers how far an episode has come while it plays.
    public func recordPosition(
        _ position: Duration, of episode: EpisodeRecord
    ) async throws(AggregatorError) {
        try await stored { library, _ throws(StoreError) in
            _ = try await library.recordProgress(to: position, of: episode.id)
        }
    }
}

extension Library {
    /// Stores a position where it is progress on the one that is stored now; tells whether it is.
    fileprivate func recordProgress(to position: Duration, of id: EpisodeID) throws(StoreError) -> Bool {
        guard isProgress(position, from: try episode(id)?.position ?? .zero) else { return false }
        try setPosition(position, of: id)
        return true
    }
}

/// Whether an episode that was at `former` has been begun at a position: a look at its first seconds is no beginning.
func isProgress(_ position: Duration, from former: Duration) -> Bool {
    former > .zero || position >= .seconds(10)
}

/// An address that a player may be given: of the web, and of one line.
func playableAddress(_ url: String) -> String? {
    let lower = url.lowercased()
    let isOfTheWeb = lower.hasPrefix("https://") || lower.hasPrefix("http://")
    let isPlain = url.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    return isOfTheWeb && isPlain ? url : nil
}
