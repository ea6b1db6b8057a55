public import EpisodeStore
public import FoundationEssentials

/// Everything that explains why an episode is what it is.
public struct Explanation: Sendable {
    public let detail: EpisodeDetail

    /// What the next sync does about it.
    public let next: PlanLine

    /// Until when no sync takes it up, though it is wanted; nil where nothing holds it.
    public let waitsUntil: Date?

    /// The settings in force for its feed.
    public let settings: [EffectiveSetting]

    /// What happened to it, the oldest first.
    public let history: [JournalEntry]
}

extension Aggregator {
    /// Explains an episode: how it was recognised, what happened to it, and what the rules make of it now.
    public func explain(_ episode: EpisodeRecord) async throws(AggregatorError) -> Explanation {
        let detail = try await episodeDetail(episode.id)
        let (feed, history) = try await stored { library, _ throws(StoreError) in
            (try await library.feed(episode.feedID), try await library.journal(of: episode.id))
        }
        guard let detail, let feed else { throw .unknown(episode.id.description, nearest: []) }
        var next = PlanLine(
            episode: detail.record, action: .skip, reason: "you unsubscribed from its feed")
        if feed.isSubscribed || detail.record.state == .done {
            let plan = try await plan(for: [feed], downloads: feed.isSubscribed, completely: true)
            next = plan.first { $0.episode.id == episode.id } ?? next
        }
        let hold = try await hold(of: episode.id)
        if let hold {
            next = PlanLine(episode: detail.record, action: .skip, reason: hold.reason)
        }
        return Explanation(
            detail: detail, next: next, waitsUntil: hold?.until, settings: effectiveSettings(of: feed),
            history: history)
    }

    private func hold(of id: EpisodeID) async throws(AggregatorError) -> Hold? {
        let queue = try await stored { library, _ throws(StoreError) in try await library.queue() }
        let now = now()
        return queue.first { $0.id == id }?.hold(HostPauses(queue, now: now), now: now)
    }
}
