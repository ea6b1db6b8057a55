public import EpisodeStore
import FoundationEssentials

/// What a show broadcasts live, as its feed last told.
public struct LiveShow: Equatable, Sendable {
    public let feed: FeedRecord

    /// What is on now.
    public let on: [LiveBroadcast]

    /// What follows, the soonest first and those without a time last.
    public let next: [LiveBroadcast]
}

/// A live broadcast, seen from a moment.
public struct LiveBroadcast: Equatable, Sendable {
    public let item: IncomingLiveItem

    /// What it is known by in its feed: the GUID, else start and title; where several have the same, the later ones are
    /// numbered.
    public let identity: String

    /// How much of it is over, from 0 to 1; nil where it is not on, or its end is unknown.
    public let progress: Double?

    /// How long until it begins; nil where it is on, or the time is unknown.
    public let startsIn: Duration?

    /// The address of its stream, or of the page that shows it.
    public var stream: String? { item.enclosures.lazy.compactMap { playableAddress($0.url) }.first }
    public var page: String? { item.contentLinks.lazy.compactMap { playableAddress($0.url) }.first }

    /// Whether there is anything to open.
    public var isPlayable: Bool { stream != nil || page != nil }
}

extension Aggregator {
    /// The subscribed shows with live items, also those whose broadcasts are all over, from what is stored.
    public func liveGuide() async throws(AggregatorError) -> [LiveShow] {
        let now = now()
        let (items, feeds) = try await stored { library, _ throws(StoreError) in
            (try await library.liveItems(), try await library.feeds())
        }
        let byFeed = Dictionary(grouping: items, by: \.feedID)
        return feeds.compactMap { feed in
            byFeed[feed.id].map { liveShow(feed, $0.map(\.item), now: now) }
        }
    }

    /// What `play` opens of a broadcast.
    public func playRequest(for broadcast: LiveBroadcast, of show: LiveShow) -> PlayRequest? {
        broadcast.stream.map { url in
            PlayRequest(source: url, isLocal: false, title: broadcast.item.title ?? show.feed.title)
        }
    }
}

func liveShow(_ feed: FeedRecord, _ items: [IncomingLiveItem], now: Date) -> LiveShow {
    let states = zip(items, liveIdentities(items)).map { item, identity in
        (item: item, identity: identity, state: liveState(item, toldAt: feed.lastSucceeded, now: now))
    }
    let next = states.filter { $0.state == .pending }
    return LiveShow(
        feed: feed,
        on: states.filter { $0.state == .on }.map { item, identity, _ in
            LiveBroadcast(
                item: item, identity: identity, progress: liveProgress(item, now: now), startsIn: nil)
        },
        next: placesByStart(next.map(\.item)).map { place in
            let broadcast = next[place]
            let seconds = broadcast.item.start.map { min($0.timeIntervalSince(now), 1e10) }
            return LiveBroadcast(
                item: broadcast.item, identity: broadcast.identity, progress: nil,
                startsIn: seconds.map { .seconds(Int64($0)) })
        })
}

/// What each broadcast of a feed is known by; of those that are over, too, so that the others keep theirs.
///
/// Where several have the same, the earliest start goes without a number.
private func liveIdentities(_ items: [IncomingLiveItem]) -> [String] {
    var identities = [String](repeating: "", count: items.count)
    var counts: [String: Int] = [:]
    for place in placesByStart(items) {
        let item = items[place]
        let own = item.guid ?? "\(item.start.map(calendarStamp) ?? "") \(item.title ?? "")"
        counts[own, default: 0] += 1
        let number = counts[own, default: 1]
        identities[place] = number == 1 ? own : "\(own)\n\(number)"
    }
    return identities
}

/// The places of the items in order of their start, those without one last.
private func placesByStart(_ items: [IncomingLiveItem]) -> [Int] {
    items.indices.sorted {
        (items[$0].start ?? .distantFuture, $0) < (items[$1].start ?? .distantFuture, $1)
    }
}

enum LiveState: Equatable { case on, pending, over }

/// Judges a broadcast by its times and by what the feed said when it was last read.
///
/// The feed knows of a broadcast that overruns; of one that should have begun since it need not know yet.
func liveState(_ item: IncomingLiveItem, toldAt: Date?, now: Date) -> LiveState {
    let status = item.status?.lowercased()
    if status == "ended" { return .over }
    if let end = item.end, end <= now {
        let overruns = status == "live" && (toldAt ?? .distantPast) >= end
        return overruns ? .on : .over
    }
    if status == "live" { return .on }
    if let start = item.start, start <= now {
        // Without an end a start of yesterday is no broadcast of today.
        return item.end != nil || now.timeIntervalSince(start) < 86_400 ? .on : .over
    }
    return .pending
}

func liveProgress(_ item: IncomingLiveItem, now: Date) -> Double? {
    guard let start = item.start, let end = item.end, end > start else { return nil }
    return min(max(now.timeIntervalSince(start) / end.timeIntervalSince(start), 0), 1)
}
