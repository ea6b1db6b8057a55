public import EpisodeStore

/// What the policy does about an episode.
public enum PlanAction: String, Codable, CaseIterable, Sendable {
    case download, delete, keep, skip
}

/// What the policy does about one episode, and why, in a user's words.
public struct PlanLine: Equatable, Sendable {
    public let episode: EpisodeRecord
    public let action: PlanAction
    public let reason: String

    /// Whether no rule may delete the file.
    var isProtected = false

    /// Whether the file goes only once newer ones have come.
    var waitsForDownloads = false

    /// Whether the user wants played files to go, whatever protects them but the mark `keep`.
    var goesAsPlayed = false

    /// Whether a filter of the feed's settings passed over the episode.
    var isFiltered = false

    /// Whether the download is queued, and wanted no more.
    var leavesQueue = false

    /// Whether its file is to be heard in its turn, and what comes after it would be of little use without it.
    var comesInTurn = false
}

/// Decides which episodes of one feed are to be downloaded.
///
/// `episodes` come newest first; what is downloaded already has no line of its own and keeps its place in the count.
/// So does what was deleted, paused or lost: removing the newest must not fetch an older one instead. What a filter of
/// titles or types passes over takes no place, be its file there or not.
func planDownloads(of episodes: [EpisodeRecord], by rules: PolicyRules) -> [PlanLine] {
    switch rules.order {
    case .newest: planNewest(episodes, rules)
    case .oldest: planOldest(episodes, rules)
    }
}

/// Counts the episodes that take a place among the newest.
func countChoices(among episodes: [EpisodeRecord], by rules: PolicyRules) -> Int {
    episodes.count { passedOver($0, rules) == nil && rules.takesPlace($0) }
}

private func planNewest(_ episodes: [EpisodeRecord], _ rules: PolicyRules) -> [PlanLine] {
    var lines: [PlanLine] = []
    var place = 0
    var firstPlace = 0
    // The files so far, here or to come, that `keep` counts: it would delete what is fetched beyond its number.
    var keptCount = 0
    for episode in episodes {
        if let line = passedOver(episode, rules) {
            lines.append(line)
            continue
        }
        if rules.takesPlace(episode) { place += 1 }
        var isWanted = place <= rules.latestLimit
        var wish = newestWords(rules.latestLimit)
        let isAmongFirst = episode.isOldNews && rules.first != nil
        if isAmongFirst, let first = rules.firstLimit {
            if rules.takesPlace(episode) { firstPlace += 1 }
            isWanted = firstPlace <= first
            wish = first == 1 ? "the newest of those that were there first" : "one of the first \(first)"
        }
        let isBeyondKeep = rules.keepsAtMost.map { keptCount >= $0 } ?? false
        if episode.isQueuedByRules, isBeyondKeep {
            lines.append(leavingQueue(episode, noPlaceBesideNewer))
            continue
        }
        if episode.countsForKeep(rules) { keptCount += 1 }
        guard episode.state != .done else { continue }
        if let line = settled(episode) {
            lines.append(line)
        } else if episode.isPlayed {
            lines.append(PlanLine(episode: episode, action: .skip, reason: "played already"))
        } else if isWanted, isBeyondKeep {
            lines.append(PlanLine(episode: episode, action: .skip, reason: noPlaceBesideNewer))
        } else if isWanted {
            if rules.takesPlace(episode) { keptCount += 1 }
            lines.append(PlanLine(episode: episode, action: .download, reason: wish))
        } else {
            let reason =
                isAmongFirst ? beyondFirst(firstPlace, rules.first ?? 0) : beyondLatest(place, rules.latest)
            lines.append(PlanLine(episode: episode, action: .skip, reason: reason))
        }
    }
    return lines
}

/// Takes the oldest episodes that are not played yet; what was played, deleted or lost makes room for the next.
///
/// Files that nobody has heard stay, also those whose turn comes later, and take the places that `keep` gives: what comes
/// before its turn must not push out what comes after.
private func planOldest(_ episodes: [EpisodeRecord], _ rules: PolicyRules) -> [PlanLine] {
    var lines: [PlanLine] = []
    var place = 0
    var room = rules.keepsAtMost.map { count in
        count - episodes.count { $0.state == .done && !$0.isPlayed && $0.countsForKeep(rules) }
    }
    for episode in listeningOrder(episodes, rules) {
        if let line = passedOver(episode, rules) {
            lines.append(line)
            continue
        }
        let hasNoRoom = room.map { $0 <= 0 } ?? false
        if episode.isQueuedByRules {
            if hasNoRoom {
                lines.append(leavingQueue(episode, noPlaceBesideOthers))
                continue
            }
            room = room.map { $0 - 1 }
        }
        let isPast = episode.isPlayed || episode.state == .deleted || episode.state == .missing
        if !isPast, rules.takesPlace(episode) { place += 1 }
        guard episode.state != .done else { continue }
        if let line = settled(episode) {
            lines.append(line)
        } else if episode.isPlayed {
            lines.append(PlanLine(episode: episode, action: .skip, reason: "played already"))
        } else if place > rules.latestLimit {
            lines.append(PlanLine(episode: episode, action: .skip, reason: "its turn comes later"))
        } else if hasNoRoom {
            lines.append(PlanLine(episode: episode, action: .skip, reason: noPlaceBesideOthers))
        } else {
            if rules.takesPlace(episode) { room = room.map { $0 - 1 } }
            lines.append(
                PlanLine(
                    episode: episode, action: .download, reason: "the next to listen to", comesInTurn: true))
        }
    }
    return lines
}

