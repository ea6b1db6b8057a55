import Foundation
import TestServer
import Testing

@testable import podget

/// A feed that changes between two syncs: what is the same episode, and what is fetched for it.
@Suite(.timeLimit(.minutes(5)))
struct TwoFetchesTests {
    /// One item of an invented feed, `DATE` and `URL` in its own words.
    struct Item: Sendable {
        var title: String
        var guid: String?
        var path: String
        var day: Int?

        init(_ title: String, guid: String?, _ path: String, day: Int?) {
            self.title = title
            self.guid = guid
            self.path = path
            self.day = day
        }

        func xml(_ server: DummyServer) -> String {
            let date = day.map { "<pubDate>\($0) Nov 2026 06:00:00 GMT</pubDate>" } ?? ""
            let guid = guid.map { "<guid>\($0)</guid>" } ?? ""
            return """
                <item><title>\(title)</title>\(guid)\(date)
                <enclosure url="\(server.url(path))" type="audio/mpeg" length="1"/></item>
                """
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var latest = 1
        let documents: [[Item]]
        /// The media paths asked for in the first sync and in the later ones.
        let fetched: [[String]]
        let episodeCount: Int

        init(
            _ description: String, latest: Int = 1, _ documents: [[Item]], fetched: [[String]], episodes: Int
        ) {
            testDescription = description
            self.latest = latest
            self.documents = documents
            self.fetched = fetched
            episodeCount = episodes
        }
    }

    private static let one = Item("One", guid: "1", "/1.mp3", day: 1)
    private static let unnamed = (1...3).map { (number: Int) in
        Item("Part \(number)", guid: nil, "/\(number).mp3", day: number)
    }
    private static let two = Item("Two", guid: "2", "/2.mp3", day: 2)

    @Test(arguments: [
        Case(
            "a rotating token is no new episode",
            [
                [Item("One", guid: "1", "/1.mp3?token=a", day: 1)],
                [Item("One", guid: "1", "/1.mp3?token=b", day: 1)],
            ],
            fetched: [["/1.mp3?token=a"], []], episodes: 1),
        Case(
            "a new guid for the same file is no new episode",
            [[one], [Item("One", guid: "other", "/1.mp3", day: 1)]], fetched: [["/1.mp3"], []], episodes: 1),
        Case(
            "a new title and a new address under the same guid are no second file",
            [[one], [Item("One, mended", guid: "1", "/1b.mp3", day: 1)]], fetched: [["/1.mp3"], []],
            episodes: 1),
        Case(
            "hourly news are two episodes", latest: 2,
            [[Item("News", guid: "8am", "/8.mp3", day: 1), Item("News", guid: "7am", "/7.mp3", day: 1)]],
            fetched: [["/7.mp3", "/8.mp3"]], episodes: 2),
        Case(
            "a second item with exactly the same date is fetched",
            [[one], [Item("Two", guid: "2", "/2.mp3", day: 1), one]], fetched: [["/1.mp3"], ["/2.mp3"]],
            episodes: 2),
        Case(
            "an item with an older date is found", latest: 2,
            [[two], [two, one]], fetched: [["/2.mp3"], ["/1.mp3"]], episodes: 2),
        Case(
            "an item without a date is found",
            [[one], [Item("Two", guid: "2", "/2.mp3", day: nil), one]], fetched: [["/1.mp3"], ["/2.mp3"]],
            episodes: 2),
        Case(
            "a date that changes at each poll makes nothing new",
            [[one], [Item("One", guid: "1", "/1.mp3", day: 5)], [Item("One", guid: "1", "/1.mp3", day: 9)]],
            fetched: [["/1.mp3"], [], []], episodes: 1),
        Case(
            "items that leave the feed are kept", latest: 2,
            [[two, one], [two]], fetched: [["/1.mp3", "/2.mp3"], []], episodes: 2),
        Case(
            "the newest is the newest by date, whatever the order", [[one, two]], fetched: [["/2.mp3"]],
            episodes: 2),
        Case(
            "three items without guid are three, at every fetch", latest: 3,
            [unnamed, unnamed.reversed()], fetched: [["/1.mp3", "/2.mp3", "/3.mp3"], []], episodes: 3),
    ])
    func `the same episode is fetched once, another one is fetched`(_ test: Case) async throws {
        let server = try DummyServer()
        defer { server.stop() }
        let documents = test.documents.map { items in
            let xml = items.map { $0.xml(server) }.joined()
            return Reply.feed("<rss version=\"2.0\"><channel><title>Show</title>\(xml)</channel></rss>")
        }
        // Subscribing and the first sync see the same document.
        server.serve("/feed.xml", inTurn: [documents[0]] + documents)
        for name in ["1", "1b", "2", "3", "7", "8"] { server.serve("/\(name).mp3", .pattern(10_000)) }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "\(test.latest)", server.url("/feed.xml"))
        var seen = 0
        for fetched in test.fetched {
            #expect(await home.podget("sync").code == .done)
            let requests = server.requests.map(\.target).filter { $0.contains(".mp3") }
            #expect(requests[seen...].sorted() == fetched)
            seen = requests.count
        }
        struct Line: Decodable { let id: Int64 }
        let episodes = try await home.podget("episodes", "--json").json([Line].self)
        #expect(episodes.count == test.episodeCount)
        #expect(home.mediaFiles().count == Set(test.fetched.joined()).count)
    }

    @Test func `what was deleted stays deleted, also when it leaves the feed and comes back`() async throws {
        let server = try DummyServer()
        defer { server.stop() }
        let documents = [[Self.one], [Self.one], [Self.one], [], [Self.one]].map { items in
            let xml = items.map { $0.xml(server) }.joined()
            return Reply.feed("<rss version=\"2.0\"><channel><title>Show</title>\(xml)</channel></rss>")
        }
        server.serve("/feed.xml", inTurn: documents)
        server.serve("/1.mp3", .pattern(10_000))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        await home.podget("delete", "1")
        for _ in 1...3 { #expect(await home.podget("sync").code == .done) }
        #expect(server.requests(to: "/1.mp3").count == 1)
        #expect(await home.podget("why", "1").output.contains("deleted (deleted by the user)"))
    }

    @Test func `one file in two feeds is two episodes, and deleting one keeps the other's file`() async throws
    {
        let server = try DummyServer()
        defer { server.stop() }
        for name in ["a", "b"] {
            let xml = Self.one.xml(server)
            server.serve(
                "/\(name).xml",
                .feed("<rss version=\"2.0\"><channel><title>\(name)</title>\(xml)</channel></rss>"))
        }
        server.serve("/1.mp3", .pattern(10_000))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/a.xml"), server.url("/b.xml"))
        await home.podget("sync")
        #expect(home.mediaFiles() == ["a/2026-11-01 One.mp3", "b/2026-11-01 One.mp3"])
        await home.podget("delete", "a:latest")
        await home.podget("sync")
        #expect(home.mediaFiles() == ["b/2026-11-01 One.mp3"])
    }
}
