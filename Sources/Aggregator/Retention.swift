import EpisodeStore
import FoundationEssentials

/// Decides which finished files of one feed stay.
///
/// `files` come newest first; `coming` are the downloads that are planned. What is marked `keep`, in progress or was requested
/// by hand stays whatever the rules say, and takes no place in the count of `keep`.
func planRetention(
    of files: [EpisodeRecord], coming: [EpisodeRecord] = [], by rules: PolicyRules, now: Date
) -> [PlanLine] {
    let places = retentionPlaces(of: files, coming: coming, by: rules)
    return files.map { file in
        var line = retentionLine(of: file, places[file.id], rules, now: now)
        line.comesInTurn = rules.order == .oldest && !file.isPlayed
        return line
    }
}

private func retentionLine(
    of file: EpisodeRecord, _ place: RetentionPlace?, _ rules: PolicyRules, now: Date
) -> PlanLine {
    if let protection = protection(of: file) {
        return PlanLine(episode: file, action: .keep, reason: protection, isProtected: true)
    }
    switch rules.keep {
    case .all:
        return PlanLine(episode: file, action: .keep, reason: "no rule says that it must go")
    case .files(let count):
        let words = KeepWords(count: count, rules: rules, file: file)
        guard let place else { break }
        if place.among > count {
            return PlanLine(episode: file, action: .delete, reason: words.goes(areThere: true))
        }
        // An old file goes when the new one has really come.
        if place.among + place.behindComing > count {
            return PlanLine(
                episode: file, action: .delete, reason: words.goes(areThere: false),
                waitsForDownloads: true)
        }
        return PlanLine(episode: file, action: .keep, reason: words.stays)
    case .days(let days):
        let age = now.timeIntervalSince(file.downloadedAt ?? now) / 86_400
        return age <= Double(days)
            ? PlanLine(episode: file, action: .keep, reason: "downloaded less than \(dayCount(days)) ago")
            : PlanLine(
                episode: file, action: .delete,
                reason: "'keep' is \(days)d, and it was downloaded \(dayCount(Int(age))) ago")
    }
    return PlanLine(episode: file, action: .keep, reason: "no rule says that it must go")
}

/// Where a file stands in the count of `keep`.
private struct RetentionPlace {
    /// Its place among the files, from 1.
    let among: Int

    /// How many planned downloads stand before it.
    let behindComing: Int
}

/// The places of the files that no rule spares, from the one that stays longest on.
///
/// With `order newest` the newest stay; with `order oldest` those that are to be heard next, then what was heard last. What
/// takes no place of `latest` has the last ones: it goes before what the rules fetch in its stead.
private func retentionPlaces(
    of files: [EpisodeRecord], coming: [EpisodeRecord], by rules: PolicyRules
) -> [EpisodeID: RetentionPlace] {
    let unspared = files.filter { protection(of: $0) == nil }
    let planned = coming.filter { $0.origin != .user }
    let newestFirst = (unspared.filter(rules.takesPlace) + planned)
        .sorted { ($0.sortDate, $0.id) > ($1.sortDate, $1.id) }
    let wanted =
        switch rules.order {
        case .newest: newestFirst
        case .oldest:
            listeningOrder(newestFirst.filter { !$0.isPlayed }, rules) + newestFirst.filter(\.isPlayed)
        }
    let comingIDs = Set(planned.map(\.id))
    var places: [EpisodeID: RetentionPlace] = [:]
    var comingCount = 0
    for episode in wanted + unspared.filter({ !rules.takesPlace($0) }) {
        if comingIDs.contains(episode.id) {
            comingCount += 1
        } else {
            places[episode.id] = RetentionPlace(among: places.count + 1, behindComing: comingCount)
        }
    }
    return places
}

/// What is said of a file under `keep N`.
private struct KeepWords {
    let count: Int
    let rules: PolicyRules
    let file: EpisodeRecord

    private var filter: String? { rules.reasonForNoPlace(file) }
    private var isOne: Bool { count == 1 }

    /// Why it goes; `areThere` tells whether what takes its place is there already, or comes.
    func goes(areThere: Bool) -> String {
        let others =
            switch rules.order {
            case .newest: isOne ? "a newer file" : "newer files"
            case .oldest: "the next to listen to"
            }
        let verb = areThere ? (isOne ? "is there" : "are there") : (isOne ? "comes" : "come")
        return "'keep' is \(count), and \(filter ?? "\(others) \(verb)")"
    }

    var stays: String {
        if filter != nil || rules.order == .oldest && file.isPlayed { return "'keep' leaves a place for it" }
        return switch rules.order {
        case .newest: isOne ? "the newest file" : "one of the newest \(count) files"
        case .oldest: isOne ? "the next to listen to" : "one of the next \(count) to listen to"
        }
    }
}

/// Says what protects a finished file from every rule; nil where nothing does.
func protection(of file: EpisodeRecord) -> String? {
    if file.isKept { return "marked 'keep'" }
    if file.position > .zero, !file.isPlayed { return "in progress" }
    return file.isSpared ? "requested by hand" : nil
}

