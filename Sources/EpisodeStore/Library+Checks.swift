public import FoundationEssentials

// What a check of a feed brought, as far as it touches no episode.

/// A feed whose server had nothing new: a 304, or the very same body.
public struct UnchangedFeed: Equatable, Sendable {
    public let id: FeedID
    public let checked: Date

    /// What the answer brought; where it brought nothing, what is stored stays.
    public var validators: FeedValidators
    public var maxAge: Duration?

    public init(
        _ id: FeedID, checked: Date, validators: FeedValidators = FeedValidators(), maxAge: Duration? = nil
    ) {
        self.id = id
        self.checked = checked
        self.validators = validators
        self.maxAge = maxAge
    }
}

extension Library {
    /// Records that feeds are as they were: all of them or, in case of an error, none.
    ///
    /// Only the feeds' own rows are read and written, however many episodes there are. `nextCheck` is given what a
    /// feed and its server said of its rhythm.
    public func recordUnchanged(
        _ feeds: [UnchangedFeed],
        nextCheck: @Sendable (UnchangedFeed, FeedSchedule) -> NextCheck? = { _, _ in nil }
    ) throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            for feed in feeds { try recordUnchanged(feed, nextCheck) }
        }
    }

    private func recordUnchanged(
        _ feed: UnchangedFeed, _ nextCheck: (UnchangedFeed, FeedSchedule) -> NextCheck?
    ) throws(StoreError) {
        var schedule = try schedule(of: feed.id)
        let isOtherMaxAge = feed.maxAge != nil && feed.maxAge != schedule.maxAge
        if isOtherMaxAge { schedule.maxAge = feed.maxAge }
        let next = nextCheck(feed, schedule)
        _ = try connection.run(
            """
            UPDATE feed SET
                etag = coalesce(?2, etag),
                last_modified = coalesce(?3, last_modified),
                body_hash = coalesce(?4, body_hash),
                schedule = coalesce(?5, schedule),
                last_checked = ?6, last_succeeded = ?6, next_check = ?7, next_check_reason = ?8,
                failure_count = 0, last_error = NULL, last_error_kind = NULL, is_gone = 0
            WHERE id = ?1
            """,
            feed.id, feed.validators.etag, feed.validators.lastModified, feed.validators.bodyHash,
            isOtherMaxAge ? jsonColumn(schedule) : nil, feed.checked, next?.date, next?.reason)
    }

    /// Records that a feed could not be refreshed; its episodes are not touched.
    ///
    /// `nextCheck` is given the failures in a row, this one included. Being offline tells nothing about the feed:
    /// it is not counted and postpones nothing.
    public func recordFailure(
        of id: FeedID, _ message: String, kind: FeedFailureKind, now: Date,
        nextCheck: @Sendable (FeedSchedule, Int) -> NextCheck? = { _, _ in nil }
    ) throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            if kind == .offline {
                _ = try connection.run(
                    "UPDATE feed SET last_error = ?2, last_error_kind = ?3 WHERE id = ?1", id, message,
                    kind.rawValue)
                return
            }
            let earlier: Int = try connection.value("SELECT failure_count FROM feed WHERE id = ?1", id) ?? 0
            let next = nextCheck(try schedule(of: id), earlier + 1)
            _ = try connection.run(
                """
                UPDATE feed SET
                    last_error = ?2, last_error_kind = ?3, last_checked = ?4, failure_count = ?5,
                    is_gone = iif(?3 = 'gone', 1, is_gone), next_check = ?6, next_check_reason = ?7
                WHERE id = ?1
                """,
                id, message, kind.rawValue, now, earlier + 1, next?.date, next?.reason)
        }
    }

    /// Postpones the next check of a feed that was not asked; an earlier plan for a later time stays.
    public func postpone(_ id: FeedID, to next: NextCheck) throws(StoreError) {
        try connection.transaction(.normal) { () throws(StoreError) in
            _ = try connection.run(
                """
                UPDATE feed SET next_check = ?2, next_check_reason = ?3
                WHERE id = ?1 AND (next_check IS NULL OR next_check < ?2)
                """, id, next.date, next.reason)
        }
    }

    private func schedule(of id: FeedID) throws(StoreError) -> FeedSchedule {
        try connection.first("SELECT schedule FROM feed WHERE id = ?1", id) { row throws(StoreError) in
            row.nextJSON() ?? FeedSchedule()
        } ?? FeedSchedule()
    }
}
