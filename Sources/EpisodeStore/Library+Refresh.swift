public import FoundationEssentials

extension Library {
    /// Stores what a feed document says: all of it or, where it fails, nothing.
    ///
    /// Only what really changed is written: a document with nothing new costs no write but that of the feed itself.
    /// Documents that come while others are stored share the next transaction.
    public nonisolated func recordRefresh(
        of id: FeedID, _ feed: IncomingFeed, nextCheck: NextCheck? = nil, now: Date
    ) async throws(StoreError) -> RefreshOutcome {
        // Made here, where it keeps nobody from the database.
        let document = FeedDocument(id: id, feed: feed, nextCheck: nextCheck, now: now)
        return try await storeWithOthers(document).get()
    }

    private func storeWithOthers(_ document: FeedDocument) async -> Result<RefreshOutcome, StoreError> {
        await withCheckedContinuation { continuation in
            waitingDocuments.append((document, continuation))
            guard waitingDocuments.count == 1 else { return }
            Task {
                // Those that come in this moment share what a transaction costs.
                try? await Task.sleep(for: .milliseconds(5))
                storeWaitingDocuments()
            }
        }
    }

    private func storeWaitingDocuments() {
        while !waitingDocuments.isEmpty {
            var episodeCount = 0
            let group = Array(
                waitingDocuments.prefix { (document, _) in
                    defer { episodeCount += document.rows.count }
                    return episodeCount < Self.groupEpisodeCount
                })
            waitingDocuments.removeFirst(group.count)
            let results = store(group.map(\.0))
            for ((_, waiter), result) in zip(group, results) { waiter.resume(returning: result) }
        }
    }

    /// Stores documents in one transaction; each in its own where that fails, for one must not take the others along.
    func store(_ documents: [FeedDocument]) -> [Result<RefreshOutcome, StoreError>] {
        do throws(StoreError) {
            return try connection.transaction(.normal) { () throws(StoreError) in
                try documents.map { (document) throws(StoreError) in .success(try store(document)) }
            }
        } catch {
            guard documents.count > 1 else { return [.failure(error)] }
            return documents.flatMap { store([$0]) }
        }
    }

    /// Stores one document within a transaction.
    private func store(_ document: FeedDocument) throws(StoreError) -> RefreshOutcome {
        let (id, feed, rows, now) = (document.id, document.feed, document.rows, document.now)
        let isFirst = try isNeverRefreshed(id)
        let known = try knownEpisodes(of: id)
        let keys = rows.map(\.key)
        let matches = matchEpisodes(
            known: known.map(\.episode), incoming: keys, feedLink: feed.link,
            isTruncated: feed.isTruncated)
        // A clock that was set back must not sort what is new behind what was there before it.
        let firstSight = known.reduce(now) { max($0, $1.firstSeen) }
        var writer = try RefreshWriter(
            connection: connection, feed: id, isFirst: isFirst,
            isRewrittenCatalogue: matches.isRewrittenCatalogue, now: firstSight)
        let oldestKnown = known.compactMap(\.episode.key.published).min() ?? .max
        for item in inStoringOrder(keys) {
            switch matches.matches[item] {
            case .repeated:
                break
            case .known(let index, let rule):
                try writer.update(known[index], with: rows[item], rule)
            case .new:
                let isSuspected =
                    matches.isRewrittenCatalogue || matches.suspectedDuplicates.contains(item)
                let isOldNews =
                    isFirst
                    || feed.hasOlderPages && (keys[item].published ?? .min) < oldestKnown
                try writer.insert(rows[item], isSuspectedDuplicate: isSuspected, isOldNews: isOldNews)
            }
        }
        try writer.unlist(matches.unlisted.map { known[$0].episode.id })
        try storeFeed(
            id, feed, document.nextCheck, newEpisodeCount: writer.outcome.newEpisodes.count, now: now)
        try storeLiveItems(feed.liveItems, of: id)
        var outcome = writer.outcome
        outcome.newEpisodes.reverse()
        outcome.feed = try self.feed(id)
        return outcome
    }