private let noPlaceBesideNewer = "'keep' leaves no place beside newer ones"
private let noPlaceBesideOthers = "files that nobody has heard take the places that 'keep' leaves"

extension EpisodeRecord {
    /// Whether a rule wants it, and it has not come yet.
    fileprivate var isQueuedByRules: Bool { state.isPending && origin != .user }

    /// Whether its file, here or in the queue, has a place in the count of `keep`.
    fileprivate func countsForKeep(_ rules: PolicyRules) -> Bool {
        if state.isPending { return isQueuedByRules }
        return state == .done && protection(of: self) == nil && rules.takesPlace(self)
    }
}

/// Orders episodes, given the newest first, as they are to be heard with `order oldest`.
func listeningOrder(_ episodes: [EpisodeRecord], _ rules: PolicyRules) -> [EpisodeRecord] {
    rules.isSerial ? serialOrder(episodes) : episodes.reversed()
}

/// Orders episodes, given the newest first, by season and number, as the queue does; equal ones the oldest first.
private func serialOrder(_ episodes: [EpisodeRecord]) -> [EpisodeRecord] {
    episodes.reversed().enumerated().sorted { left, right in
        let (first, second) = (left.element, right.element)
        return (first.season ?? 0, first.episode ?? .max, left.offset)
            < (second.season ?? 0, second.episode ?? .max, right.offset)
    }.map(\.element)
}

/// What no rule about the newest or oldest can change: it takes no place in the count.
private func passedOver(_ episode: EpisodeRecord, _ rules: PolicyRules) -> PlanLine? {
    guard episode.state != .done else { return nil }
    if episode.state.isPending {
        guard episode.isQueuedByRules,
            let reason = episode.isPlayed ? "played already" : rules.filterReason(for: episode)
        else { return nil }
        return leavingQueue(episode, reason)
    }
    let reason: String
    if !episode.isDownloadable {
        reason = "the feed has no file for it"
    } else if !episode.isListed {
        reason = "it left the feed"
    } else if episode.isSuspectedDuplicate {
        reason = "it looks like an episode that is known already"
    } else if let filter = rules.filterReason(for: episode) {
        return PlanLine(episode: episode, action: .skip, reason: filter, isFiltered: true)
    } else {
        return nil
    }
    return PlanLine(episode: episode, action: .skip, reason: reason)
}

/// What a rule has queued and wants no more.
private func leavingQueue(_ episode: EpisodeRecord, _ reason: String) -> PlanLine {
    var line = PlanLine(episode: episode, action: .skip, reason: reason)
    line.leavesQueue = true
    return line
}

/// What the user or an earlier attempt has decided.
private func settled(_ episode: EpisodeRecord) -> PlanLine? {
    let reason: String
    switch episode.state {
    case .queued, .waiting, .active:
        let asker = episode.origin == .user ? "requested by hand" : "wanted before"
        return PlanLine(episode: episode, action: .download, reason: "\(asker), and still in the queue")
    case .deleted: reason = "deleted" + (episode.reason.map { " (\($0))" } ?? "")
    case .missing: reason = "its file was removed by hand"
    case .paused: reason = "paused by hand"
    case .failed where !episode.mayRecover:
        reason = "the download failed" + (episode.reason.map { " (\($0))" } ?? "")
    case .none, .failed, .done, .skipped: return nil
    }
    return PlanLine(episode: episode, action: .skip, reason: reason)
}

/// Why an episode is not wanted at its place: `latest` asks for no more, or for more than `keep` leaves.
private func beyondLatest(_ place: Int, _ latest: Int) -> String {
    if place <= latest { return "'keep' leaves fewer files than 'latest' asks for" }
    return latest == 0 ? "'latest' is 0" : "it is not \(newestWords(latest))"
}

/// As `beyondLatest`, for those that were there at the subscription.
private func beyondFirst(_ place: Int, _ first: Int) -> String {
    if place <= first { return "'keep' leaves fewer files than 'first' asks for" }
    return first == 0 ? "'first' is 0" : "it was there when you subscribed, and 'first' is \(first)"
}

private func newestWords(_ count: Int) -> String {
    count == 1 ? "the newest episode" : "one of the newest \(count)"
}

extension DownloadState {
    /// Whether a download is still to come.
    var isPending: Bool { self == .queued || self == .waiting || self == .active }
}
