/// Hosts that could not be reached, who waits for them, and when they are probed next.
///
/// A value with the clock passed in. At most one transfer at a time asks a host whether it is back; the pauses
/// grow up to a limit, so that a return is noticed soon and an absence costs next to nothing.
struct UnreachableHosts {
    private struct Host {
        var waiting: [Int] = []
        var probing: Int?
        var failureCount = 0
        var nextProbe: ContinuousClock.Instant
    }

    private var hosts: [String: Host] = [:]
    private let policy: RetryPolicy
    /// When somebody began to wait; nil while nobody does.
    private var waitingSince: ContinuousClock.Instant?
    /// The earlier times of waiting that were in vain.
    private var vainWait: Duration = .zero

    init(policy: RetryPolicy) {
        self.policy = policy
    }

    /// Whether a job may ask the host: it is not away, or the job is the one that probes it.
    func mayAsk(_ host: String, job: Int) -> Bool {
        hosts[host].map { $0.probing == job } ?? true
    }

    func waiting(for host: String) -> [Int] {
        hosts[host]?.waiting ?? []
    }

    /// Notes that a job could not reach its host, or finds it among those away; returns the time of the next probe.
    mutating func wait(
        _ job: Int, for host: String, hasFailed: Bool, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        var entry = hosts[host] ?? Host(nextProbe: now)
        if hasFailed && (entry.probing == job || entry.probing == nil) {
            entry.probing = nil
            entry.failureCount += 1
            let pause = min(
                policy.firstDelay * (1 << min(entry.failureCount - 1, 20)), policy.maximumProbeDelay)
            entry.nextProbe = now + pause
        }
        if !entry.waiting.contains(job) { entry.waiting.append(job) }
        hosts[host] = entry
        waitingSince = waitingSince ?? now
        return entry.nextProbe
    }

    /// How long somebody has waited since a host last came back.
    func waitedTime(now: ContinuousClock.Instant) -> Duration {
        vainWait + (waitingSince.map { now - $0 } ?? .zero)
    }

    /// Takes the jobs that shall probe now, one for each host that is due.
    mutating func takeProbes(now: ContinuousClock.Instant) -> [Int] {
        var probes: [Int] = []
        for (name, host) in hosts where host.probing == nil && host.nextProbe <= now {
            guard let job = host.waiting.first else { continue }
            hosts[name]?.waiting.removeFirst()
            hosts[name]?.probing = job
            probes.append(job)
        }
        return probes.sorted()
    }

    /// Notes that a host answers again; returns the jobs that waited for it.
    mutating func answered(_ host: String, now: ContinuousClock.Instant) -> [Int] {
        guard let host = hosts.removeValue(forKey: host) else { return [] }
        vainWait = .zero
        waitingSince = hosts.isEmpty ? nil : now
        return host.waiting
    }

    /// Forgets a job that has ended.
    mutating func remove(_ job: Int, now: ContinuousClock.Instant) {
        for name in Array(hosts.keys) {
            hosts[name]?.waiting.removeAll { $0 == job }
            if hosts[name]?.probing == job { hosts[name]?.probing = nil }
            if hosts[name]?.waiting.isEmpty == true && hosts[name]?.probing == nil { hosts[name] = nil }
        }
        if hosts.isEmpty, let since = waitingSince {
            vainWait += now - since
            waitingSince = nil
        }
    }

    /// When the next probe is due; nil while none is.
    var nextProbe: ContinuousClock.Instant? {
        hosts.values.filter { $0.probing == nil && !$0.waiting.isEmpty }.map(\.nextProbe).min()
    }
}
