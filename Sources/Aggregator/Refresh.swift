public import EpisodeStore
import Downloader
import FoundationEssentials

/// How a refresh goes about it.
public struct RefreshOptions: Equatable, Sendable {
    /// Whether the older pages of paged feeds are read too, without conditions.
    public var readsAllPages = false

    public init() {}
}

extension Aggregator {
    /// The feeds to ask: in a scheduled run those that are due, else all but those that are gone for good.
    ///
    /// A feed that the user names is asked in any case.
    public func feedsToAsk(
        among feeds: [FeedRecord], isScheduled: Bool, areNamed: Bool
    ) -> [FeedRecord] {
        let now = now()
        if isScheduled { return feeds.filter { isDue($0.nextCheck, isGone: $0.isGone, now: now) } }
        return areNamed ? feeds : feeds.filter { !$0.isGone }
    }

    /// Tells of the feeds that are asked no more, for they are gone for good.
    public func tellOfGone(_ feeds: [FeedRecord], asked: [FeedRecord], report: SyncReport) {
        for feed in feeds where feed.isGone && !asked.contains(where: { $0.id == feed.id }) {
            report(
                .note(
                    "\(feed.title) is gone for good, and is asked no more; 'podget unsubscribe \(feed.slug)' removes it"
                ))
        }
    }

    /// Asks every given feed for news and stores it; one failing feed never stops the others.
    public func refresh(
        _ feeds: [FeedRecord], options: RefreshOptions = RefreshOptions(), report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let loop = try openTransferLoop()
        do {
            let summary = try await refresh(feeds, options, loop: loop, report: report)
            await loop.shutDown()
            return summary
        } catch {
            await loop.shutDown()
            throw error
        }
    }

    func refresh(
        _ feeds: [FeedRecord], _ options: RefreshOptions = RefreshOptions(), loop: TransferLoop,
        report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        var feeds = feeds
        if isOffline {
            let all = feeds.count
            feeds.removeAll { if case .remote = FeedSource(storedURL: $0.url) { true } else { false } }
            let left = all - feeds.count
            if left > 0 {
                report(.note("--offline: \(left == 1 ? "1 feed is" : "\(left) feeds are") not asked"))
            }
        }
        var limits = RefreshLimits()
        limits.perHost = min(limits.perHost, settings.transfersPerHost)
        var run = RefreshRun(feeds: feeds, limits: limits)
        do {
            try await withThrowingTaskGroup(of: RefreshStep.self) { group in
                while true {
                    while !Task.isCancelled, let place = run.queue.next(now: .now) {
                        let feed = feeds[place]
                        group.addTask {
                            .checked(
                                place,
                                try await self.checkUnlessFull(feed, options, loop: loop, report: report))
                        }
                    }
                    guard let step = try await group.next() else { break }
                    switch step {
                    case .checked(let place, let end):
                        if let pauseEnd = try await self.note(end, of: place, in: &run, report) {
                            // Cancellation ends the pause as well.
                            group.addTask {
                                try? await Task.sleep(until: pauseEnd)
                                return .pauseEnded
                            }
                        }
                    case .notStored(let feeds, let reason): run.note(feeds, notStored: reason, report)
                    case .stored, .pauseEnded: break
                    }
                    // While they are stored, the next are asked.
                    if let feeds = run.takeUnchanged(atLeast: RefreshRun.groupCount) {
                        group.addTask { try await self.store(feeds) }
                    }
                }
            }
        } catch let error as AggregatorError {
            throw error
        } catch {
            throw .store(reason: "\(error)")
        }
        if let feeds = run.takeUnchanged(atLeast: 1),
            case .notStored(_, let reason) = try await store(feeds)
        {
            run.note(feeds, notStored: reason, report)
        }
        try await recordSilence(of: &run, report)
        return run.summary
    }

