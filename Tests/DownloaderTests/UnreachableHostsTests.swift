import Testing

@testable import Downloader

@Suite
struct UnreachableHostsTests {
    private let start = ContinuousClock.now
    private var hosts = UnreachableHosts(policy: RetryPolicy())

    @Test mutating func `one probe at a time asks a host for all who wait`() {
        for job in 1...3 { _ = hosts.wait(job, for: "h", hasFailed: true, now: start) }
        #expect(hosts.takeProbes(now: start).isEmpty)
        #expect(hosts.takeProbes(now: start + .seconds(8)) == [1])
        #expect(hosts.takeProbes(now: start + .seconds(60)).isEmpty)
        #expect(hosts.mayAsk("h", job: 1))
        #expect(!hosts.mayAsk("h", job: 2))
        #expect(!hosts.mayAsk("h", job: 9))
        #expect(hosts.mayAsk("other", job: 9))
    }

    @Test mutating func `an answer wakes all others at once`() {
        for job in 1...3 { _ = hosts.wait(job, for: "h", hasFailed: true, now: start) }
        _ = hosts.takeProbes(now: start + .seconds(8))
        #expect(hosts.answered("h", now: start + .seconds(8)) == [2, 3])
        #expect(hosts.mayAsk("h", job: 2))
        #expect(hosts.answered("h", now: start + .seconds(8)).isEmpty)
    }

    @Test mutating func `the pauses double up to four seconds`() {
        var now = start
        var pauses: [Duration] = []
        for _ in 1...6 {
            let next = hosts.wait(1, for: "h", hasFailed: true, now: now)
            pauses.append(next - now)
            now = next
            #expect(hosts.takeProbes(now: now) == [1])
        }
        #expect(pauses == [1, 2, 4, 4, 4, 4].map { Duration.seconds($0) })
    }

    @Test mutating func `hosts are probed apart from each other`() {
        _ = hosts.wait(1, for: "a", hasFailed: true, now: start)
        _ = hosts.wait(2, for: "b", hasFailed: true, now: start)
        #expect(hosts.takeProbes(now: start + .seconds(1)) == [1, 2])
    }

    @Test mutating func `a probe that is cancelled leaves its place to the next`() {
        for job in 1...2 { _ = hosts.wait(job, for: "h", hasFailed: true, now: start) }
        #expect(hosts.takeProbes(now: start + .seconds(8)) == [1])
        hosts.remove(1, now: start)
        #expect(hosts.takeProbes(now: start + .seconds(8)) == [2])
        hosts.remove(2, now: start)
        #expect(hosts.nextProbe == nil)
        #expect(hosts.mayAsk("h", job: 3))
    }

    @Test mutating func `the time of waiting adds up over hosts, and a return begins it anew`() {
        _ = hosts.wait(1, for: "a", hasFailed: true, now: start)
        _ = hosts.wait(2, for: "b", hasFailed: true, now: start + .seconds(10))
        hosts.remove(1, now: start + .seconds(20))
        #expect(hosts.waitedTime(now: start + .seconds(30)) == .seconds(30))
        hosts.remove(2, now: start + .seconds(40))
        #expect(hosts.waitedTime(now: start + .seconds(100)) == .seconds(40))
        _ = hosts.wait(3, for: "c", hasFailed: true, now: start + .seconds(100))
        #expect(hosts.waitedTime(now: start + .seconds(110)) == .seconds(50))
        _ = hosts.answered("never away", now: start + .seconds(110))
        #expect(hosts.waitedTime(now: start + .seconds(110)) == .seconds(50))
        _ = hosts.answered("c", now: start + .seconds(120))
        #expect(hosts.waitedTime(now: start + .seconds(200)) == .zero)
    }
}
