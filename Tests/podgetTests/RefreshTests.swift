import EpisodeStore
import Foundation
import TestServer
import Testing

@testable import podget

/// Asking feeds for news against a real server on loopback.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    struct FeedLine: Decodable {
        let slug: String
        let title: String
        let url: String
        let episodes: Int
        let lastError: String?
    }

    let home: TestHome
    let server: DummyServer

    init() throws {
        home = try TestHome()
        server = try DummyServer(hostCount: 4)
    }

    private func items(_ numbers: [Int]) -> [FeedItem] {
        numbers.map { FeedItem(title: "Part \($0)", guid: "g\($0)", url: server.url("/\($0).mp3"), day: $0) }
    }

    private func document(_ numbers: [Int], title: String = "Show", head: String = "") -> String {
        feed(title, items(numbers)).replacing(
            "<itunes:type>", with: head + "<itunes:type>", maxReplacements: 1)
    }

    private func feeds() async throws -> [FeedLine] {
        try await home.podget("feeds", "--json").json([FeedLine].self)
    }

    // MARK: Unchanged feeds

    @Test func `both validators are sent, and those of a 304 are kept`() async throws {
        server.serve("/feed") { request, count in
            var reply = Reply.feed(document([1]))
            reply.honoursConditions = false
            reply.etag = "W/\"\(count)\""
            reply.lastModified = "Mon, 0\(count) Nov 2026 10:00:00 GMT"
            if count > 1 { reply.status = 304 }
            return reply
        }
        await home.podget("subscribe", server.url("/feed"))
        for _ in 0..<2 { #expect(await home.podget("refresh").code == .done) }
        let requests = server.requests(to: "/feed")
        #expect(requests.map { $0.headers["if-none-match"] } == [nil, "W/\"1\"", "W/\"2\""])
        #expect(
            requests.map { $0.headers["if-modified-since"] } == [
                nil, "Mon, 01 Nov 2026 10:00:00 GMT", "Mon, 02 Nov 2026 10:00:00 GMT",
            ])
        #expect(requests.allSatisfy { $0.headers["accept-encoding"]?.contains("gzip") == true })
    }

    @Test(arguments: ["Last-Modified only", "ETag only", "neither"])
    func `an unchanged feed writes nothing of its episodes`(_ kind: String) async throws {
        var reply = Reply.feed(document([1, 2]))
        if kind == "ETag only" { reply.etag = "\"x\"" }
        if kind == "Last-Modified only" { reply.lastModified = "Mon, 02 Nov 2026 10:00:00 GMT" }
        server.serve("/feed", reply)
        await home.podget("subscribe", server.url("/feed"))
        let before = await home.podget("show", "show").output
        let full = try await home.lastFullFetch()
        #expect(
            await home.podget("refresh").output == "1 feed refreshed, 0 new episodes, 0 files downloaded\n")
        // A document that was read and stored again would have moved this date.
        #expect(try await home.lastFullFetch() == full)
        #expect(server.requests(to: "/feed").count == 2)
        #expect(before.contains("Next check:"))
    }

    @Test func `after two weeks a feed is asked without conditions`() async throws {
        server.serve("/feed", .feed(document([1])).with { $0.etag = "\"x\"" })
        let start = Date()
        await home.podget("subscribe", server.url("/feed"), at: start)
        await home.podget("refresh", at: start.addingTimeInterval(13 * 86_400))
        await home.podget("refresh", at: start.addingTimeInterval(15 * 86_400))
        await home.podget("refresh", at: start.addingTimeInterval(16 * 86_400))
        #expect(
            server.requests(to: "/feed").map { $0.headers["if-none-match"] } == [nil, "\"x\"", nil, "\"x\""])
    }

    @Test func `a document that was cut off does not pass for unchanged`() async throws {
        let whole = document([1, 2])
        let cut = String(whole.prefix(whole.count - 40))
        server.serve("/feed", .feed(cut).with { $0.etag = "\"x\"" })
        let warning = "podget: Show: the feed is cut off; what could be read of it is kept\n"
        #expect(await home.podget("subscribe", server.url("/feed")).errors == warning)
        // It is told of each time, and the list shows it, until the feed is whole again.
        #expect(await home.podget("sync", "--no-download").errors == warning)
        #expect(await home.podget("feeds").output.contains("the feed is cut off"))
        server.serve("/feed", .feed(whole).with { $0.etag = "\"x\"" })
        await home.podget("refresh")
        #expect(try await feeds().map(\.episodes) == [2])
        #expect(!(await home.podget("feeds").output.contains("the feed is cut off")))
    }

    @Test func `a feed that fails is named by each sync, and the list tells since when`() async throws {
        server.serve("/feed", .feed(document([1], title: "Show")))
        server.serve("/gone", inTurn: [.feed(document([1], title: "Old")), .status(410)])
        await home.podget("subscribe", server.url("/feed"), server.url("/gone"), at: Date())
        server.serve("/feed", .status(500))
        for day in [1.0, 2] {
            let outcome = await home.podget(
                "sync", "--no-download", at: Date().addingTimeInterval(day * 86_400))
            #expect(outcome.errors.contains("podget: Show: "))
            #expect(outcome.errors.contains("gone for good"))
            #expect(outcome.output.contains(day == 1 ? "2 feeds failed (" : "1 feed failed (Show)"))
        }
        #expect(server.requests(to: "/gone").count == 2)
        // Whole also on a narrow terminal.
        let list = await home.podget("feeds", width: 40).output
        #expect(list.contains("(last worked "))
        #expect(list.contains("gone for good, asked no more; 'podget unsubscribe old' removes it"))
        #expect(await home.podget("feeds", "--json").output.contains(#""failures" : 2"#))
    }

    // MARK: Many feeds

    @Test func `one address is asked once, however it is written`() async throws {
        server.serve("/feed", .feed(document([1])))
        let address = server.url("/feed")
        await home.podget("subscribe", address, address + "#top", address.replacing("http:", with: "HTTP:"))
        await home.podget("refresh", "show", "1", address)
        #expect(server.requests.count == 2)
    }

    @Test func `a host that asks for a pause gets it, and the others go on`() async throws {
        for number in 0..<20 { server.serve("/\(number)", .feed(document([1], title: "Show \(number)"))) }
        server.serve("/other", .feed(document([1], title: "Other")))
        await home.podget("subscribe", server.url("/other", host: "127.0.0.2"))
        for number in 0..<20 { await home.podget("subscribe", server.url("/\(number)")) }
        server.clearLog()
        for number in 0..<20 {
            server.serve("/\(number)") { [server] _, _ in
                // The first two are too many.
                server.requests.count { $0.path != "/other" } <= 2
                    ? .status(number % 2 == 0 ? 429 : 503, headers: [("Retry-After", "1")])
                    : .feed(document([1, 2], title: "Show \(number)"))
            }
        }
        let refreshed = await home.podget("refresh")
        #expect(refreshed.code == .done)
        #expect(refreshed.errors == "podget: 127.0.0.1:\(server.port) asks for a pause of 1 s\n")
        #expect(refreshed.output.hasSuffix("21 feeds refreshed, 20 new episodes, 0 files downloaded\n"))
        #expect(server.requests.count == 23)
        // The other host was not kept waiting.
        #expect(server.requests.prefix(3).contains { $0.path == "/other" })
    }

    @Test func `a host that asks for an hour is left alone with all its feeds`() async throws {
        for number in 0..<20 { server.serve("/\(number)", .feed(document([1], title: "Show \(number)"))) }
        for number in 0..<20 { await home.podget("subscribe", server.url("/\(number)")) }
        let start = Date()
        server.clearLog()
        for number in 0..<20 { server.serve("/\(number)", .status(429, headers: [("Retry-After", "36000")])) }
        let refreshed = await home.podget("refresh", at: start)
        #expect(refreshed.code == .partly)
        #expect(refreshed.errors.contains("not asked, because its host asks for a pause"))
        #expect(server.requests.count <= 3)
        for number in 0..<20 { server.serve("/\(number)", .feed(document([1], title: "Show \(number)"))) }
        server.clearLog()
        await home.podget("refresh", "--scheduled", at: start.addingTimeInterval(35_000))
        #expect(server.requests.isEmpty)
        await home.podget("refresh", "--scheduled", at: start.addingTimeInterval(36_000 * 1.2))
        #expect(server.requests.count == 20)
    }

    @Test func `two slow feeds hold up the rest of their host only, and one host gets two requests at once`()
        async throws
    {
        for number in 0..<6 { server.serve("/slow/\(number)", .feed(document([1], title: "Slow \(number)"))) }
        for number in 0..<6 { server.serve("/\(number)", .feed(document([1], title: "Show \(number)"))) }
        for number in 0..<6 { await home.podget("subscribe", server.url("/slow/\(number)")) }
        for number in 0..<6 {
            await home.podget("subscribe", server.url("/\(number)", host: "127.0.0.\(2 + number % 3)"))
        }
        server.clearLog()
        for number in 0..<6 {
            let reply = Reply.feed(document([1, 2], title: "Slow \(number)"))
            server.serve("/slow/\(number)", reply.with { $0.stallAfter = 10 })
            server.serve("/\(number)", .feed(document([1, 2], title: "Show \(number)")))
        }
        let refresh = Task { await home.podget("refresh", "--verbose") }
        for number in 0..<6 { await server.waitForRequests(1, to: "/\(number)") }
        // All others have been asked, and of the slow host only as many as it may be asked at once.
        #expect(server.requests.count { $0.path.hasPrefix("/slow") } <= 2)
        for number in 0..<6 { server.release("/slow/\(number)") }
        let outcome = await refresh.value
        #expect(outcome.code == .done)
        #expect(outcome.output.hasSuffix("12 feeds refreshed, 12 new episodes, 0 files downloaded\n"))
    }

    // MARK: Failures

    @Test func `each feed of a host that is away is told with its own address`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        for number in 1...4 {
            server.serve("/\(number).xml", .feed(feed("Show \(number)", [])))
            await home.podget("subscribe", server.url("/\(number).xml"))
        }
        server.stop()
        let outcome = await home.podget("refresh")
        #expect(outcome.code == .partly)
        for number in 1...4 {
            let line = outcome.errors.split(separator: "\n").first { $0.contains("Show \(number): ") }
            #expect(line?.contains("/\(number).xml") == true, "\(outcome.errors)")
        }
    }

    @Test func `a feed that is gone is not polled any more, keeps its episodes and can be asked by name`()
        async throws
    {
        server.serve("/feed", .feed(document([1, 2])))
        await home.podget("subscribe", server.url("/feed"))
        server.serve("/feed", .status(410))
        let gone = await home.podget("refresh")
        #expect(gone.code == .partly)
        #expect(gone.errors.contains("it is gone for good and is asked no more"))
        server.clearLog()
        #expect(await home.podget("refresh").code == .done)
        await home.podget("refresh", "--scheduled", at: Date(timeIntervalSinceNow: 90 * 86_400))
        #expect(server.requests.isEmpty)
        #expect(try await feeds().map(\.episodes) == [2])
        #expect(await home.podget("show", "show").output.contains("Next check:  none: the server says"))
        server.serve("/feed", .feed(document([1, 2, 3])))
        await home.podget("refresh", "show")
        await home.podget("refresh")
        #expect(server.requests.count == 2)
        #expect(try await feeds().map(\.episodes) == [3])
    }

    @Test func `404 and a closed port back off, a feed that answers is asked on`() async throws {
        let other = try DummyServer()
        server.serve("/good", .feed(document([1], title: "Good")))
        server.serve("/lost", .feed(document([1], title: "Lost")))
        other.serve("/down", .feed(document([1], title: "Down")))
        await home.podget("subscribe", server.url("/good"), server.url("/lost"), other.url("/down"))
        server.serve("/lost", .status(404))
        other.stop()
        let start = Date()
        server.clearLog()
        for round in 1...3 {
            let outcome = await home.podget("refresh", at: start)
            #expect(outcome.code == .partly)
            #expect(outcome.output.contains("2 feeds failed"), "round \(round)")
        }
        // Three failures: four hours and the share of the feed's number.
        for (hours, lost) in [(3.9, 3), (4.6, 4)] {
            await home.podget("refresh", "--scheduled", at: start.addingTimeInterval(hours * 3600))
            #expect(server.requests(to: "/lost").count == lost)
        }
        #expect(try await feeds().map(\.episodes) == [1, 1, 1])
        #expect(await home.podget("show", "down").output.contains("it failed 4 times in a row"))
    }

    @Test func `without a network no feed is blamed and none is postponed`() async throws {
        server.serve("/feed", .feed(document([1])))
        server.serve("/other", .feed(document([1], title: "Other")))
        await home.podget("subscribe", server.url("/feed"), server.url("/other", host: "127.0.0.2"))
        let before = await home.podget("show", "show").output
        server.stop()
        let outcome = await home.podget("refresh")
        #expect(outcome.code == .partly)
        #expect(outcome.errors == "podget: there is no network; no feed is blamed for that\n")
        try server.start()
        let due = Date(timeIntervalSinceNow: 86_400)
        #expect(await home.podget("refresh", "--scheduled", at: due).output.hasPrefix("2 feeds refreshed"))
        #expect(before.contains("Next check"))
    }

    @Test func `a login page in place of the feed leaves everything as it is`() async throws {
        server.serve("/feed", .feed(document([1, 2])).with { $0.etag = "\"x\"" })
        await home.podget("subscribe", server.url("/feed"))
        server.serve("/feed", .text("<!DOCTYPE html><html><body>Log in</body></html>", type: "text/html"))
        let outcome = await home.podget("refresh")
        #expect(outcome.code == .partly)
        #expect(outcome.errors.contains("is a web page, not a feed"))
        #expect(try await feeds().map(\.episodes) == [2])
    }

    // MARK: The schedule

    @Test(arguments: [("Cache-Control: max-age=18000", ""), ("", "<ttl>300</ttl>")])
    func `the scheduled sync waits as long as it was asked to, a person does not`(
        _ header: String, _ element: String
    ) async throws {
        let parts = header.split(separator: ": ")
        let reply = Reply.feed(document([1], head: element)).with {
            if parts.count == 2 { $0.headers.append((String(parts[0]), String(parts[1]))) }
        }
        server.serve("/feed", reply)
        let start = Date()
        await home.podget("subscribe", server.url("/feed"), at: start)
        let early = start.addingTimeInterval(4.9 * 3600)
        let asked = await home.podget("sync", "--scheduled", "--no-download", at: early)
        #expect(asked.code == .done)
        #expect(server.requests.count == 1)
        await home.podget("sync", "--no-download", at: early)
        #expect(server.requests.count == 2)
        await home.podget("refresh", "--scheduled", at: early.addingTimeInterval(4.9 * 3600))
        #expect(server.requests.count == 2)
        await home.podget("refresh", "--scheduled", at: early.addingTimeInterval(5.7 * 3600))
        #expect(server.requests.count == 3)
    }

    @Test func `podget names itself, and a feed can be given another name`() async throws {
        server.serve("/feed", .feed(document([1])))
        await home.podget("subscribe", server.url("/feed"))
        #expect(server.requests.last?.headers["user-agent"] == "podget/\(Version.number)")
        try await home.setUserAgent("Mozilla/5.0 (odd host)", ofFeed: 1)
        await home.podget("refresh")
        #expect(server.requests.last?.headers["user-agent"] == "Mozilla/5.0 (odd host)")
    }

    // MARK: Addresses

    @Test(arguments: [301, 308])
    func `a permanent redirect to a feed changes the address, and the old one is still known`(
        _ status: Int
    ) async throws {
        server.serve("/old", .feed(document([1])).with { $0.etag = "\"old\"" })
        await home.podget("subscribe", server.url("/old"))
        server.serve("/old", .redirect(status, to: "/new"))
        server.serve("/new", .feed(document([1, 2])))
        #expect(await home.podget("refresh").code == .done)
        #expect(try await feeds().map(\.url) == [server.url("/new")])
        server.clearLog()
        let again = await home.podget("subscribe", server.url("/old"))
        #expect(again.output == "Already subscribed to Show\n")
        #expect(server.requests.isEmpty)
    }

    @Test func `a 304 behind a permanent redirect changes the address too, and keeps its validators`()
        async throws
    {
        server.serve("/old", .feed(document([1])).with { $0.etag = "\"x\"" })
        await home.podget("subscribe", server.url("/old"))
        server.serve("/old", .redirect(301, to: "/new"))
        server.serve("/new", .feed(document([1])).with { $0.etag = "\"x\"" })
        await home.podget("refresh")
        await home.podget("refresh")
        #expect(server.requests(to: "/old").count == 2)
        #expect(server.requests(to: "/new").map { $0.headers["if-none-match"] } == ["\"x\"", "\"x\""])
    }

    @Test(arguments: ["302", "307", "a web page", "an error", "a known feed"])
    func `the address stays`(_ kind: String) async throws {
        server.serve("/old", .feed(document([1])))
        server.serve("/known", .feed(document([1], title: "Known")))
        await home.podget("subscribe", server.url("/old"), server.url("/known"))
        switch kind {
        case "a web page": server.serve("/new", .text("<html><body>Hello</body></html>", type: "text/html"))
        case "an error": server.serve("/new", .status(500))
        default: server.serve("/new", .feed(document([1, 2])))
        }
        let status = Int(kind) ?? 301
        server.serve("/old", .redirect(status, to: kind == "a known feed" ? "/known" : "/new"))
        await home.podget("refresh")
        #expect(Set(try await feeds().map(\.url)) == [server.url("/old"), server.url("/known")])
    }

    @Test func `a new address that the feed announces is taken when a feed is there`() async throws {
        let head = "<itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url>"
        server.serve("/old", .feed(document([1], head: head)))
        server.serve("/new", .status(404))
        await home.podget("subscribe", server.url("/old"))
        #expect(try await feeds().map(\.url) == [server.url("/old")])
        server.serve("/old", .feed(document([1, 2], head: head)))
        server.serve("/new", .feed(document([1, 2, 3], head: head)))
        await home.podget("refresh")
        #expect(try await feeds().map(\.url) == [server.url("/new")])
        #expect(try await feeds().map(\.episodes) == [3])
        #expect(await home.podget("subscribe", server.url("/old")).output == "Already subscribed to Show\n")
    }

    @Test func `feeds that announce each other stay where they are`() async throws {
        for (path, other) in [("/a", "/b"), ("/b", "/a")] {
            let head = "<itunes:new-feed-url>\(server.url(other))</itunes:new-feed-url>"
            server.serve(path, .feed(document([1], head: head)))
        }
        await home.podget("subscribe", server.url("/a"))
        server.clearLog()
        for _ in 0..<3 { #expect(await home.podget("refresh").code == .done) }
        #expect(try await feeds().map(\.url) == [server.url("/a")])
        #expect(server.requests.count <= 6)
    }

    @Test(arguments: ["a known feed", "an empty feed", "a redirect back", "a web page"])
    func `an announced address is not taken`(_ kind: String) async throws {
        server.serve("/new", .feed(document([7, 8, 9], title: "New")))
        if kind == "a known feed" { await home.podget("subscribe", server.url("/new")) }
        if kind == "an empty feed" { server.serve("/new", .feed(document([]))) }
        if kind == "a redirect back" { server.serve("/new", .redirect(301, to: "/old")) }
        if kind == "a web page" { server.serve("/new", .text("<html><body>Hello", type: "text/html")) }
        server.serve("/old", .feed(document([1])))
        await home.podget("subscribe", server.url("/old"))
        let head = "<itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url>"
        server.serve("/old", .feed(document([1, 2], head: head)))
        let outcome = await home.podget("refresh", "show")
        #expect(outcome.code == .done)
        #expect(outcome.errors.isEmpty)
        let stayed = try await feeds().filter { $0.title == "Show" }
        #expect(stayed.map(\.url) == [server.url("/old")])
        #expect(stayed.map(\.episodes) == [2])
    }

    @Test func `subscribing to an address that has moved to a known feed finds that feed`() async throws {
        server.serve("/new", .feed(document([1])))
        server.serve("/old", .redirect(301, to: "/new"))
        await home.podget("subscribe", server.url("/new"))
        #expect(await home.podget("subscribe", server.url("/old")).output == "Already subscribed to Show\n")
        server.clearLog()
        #expect(await home.podget("subscribe", server.url("/old")).output == "Already subscribed to Show\n")
        #expect(server.requests.isEmpty)
    }

    @Test func `subscribing through a permanent redirect keeps both addresses`() async throws {
        server.serve("/new", .feed(document([1])))
        server.serve("/old", .redirect(301, to: "/new"))
        await home.podget("subscribe", server.url("/old"))
        #expect(try await feeds().map(\.url) == [server.url("/new")])
        #expect(await home.podget("subscribe", server.url("/old")).output == "Already subscribed to Show\n")
        #expect(server.requests(to: "/old").count == 1)
    }

    // MARK: Pages

    /// Serves pages of two episodes each, the newest first.
    private func servePages(_ count: Int) {
        for page in 1...count {
            let next = page < count ? "<atom:link rel=\"next\" href=\"\(server.url("/p\(page + 1)"))\"/>" : ""
            let numbers = [2 * (count - page) + 2, 2 * (count - page) + 1]
            let text = document(numbers, head: next).replacing(
                "<rss ", with: "<rss xmlns:atom=\"http://www.w3.org/2005/Atom\" ", maxReplacements: 1)
            server.serve("/p\(page)", .feed(text).with { $0.etag = "\"\(page)\"" })
        }
    }

    @Test func `all pages are read when asked for, and a later refresh unlists none`() async throws {
        servePages(4)
        let first = await home.podget("subscribe", server.url("/p1"))
        #expect(
            first.output
                == "Subscribed to Show: 2 episodes\nThe feed has older pages; "
                + "'podget refresh --all-pages show' reads them\n")
        #expect(server.requests.map(\.path) == ["/p1"])
        await home.podget("refresh", "--all-pages", "show")
        #expect(try await feeds().map(\.episodes) == [8])
        // The older pages bring no news.
        #expect(await home.podget("episodes", "--state", "new", "--json").output == "[\n\n]\n")
        #expect(server.requests.map(\.path) == ["/p1", "/p1", "/p2", "/p3", "/p4"])
        await home.podget("refresh")
        #expect(server.requests.count == 6)
        #expect(try await home.unlistedCount() == 0)

        let other = try TestHome()
        let all = await other.podget("subscribe", "--all-pages", server.url("/p1"))
        #expect(all.output == "Subscribed to Show: 8 episodes\n")
    }

    @Test func `a page that fails keeps what came before it`() async throws {
        servePages(4)
        server.serve("/p3", .status(500))
        let outcome = await home.podget("subscribe", "--all-pages", server.url("/p1"))
        #expect(outcome.output.hasPrefix("Subscribed to Show: 4 episodes\n"))
        #expect(outcome.errors.contains("not all older pages could be read"))
    }

    @Test func `a loop of pages and pages without end are bounded`() async throws {
        servePages(2)
        let atom = "<rss xmlns:atom=\"http://www.w3.org/2005/Atom\" "
        let loop = "<atom:link rel=\"next\" href=\"\(server.url("/p1"))\"/>"
        server.serve(
            "/p2", .feed(document([1], head: loop).replacing("<rss ", with: atom, maxReplacements: 1)))
        await home.podget("subscribe", "--all-pages", server.url("/p1"))
        #expect(server.requests.map(\.path) == ["/p1", "/p2"])
        // Ever other addresses for the same page.
        server.clearLog()
        server.serve("/p2") { [server] _, count in
            let next = "<atom:link rel=\"next\" href=\"\(server.url("/p2?\(count)"))\"/>"
            return .feed(document([1], head: next).replacing("<rss ", with: atom, maxReplacements: 1))
        }
        await home.podget("refresh", "--all-pages")
        #expect(server.requests.map(\.path) == ["/p1", "/p2", "/p2"])
    }

    @Test func `where the pages are too many, that is said, and nobody is sent to read them again`()
        async throws
    {
        servePages(2)
        let atom = "<rss xmlns:atom=\"http://www.w3.org/2005/Atom\" "
        server.serve("/p2") { [server] _, count in
            let next = "<atom:link rel=\"next\" href=\"\(server.url("/p2?\(count)"))\"/>"
            return .feed(
                document([100 + count], head: next).replacing("<rss ", with: atom, maxReplacements: 1))
        }
        let outcome = await home.podget("subscribe", "--all-pages", server.url("/p1"))
        #expect(
            outcome.errors.contains("there are still older pages than those that were read (501 episodes)"))
        #expect(!outcome.output.contains("--all-pages"))
        #expect(server.requests.count == 500)
    }
}

extension TestHome {
    private func openLibrary() throws -> Library {
        try Library(path: path + "/data/podget.db")
    }

    /// When the one feed was last read in full and stored.
    fileprivate func lastFullFetch() async throws -> Date? {
        try await openLibrary().feeds().first?.lastFullFetch
    }

    fileprivate func unlistedCount() async throws -> Int {
        try await openLibrary().episodes(EpisodeQuery()).count { !$0.isListed }
    }

    fileprivate func setUserAgent(_ name: String, ofFeed id: FeedID) async throws {
        var settings = FeedSettings()
        settings.userAgent = name
        try await openLibrary().setSettings(settings, of: id)
    }
}