    private func isNeverRefreshed(_ id: FeedID) throws(StoreError) -> Bool {
        let isNever: Bool? = try connection.value("SELECT last_succeeded IS NULL FROM feed WHERE id = ?1", id)
        guard let isNever else { throw .unknownIdentifier(id.rawValue) }
        return isNever
    }

    private func knownEpisodes(of id: FeedID) throws(StoreError) -> [StoredEpisode] {
        try connection.rows(
            """
            SELECT id, guid, title, link, enclosure_url, published, duration, is_listed, content_hash, first_seen
            FROM episode WHERE feed_id = ?1
            """, id
        ) { row throws(StoreError) in
            StoredEpisode(
                episode: KnownEpisode(
                    id: row.next(),
                    key: EpisodeKey(
                        guid: row.next(), title: row.next(), link: row.next(), enclosureURL: row.next(),
                        published: row.next(), duration: row.next()),
                    isListed: row.next()),
                contentHash: row.next(), firstSeen: row.next())
        }
    }

    private func storeFeed(
        _ id: FeedID, _ feed: IncomingFeed, _ nextCheck: NextCheck?, newEpisodeCount: Int, now: Date
    ) throws(StoreError) {
        try connection.run(
            """
            UPDATE feed SET
                title = coalesce(?2, title), link = ?3, description = ?4, image = ?5, language = ?6, author = ?7,
                type = ?8, podcast_guid = ?9, schedule = ?10, details = ?11,
                etag = ?12, last_modified = ?13, body_hash = ?14,
                episode_count = episode_count + ?15,
                last_checked = ?16, last_succeeded = ?16, last_full_fetch = ?16,
                next_check = ?17, next_check_reason = ?18, failure_count = 0, last_error = ?19, last_error_kind = ?20, is_gone = 0
            WHERE id = ?1
            """,
            id, feed.title, feed.link, feed.description, feed.image, feed.language, feed.author, feed.type,
            feed.podcastGUID, feed.schedule == FeedSchedule() ? nil : jsonColumn(feed.schedule),
            feed.details == FeedDetails() ? nil : jsonColumn(feed.details), feed.validators.etag,
            feed.validators.lastModified, feed.validators.bodyHash, newEpisodeCount, now,
            nextCheck?.date, nextCheck?.reason, feed.damage,
            feed.damage.map { _ in FeedFailureKind.damaged.rawValue })
    }

    private func storeLiveItems(_ items: [IncomingLiveItem], of id: FeedID) throws(StoreError) {
        let stored: [String] = try connection.rows(
            "SELECT item FROM live_item WHERE feed_id = ?1 ORDER BY position", id
        ) { $0.next() }
        let new = items.compactMap { jsonColumn($0) }
        guard new != stored else { return }
        try connection.run("DELETE FROM live_item WHERE feed_id = ?1", id)
        for (position, item) in new.enumerated() {
            try connection.run(
                "INSERT INTO live_item (feed_id, position, item) VALUES (?1, ?2, ?3)", id, position, item)
        }
    }
}

/// Orders the items of a document so that the newest is stored last and gets the highest number.
///
/// Feeds list the newest first unless their dates say otherwise. Among equal dates the number then decides which
/// episode is newer.
func inStoringOrder(_ items: [EpisodeKey]) -> [Int] {
    let dates = items.compactMap(\.published)
    let ascending = zip(dates, dates.dropFirst()).count { $0 < $1 }
    let descending = zip(dates, dates.dropFirst()).count { $0 > $1 }
    return ascending > descending ? Array(items.indices) : items.indices.reversed()
}

/// A stored episode with what an update compares and keeps.
struct StoredEpisode {
    let episode: KnownEpisode
    let contentHash: Int64
    let firstSeen: Date
}

/// A feed document that waits to be stored.
struct FeedDocument: Sendable {
    let id: FeedID
    let feed: IncomingFeed
    let rows: [EpisodeRow]
    let nextCheck: NextCheck?
    let now: Date

    init(id: FeedID, feed: IncomingFeed, nextCheck: NextCheck?, now: Date) {
        self.id = id
        self.feed = feed
        self.nextCheck = nextCheck
        self.now = now
        rows = feed.episodes.map(EpisodeRow.init)
    }
}