extension Aggregator {
    /// Says that the rules leave a finished file alone because the user asked for it; nil where no rule would delete it.
    func exemption(of id: EpisodeID) async -> String? {
        guard let episode = try? await library.episode(id), episode.origin == .user,
            let feed = try? await library.feed(episode.feedID)
        else { return nil }
        let mayGo = PolicyRules(feed.settings, over: settings.forFeeds).keep != .all
        guard mayGo || settings.storageLimit != nil else { return nil }
        return "no rule deletes it; 'podget mark unkeep \(id)' lets the rules have it"
    }
}

private func dayCount(_ days: Int) -> String {
    days == 1 ? "1 day" : "\(days) days"
}

/// Makes the plan fit the storage limit: says which files must go, and which downloads find no room.
///
/// What was played goes first, then what is oldest; for the sake of a download only what was played or is older than
/// it. A download of unknown size is let through: the transfer itself asks again when the size is known.
func fitPlan(_ lines: [PlanLine], into limit: Int64) -> [PlanLine] {
    var room = Room(lines, limit: limit)
    room.makeRoom(for: 0) { _ in true }
    // Whether a download that the user asked for waits for room.
    var isAwaited = false
    for index in orderOfRoom(lines) {
        let episode = lines[index].episode
        let size = max(0, episode.expectedByteCount ?? episode.enclosureLength ?? 0)
        let fits = room.makeRoom(for: size) { file in
            // A part that is lost spoils the story; and room that is made goes to what waits for it by the user's wish.
            !isAwaited
                && (file.episode.isPlayed || file.episode.sortDate < episode.sortDate && !file.comesInTurn)
        }
        if fits {
            room.used = byteSum([room.used, size])
        } else {
            // What the user asked for waits in the queue; what the rules want comes again once there is room.
            let stays = episode.state.isPending && episode.origin == .user
            if stays { isAwaited = true }
            room.lines[index] = PlanLine(
                episode: episode, action: .skip,
                reason: "no room for it within 'storageLimit'" + (stays ? ", and it stays in the queue" : ""),
                leavesQueue: episode.state.isPending && !stays)
        }
    }
    return room.lines
}

/// The places of the downloads in a plan, in the order in which they find room: what the user asked for, then the newest
/// first, but those of a feed that is heard in turn in that order.
private func orderOfRoom(_ lines: [PlanLine]) -> [Int] {
    let downloads = lines.indices.filter { lines[$0].action == .download }
    var turns = Dictionary(grouping: downloads.filter { lines[$0].comesInTurn }) { lines[$0].episode.feedID }
        .mapValues { $0[...] }
    return downloads.sorted { left, right in
        let (first, second) = (lines[left].episode, lines[right].episode)
        let (isFirstAsked, isSecondAsked) = (first.origin == .user, second.origin == .user)
        return isFirstAsked == isSecondAsked ? first.sortDate > second.sortDate : isFirstAsked
    }.map { index in
        lines[index].comesInTurn ? turns[lines[index].episode.feedID]?.popFirst() ?? index : index
    }
}

/// The lines of a plan while it is made to fit.
private struct Room {
    var lines: [PlanLine]
    var used: Int64
    let limit: Int64

    /// The files that may go, in the order in which they do.
    private var candidates: [Int]

    init(_ lines: [PlanLine], limit: Int64) {
        self.lines = lines
        self.limit = limit
        // What waits for newer files to come still takes its room, and is the first to give it up.
        let kept = lines.indices.filter { lines[$0].action == .keep || lines[$0].waitsForDownloads }
        used = byteSum(kept.map { lines[$0].episode.byteCount ?? 0 })
        candidates = kept.filter { !lines[$0].isProtected }.sorted { left, right in
            if lines[left].waitsForDownloads != lines[right].waitsForDownloads {
                return lines[left].waitsForDownloads
            }
            let comesInTurn = lines[left].comesInTurn
            if comesInTurn != lines[right].comesInTurn { return !comesInTurn }
            let (left, right) = (lines[left].episode, lines[right].episode)
            if left.isPlayed != right.isPlayed { return left.isPlayed }
            // Of what is heard in turn, what is farthest from it.
            let precedes = (left.sortDate, left.id) < (right.sortDate, right.id)
            return comesInTurn ? !precedes : precedes
        }
    }

    /// Deletes as many of the files that `mayGo` as are needed; where even all of them are too few, none.
    @discardableResult
    mutating func makeRoom(for byteCount: Int64, mayGo: (PlanLine) -> Bool) -> Bool {
        var freed: Int64 = 0
        var chosen: [Int] = []
        for index in candidates
        where byteSum([used - freed, byteCount]) > limit && mayGo(lines[index]) {
            freed += lines[index].episode.byteCount ?? 0
            chosen.append(index)
        }
        let fits = byteSum([used - freed, byteCount]) <= limit
        // Over the limit as things stand: every file that goes helps.
        guard fits || byteCount == 0 else { return false }
        for index in chosen {
            let file = lines[index].episode
            let reason =
                file.isPlayed
                ? "it is played" : lines[index].comesInTurn ? "its turn comes last" : "it is the oldest"
            var line = PlanLine(
                episode: file, action: .delete, reason: "'storageLimit' is reached, and \(reason)")
            line.comesInTurn = lines[index].comesInTurn
            lines[index] = line
        }
        candidates.removeAll(where: chosen.contains)
        used -= freed
        return fits
    }
}
