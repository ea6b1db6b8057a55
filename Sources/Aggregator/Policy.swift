public import EpisodeStore
import Glibc

/// Makes the plan of the policy from what is stored, and carries it out.
extension Aggregator {
    /// What a sync of these feeds would do with what is stored now, and why.
    ///
    /// Files of other feeds have lines too, for the storage limit is one for all; with `isLimited` only those that it
    /// makes go, and no download of other feeds is one of the plan. With `playedGo` what is played goes, unless it is marked `keep`. With `completely`, every episode
    /// of the feeds has a line, otherwise only as many of the newest as the rules may ask for.
    public func plan(
        for feeds: [FeedRecord], downloads: Bool = true, isLimited: Bool = false, completely: Bool = false,
        playedGo: Bool = false
    ) async throws(AggregatorError) -> [PlanLine] {
        let chosen = Set(feeds.map(\.id))
        var lines: [PlanLine] = []
        if downloads {
            for feed in feeds {
                var rules = PolicyRules(feed.settings, over: settings.forFeeds)
                rules.isSerial = feed.type == "serial"
                lines += planDownloads(
                    of: try await episodes(of: feed, toPlanBy: rules, completely: completely), by: rules)
            }
            lines += try await linesOfTheQueue(except: Set(lines.map(\.episode.id)))
                .filter { !isLimited || chosen.contains($0.episode.feedID) }
        }
        let files = try await storedEpisodeFiles()
        while true {
            var plan = lines + linesOfFiles(files, ofChosen: chosen, coming: lines.downloads)
            if playedGo { plan = plan.map(withoutPlayed) }
            if let limit = settings.storageLimit {
                plan = fitPlan(plan, into: limit)
                // No file makes way for one that finds no room.
                let rest = Array(plan.prefix(lines.count))
                if rest.downloads.count < lines.downloads.count {
                    lines = rest
                    continue
                }
            }
            guard isLimited else { return plan }
            return plan.filter { $0.action == .delete || chosen.contains($0.episode.feedID) }
        }
    }

    /// Deletes the files that the plan gives up, and returns how many.
    ///
    /// What was marked `keep`, begun or asked for since the plan was made stays; a file that cannot be deleted stops nothing.
    func deleteFiles(of plan: [PlanLine], report: SyncReport) async throws(AggregatorError) -> Int {
        var count = 0
        for line in plan where line.action == .delete && !line.waitsForDownloads {
            let id = line.episode.id
            let current = try await stored { library, _ throws(StoreError) in try await library.episode(id) }
            guard let current, current.state == .done,
                protection(of: current) == nil || (line.goesAsPlayed && current.isPlayed && !current.isKept),
                let path = current.filePath
            else { continue }
            do throws(AggregatorError) {
                // Another process that cleans up may have been faster.
                guard
                    try await deleteFile(
                        of: id, at: path, reason: line.reason, comesAgain: line.comesInTurn)
                else { continue }
            } catch .file(let path, let reason) {
                report(.note("\(path) cannot be deleted: \(reason)"))
                continue
            }
            count += 1
            report(
                .fileDeleted(
                    EpisodeReference(current), path: absolutePath(ofStored: path),
                    byteCount: current.byteCount ?? 0, reason: line.reason))
        }
        return count
    }

    /// Deletes what the rules give up, without downloading anything; returns the lines of what was deleted.
    public func clean(playedGo: Bool = false, report: SyncReport) async throws(AggregatorError) -> Int {
        let feeds = try await feeds(matching: [])
        try await noticeMissingFiles(report: report)
        let plan = try await plan(for: feeds, downloads: false, playedGo: playedGo)
        let count = try await deleteFiles(of: plan, report: report)
        if count > 0 { try await writePlaylists(report: report) }
        return count
    }

    /// Puts what the plan wants into the queue, and tells what of it is still to come.
    func enqueue(_ plan: [PlanLine]) async throws(AggregatorError) -> Set<EpisodeID> {
        for line in plan where line.action == .skip {
            try await recordSkip(line)
        }
        try await withdraw(plan.filter(\.leavesQueue))
        let wanted = plan.filter { $0.action == .download }.map(\.episode.id)
        guard !wanted.isEmpty else { return [] }
        let outcomes = try await stored { library, now throws(StoreError) in
            try await library.enqueue(wanted, origin: .policy, now: now)
        }
        return Set(outcomes.filter { $0.value.isPending }.keys)
    }

    /// Takes downloads out of the queue that have not come before newer ones took their places, with what arrived of them.
    private func withdraw(_ lines: [PlanLine]) async throws(AggregatorError) {
        guard !lines.isEmpty else { return }
        try await stored { library, now throws(StoreError) in
            for line in lines {
                // One that another process downloads just now is left to it.
                _ = try await library.withdraw(line.episode.id, reason: line.reason, now: now)
            }
        }
        try await removeUnwantedPartials()
    }

