import TestServer
import Testing

@testable import Downloader

@Suite(.timeLimit(.minutes(5)))
struct MeteredConnectionTests {
    @Test(arguments: [
        ("u 1\n", true), ("u 3\n", true), ("u 0\n", false), ("u 2\n", false), ("u 4\n", false),
        ("u 13", false),
        ("s \"1\"\n", false), ("1\n", false), ("", false),
    ])
    func `a connection is metered if NetworkManager says or guesses so`(_ reply: String, _ isMetered: Bool) {
        #expect(meansMetered(reply: reply) == isMetered)
    }

    @Test func `without a bus nothing is metered, and there is nothing to wait for`() async {
        let connection = MeteredConnection(busAddress: "unix:path=/nonexistent/bus")
        #expect(await !connection.isMetered())
        #expect(await connection.states().reduce(into: []) { $0.append($1) } == [false])
    }

    @Test(.enabled(if: PrivateBus.isInstalled))
    func `every change is told, and NetworkManager's leaving is one`() async throws {
        let bus = try PrivateBus()
        let connection = MeteredConnection(busAddress: bus.address)
        #expect(await !connection.isMetered())
        try bus.startManager(metered: 1)
        #expect(await connection.isMetered())
        var states = connection.states().makeAsyncIterator()
        #expect(await states.next() == true)
        for (value, isMetered) in [(4, false), (3, true), (2, false), (1, true)] {
            try bus.setMetered(value)
            #expect(await states.next() == isMetered)
        }
        bus.stopManager()
        #expect(await states.next() == false)
        #expect(bus.isWatched)
    }

    @Test(.enabled(if: PrivateBus.isInstalled))
    func `who stops watching leaves no program behind`() async throws {
        let bus = try PrivateBus()
        try bus.startManager(metered: 1)
        for await isMetered in MeteredConnection(busAddress: bus.address).states() where isMetered { break }
        try bus.waitUntilUnwatched()
    }
}
