/// How much a refresh asks for at once, and how patient it is.
struct RefreshLimits: Equatable, Sendable {
    /// More requests at once would only wait inside libcurl.
    var total = 32
    var perHost = 2

    /// A host that asks for a longer pause is left alone for the rest of the run.
    var longestPause: Duration = .seconds(60)

    /// Pauses in a row, without an answer in between, that a host is granted.
    var pauseCount = 3
}

/// Which feeds are asked next: the hosts in turn, none too often at once, none during a pause it asked for.
///
/// A value with the clock passed in; feeds are named by their place in the list.
struct RefreshQueue {
    /// What a request says about its host.
    enum Ending: Equatable {
        case answered

        /// 429, or 503 with `Retry-After`; nil where no time is named.
        case asksForPause(Duration?)

        /// It cannot be found or connected to.
        case away
    }

    /// What follows.
    enum Consequence: Equatable {
        case goOn

        /// The feed is in the queue again, and its host's turn comes at this time.
        case again(at: ContinuousClock.Instant)

        /// The feed has failed, and these of the same host are not asked in this run.
        case givenUp([Int])
    }

    private struct Host {
        /// The next one last.
        var waiting: [Int] = []
        var running = 0
        var pauseCount = 0
        var pausedUntil: ContinuousClock.Instant?
    }

    private let hostNames: [String]
    private let limits: RefreshLimits
    private var hosts: [String: Host] = [:]
    /// The hosts with waiting feeds; the one whose turn is next first.
    private var turns: [String] = []
    private var running = 0

    /// Takes the name of the host of each feed.
    init(hosts names: [String], limits: RefreshLimits = RefreshLimits()) {
        hostNames = names
        self.limits = limits
        for (feed, name) in names.enumerated().reversed() {
            hosts[name, default: Host()].waiting.append(feed)
        }
        var seen: Set<String> = []
        turns = names.filter { seen.insert($0).inserted }
    }

    /// Takes the feed to ask now; nil while there is none.
    mutating func next(now: ContinuousClock.Instant) -> Int? {
        guard running < limits.total else { return nil }
        for (turn, name) in turns.enumerated() {
            guard var host = hosts[name], host.running < limits.perHost, (host.pausedUntil ?? now) <= now,
                let feed = host.waiting.popLast()
            else { continue }
            host.running += 1
            running += 1
            hosts[name] = host
            turns.remove(at: turn)
            if !host.waiting.isEmpty { turns.append(name) }
            return feed
        }
        return nil
    }

    /// Notes how a request ended.
    mutating func end(_ feed: Int, _ ending: Ending, now: ContinuousClock.Instant) -> Consequence {
        let name = hostNames[feed]
        guard var host = hosts[name] else { return .goOn }
        host.running -= 1
        running -= 1
        defer { hosts[name] = host }
        switch ending {
        case .answered:
            host.pauseCount = 0
            return .goOn
        case .asksForPause(let pause?) where pause <= limits.longestPause:
            let isPaused = host.pausedUntil.map { $0 > now } ?? false
            // The requests that were under way when the pause began count once.
            if !isPaused { host.pauseCount += 1 }
            guard host.pauseCount <= limits.pauseCount else { return giveUp(&host, name) }
            let end = max(host.pausedUntil ?? now, now + pause)
            host.pausedUntil = end
            host.waiting.append(feed)
            if !turns.contains(name) { turns.append(name) }
            return .again(at: end)
        case .asksForPause, .away:
            return giveUp(&host, name)
        }
    }

    private mutating func giveUp(_ host: inout Host, _ name: String) -> Consequence {
        defer { host.waiting = [] }
        turns.removeAll { $0 == name }
        return .givenUp(host.waiting.reversed())
    }
}