    /// Keeps the state `skipped` true: news that a filter passed over has it, and nothing else.
    private func recordSkip(_ line: PlanLine) async throws(AggregatorError) {
        let episode = line.episode
        if line.isFiltered {
            let isNews = episode.state == .none && episode.isNew
            guard isNews || (episode.state == .skipped && episode.reason != line.reason) else { return }
            try await stored { library, now throws(StoreError) in
                try await library.markSkipped(episode.id, reason: line.reason, now: now)
            }
        } else if episode.state == .skipped {
            _ = try await stored { library, now throws(StoreError) in
                try await library.takeBackSkip(
                    of: episode.id, reason: "no filter skips it any more", now: now)
            }
        }
    }

    /// The episodes of a feed that its rules may choose from, the newest first.
    private func episodes(
        of feed: FeedRecord, toPlanBy rules: PolicyRules, completely: Bool
    ) async throws(AggregatorError) -> [EpisodeRecord] {
        let wantedCount = max(rules.latestLimit, rules.firstLimit ?? 0)
        // Some have no file or are filtered out; mostly a hundred more are enough to look past those.
        var limit: Int? = completely || rules.order == .oldest ? nil : wantedCount + 100
        while true {
            let query = EpisodeQuery(feed: feed.id, limit: limit)
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(query)
            }
            guard let tried = limit, episodes.count == tried,
                countChoices(among: episodes, by: rules) < wantedCount
            else { return episodes.map(withTruePresence) }
            limit = tried * 10
        }
    }

    /// What is in the queue besides: a sync downloads that too.
    private func linesOfTheQueue(except known: Set<EpisodeID>) async throws(AggregatorError) -> [PlanLine] {
        var lines: [PlanLine] = []
        for state in [DownloadState.queued, .waiting, .active] {
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(EpisodeQuery(filter: .state(state)))
            }
            lines += planDownloads(of: episodes.filter { !known.contains($0.id) }, by: PolicyRules())
        }
        return lines
    }

    /// The finished files of each feed, the feed nil where it is no longer subscribed to.
    private func storedEpisodeFiles() async throws(AggregatorError) -> [(
        id: FeedID, feed: FeedRecord?, files: [EpisodeRecord]
    )] {
        let (files, feeds) = try await stored { library, _ throws(StoreError) in
            (
                try await library.episodes(EpisodeQuery(filter: .state(.done))),
                try await library.feeds()
            )
        }
        let subscribed = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
        return Dictionary(grouping: files, by: \.feedID).sorted { $0.key < $1.key }
            .map { (id: $0.key, feed: subscribed[$0.key], files: $0.value) }
    }

    private func linesOfFiles(
        _ stored: [(id: FeedID, feed: FeedRecord?, files: [EpisodeRecord])], ofChosen chosen: Set<FeedID>,
        coming: [EpisodeRecord]
    ) -> [PlanLine] {
        let coming = Dictionary(grouping: coming, by: \.feedID)
        let now = now()
        var lines: [PlanLine] = []
        for (id, feed, files) in stored {
            guard let feed else {
                lines += files.map {
                    PlanLine(
                        episode: $0, action: .keep, reason: "unsubscribed: its files stay", isProtected: true)
                }
                continue
            }
            var rules = PolicyRules(feed.settings, over: settings.forFeeds)
            if !chosen.contains(id) { rules.keep = .all }
            let gone = files.filter(isRemovedByHand)
            let here = gone.isEmpty ? files : files.filter { !isRemovedByHand($0) }
            lines += planRetention(of: here, coming: coming[id] ?? [], by: rules, now: now)
            lines += gone.map {
                PlanLine(episode: $0, action: .skip, reason: "its file was removed by hand")
            }
        }
        return lines
    }

    /// A played file that is not marked `keep` is deleted.
    private func withoutPlayed(_ line: PlanLine) -> PlanLine {
        guard line.action == .keep, line.episode.isPlayed, !line.episode.isKept else { return line }
        return PlanLine(episode: line.episode, action: .delete, reason: "it is played", goesAsPlayed: true)
    }

    /// The episode as the next sync finds it, which looks whether its file is there.
    private func withTruePresence(_ episode: EpisodeRecord) -> EpisodeRecord {
        guard episode.state == .done, isRemovedByHand(episode) else { return episode }
        var episode = episode
        episode.state = .missing
        return episode
    }

    /// Whether somebody removed its file, which is then neither kept nor deleted.
    private func isRemovedByHand(_ file: EpisodeRecord) -> Bool {
        guard let path = file.filePath else { return false }
        return access(absolutePath(ofStored: path), F_OK) != 0 && errno == ENOENT
    }
}

extension [PlanLine] {
    /// What is to be downloaded.
    fileprivate var downloads: [EpisodeRecord] { filter { $0.action == .download }.map(\.episode) }
}