    /// Stores answers without news in one transaction, for each has its price.
    private func store(_ feeds: [UnchangedFeed]) async throws(AggregatorError) -> RefreshStep {
        do {
            try await stored { library, _ throws(StoreError) in
                try await library.recordUnchanged(feeds) { feed, hints in
                    scheduleNextCheck(of: feed.id, hints: hints, after: .answered, now: feed.checked)
                }
            }
            return .stored
        } catch .noSpace(let reason) {
            return .notStored(feeds, reason: reason)
        }
    }

    /// As `check`, where a full disk is a failure of the one feed that could not be stored.
    private func checkUnlessFull(
        _ feed: FeedRecord, _ options: RefreshOptions, loop: TransferLoop, report: SyncReport
    ) async throws(AggregatorError) -> FeedCheck {
        do {
            return try await check(feed, options, loop: loop, report: report)
        } catch .noSpace(let reason) {
            report(.feedFailed(FeedReference(feed), message: reason))
            return .notStored
        }
    }

    /// Counts and records how a check ended; returns the time at which its host's turn comes again.
    private func note(
        _ end: FeedCheck, of place: Int, in run: inout RefreshRun, _ report: SyncReport
    ) async throws(AggregatorError) -> ContinuousClock.Instant? {
        guard case .failed(let failure) = end else {
            run.summary.count(end)
            switch end {
            case .unchanged(let feed):
                run.unchanged.append(feed)
                run.noteAnswer(of: place)
            case .refreshed: run.noteAnswer(of: place)
            default: break
            }
            _ = run.queue.end(place, .answered, now: .now)
            return nil
        }
        if failure.host == .answered || failure.retryAfter != nil { run.hasAnswer = true }
        let consequence = run.queue.end(place, failure.host ?? .answered, now: .now)
        if case .again(let time) = consequence {
            if let pause = failure.retryAfter, run.pausedHosts.insert(run.hosts[place]).inserted {
                report(.note("\(run.hosts[place]) asks for a pause of \(pause.components.seconds) s"))
            }
            return time
        }
        try await fail(place, failure, in: &run, report)
        guard case .givenUp(let rest) = consequence else { return nil }
        for other in rest {
            if failure.host == .away {
                try await fail(other, failure.told(of: run.feeds[other]), in: &run, report)
            } else {
                try await postpone(other, failure, in: &run, report)
            }
        }
        return nil
    }

    private func fail(
        _ place: Int, _ failure: FetchFailure, in run: inout RefreshRun, _ report: SyncReport
    ) async throws(AggregatorError) {
        run.summary.failedFeeds += 1
        if failure.host == .away || failure.host == nil {
            // Whether the feed or the network is to blame is known at the end of the run.
            run.silent.append((place, failure))
            return
        }
        try await record(failure, of: run.feeds[place], report)
    }

    private func record(
        _ failure: FetchFailure, of feed: FeedRecord, _ report: SyncReport
    ) async throws(AggregatorError) {
        let message = failure.error.description
        try await stored { library, now throws(StoreError) in
            try await library.recordFailure(of: feed.id, message, kind: failure.kind, now: now) {
                hints, count in
                let outcome =
                    failure.kind == .gone
                    ? CheckOutcome.gone : .failed(count: count, retryAfter: failure.retryAfter)
                return scheduleNextCheck(of: feed.id, hints: hints, after: outcome, now: now)
            }
        }
        let rest = failure.kind == .gone ? "; it is gone for good and is asked no more" : ""
        report(.feedFailed(FeedReference(feed), message: message + rest))
    }

    /// Leaves a feed for later whose host asked for a pause when another feed was asked.
    private func postpone(
        _ place: Int, _ failure: FetchFailure, in run: inout RefreshRun, _ report: SyncReport
    ) async throws(AggregatorError) {
        let feed = run.feeds[place]
        run.summary.failedFeeds += 1
        try await stored { library, now throws(StoreError) in
            let next = scheduleNextCheck(
                of: feed.id, hints: FeedSchedule(),
                after: .failed(count: 1, retryAfter: failure.retryAfter), now: now)
            try await library.postpone(
                feed.id, to: NextCheck(date: next.date, reason: "its host asks for a pause"))
        }
        report(.feedFailed(FeedReference(feed), message: "not asked, because its host asks for a pause"))
    }

