import Testing

@testable import Aggregator

@Suite struct RefreshQueueTests {
    private let start = ContinuousClock.now

    /// Takes all feeds that may be asked now.
    private func taken(from queue: inout RefreshQueue, at now: ContinuousClock.Instant) -> [Int] {
        var feeds: [Int] = []
        while let feed = queue.next(now: now) { feeds.append(feed) }
        return feeds
    }

    @Test func `two at once from one host, the others in turn`() {
        var queue = RefreshQueue(hosts: ["a", "a", "a", "b", "a", "c"])
        #expect(taken(from: &queue, at: start) == [0, 3, 5, 1])
        #expect(queue.end(3, .answered, now: start) == .goOn)
        #expect(taken(from: &queue, at: start) == [])
        #expect(queue.end(1, .answered, now: start) == .goOn)
        #expect(taken(from: &queue, at: start) == [2])
        #expect(queue.end(0, .answered, now: start) == .goOn)
        #expect(queue.end(2, .answered, now: start) == .goOn)
        #expect(taken(from: &queue, at: start) == [4])
    }

    @Test func `no more at once than the limit`() {
        var queue = RefreshQueue(hosts: (0..<100).map { "host \($0)" })
        #expect(taken(from: &queue, at: start) == Array(0..<32))
        _ = queue.end(7, .answered, now: start)
        #expect(taken(from: &queue, at: start) == [32])
    }

    @Test func `a host that asks for a pause gets it, and the others go on`() {
        var queue = RefreshQueue(hosts: ["a", "a", "a", "b", "b", "b"])
        #expect(taken(from: &queue, at: start) == [0, 3, 1, 4])
        let pause = RefreshQueue.Ending.asksForPause(.seconds(5))
        #expect(queue.end(0, pause, now: start) == .again(at: start + .seconds(5)))
        #expect(queue.end(1, pause, now: start) == .again(at: start + .seconds(5)))
        #expect(queue.end(3, .answered, now: start) == .goOn)
        #expect(taken(from: &queue, at: start + .seconds(4)) == [5])
        #expect(Set(taken(from: &queue, at: start + .seconds(5))) == [0, 1])
        _ = queue.end(0, .answered, now: start + .seconds(5))
        #expect(taken(from: &queue, at: start + .seconds(5)) == [2])
    }

    @Test(arguments: [
        RefreshQueue.Ending.asksForPause(.seconds(61)), .asksForPause(nil), .away,
    ])
    func `a host that asks for a long pause, or is away, is given up`(_ ending: RefreshQueue.Ending) {
        var queue = RefreshQueue(hosts: ["a", "b", "a", "a", "a"])
        #expect(taken(from: &queue, at: start) == [0, 1, 2])
        #expect(queue.end(0, ending, now: start) == .givenUp([3, 4]))
        #expect(queue.end(2, .answered, now: start) == .goOn)
        #expect(taken(from: &queue, at: start + .seconds(1000)) == [])
    }

    @Test func `a host that asks for one pause after the other is given up, unless it answers in between`() {
        var queue = RefreshQueue(hosts: ["a", "a"], limits: RefreshLimits(perHost: 1, pauseCount: 2))
        var now = start
        let pause = RefreshQueue.Ending.asksForPause(.seconds(1))
        for _ in 0..<2 {
            #expect(taken(from: &queue, at: now) == [0])
            #expect(queue.end(0, pause, now: now) == .again(at: now + .seconds(1)))
            now += .seconds(1)
        }
        #expect(taken(from: &queue, at: now) == [0])
        #expect(queue.end(0, .answered, now: now) == .goOn)
        for _ in 0..<2 {
            #expect(taken(from: &queue, at: now) == [1])
            #expect(queue.end(1, pause, now: now) == .again(at: now + .seconds(1)))
            now += .seconds(1)
        }
        #expect(taken(from: &queue, at: now) == [1])
        #expect(queue.end(1, pause, now: now) == .givenUp([]))
    }

    @Test func `five thousand feeds on two thousand hosts are each asked once`() {
        var queue = RefreshQueue(hosts: (0..<5000).map { "host \($0 % 2000)" })
        var asked: [Int] = []
        while let feed = queue.next(now: start) {
            asked.append(feed)
            _ = queue.end(feed, .answered, now: start)
        }
        #expect(asked.sorted() == Array(0..<5000))
    }
}