    /// Records who gave no answer, unless there was no network.
    private func recordSilence(
        of run: inout RefreshRun, _ report: SyncReport
    ) async throws(AggregatorError) {
        guard !run.silent.isEmpty, !Task.isCancelled else { return }
        let hosts = Set(run.silent.map { run.hosts[$0.place] })
        guard
            isNetworkAbsent(
                hasAnswer: run.hasAnswer, silentHostCount: hosts.count, hasRoute: hasDefaultRoute())
        else {
            for (place, failure) in run.silent { try await record(failure, of: run.feeds[place], report) }
            return
        }
        for (place, _) in run.silent {
            let feed = run.feeds[place].id
            try await stored { library, now throws(StoreError) in
                try await library.recordFailure(of: feed, "there was no network", kind: .offline, now: now)
            }
        }
        report(.note("there is no network; no feed is blamed for that"))
    }
}

extension FetchFailure {
    /// The failure of a host, told of another feed there, which was not asked.
    fileprivate func told(of feed: FeedRecord) -> FetchFailure {
        var failure = self
        failure.error = .unreachable(shownAddress(feed.url), reason: "its host does not answer")
        return failure
    }
}

/// What a running refresh waits for.
private enum RefreshStep: Sendable {
    case checked(Int, FeedCheck)
    case stored
    /// The disk is full.
    case notStored([UnchangedFeed], reason: String)
    case pauseEnded
}

/// The state of one refresh.
private struct RefreshRun {
    let feeds: [FeedRecord]
    let hosts: [String]
    var queue: RefreshQueue
    var summary = SyncSummary()
    /// Whether any host answered, so that there is a network.
    var hasAnswer = false
    var silent: [(place: Int, failure: FetchFailure)] = []
    /// Answers without news that are not stored yet; lost in a crash, they are asked for again.
    var unchanged: [UnchangedFeed] = []
    /// So many share a transaction.
    static let groupCount = 64
    /// The hosts whose pause the user was told of.
    var pausedHosts: Set<String> = []

    init(feeds: [FeedRecord], limits: RefreshLimits) {
        self.feeds = feeds
        hosts = feeds.map { hostAndPort($0.url) ?? "" }
        queue = RefreshQueue(hosts: hosts, limits: limits)
    }

    /// Hands out the answers without news, once there are so many.
    mutating func takeUnchanged(atLeast count: Int) -> [UnchangedFeed]? {
        guard unchanged.count >= count else { return nil }
        defer { unchanged = [] }
        return unchanged
    }

    mutating func note(_ feeds: [UnchangedFeed], notStored reason: String, _ report: SyncReport) {
        summary.refreshed -= feeds.count
        summary.failedFeeds += feeds.count
        let ids = Set(feeds.map(\.id))
        for feed in self.feeds where ids.contains(feed.id) {
            report(.feedFailed(FeedReference(feed), message: reason))
        }
    }

    /// A local feed proves nothing of the network.
    mutating func noteAnswer(of place: Int) {
        if !hosts[place].isEmpty { hasAnswer = true }
    }
}

/// The host and port of a remote feed; nil for a local one.
private func hostAndPort(_ url: String) -> String? {
    guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else { return nil }
    return host.lowercased() + ":" + (parts.port.map { "\($0)" } ?? parts.scheme?.lowercased() ?? "")
}

extension SyncSummary {
    fileprivate mutating func count(_ end: FeedCheck) {
        switch end {
        case .refreshed(let new):
            refreshed += 1
            newEpisodes += new
        case .unchanged: refreshed += 1
        case .notStored: failedFeeds += 1
        case .failed, .interrupted, .offline: break
        }
    }
}
