import Foundation
import TestServer
import Testing

@testable import podget

/// Subscribe, sync, listen offline: the whole path against a real server on loopback.
@Suite(.timeLimit(.minutes(5)))
struct MainJobTests {
    private struct EpisodeLine: Decodable {
        let title: String
        let state: String
        let verb: String?
        let file: String?
        let bytes: Int64?
        let url: String?
    }

    private struct StorageList: Decodable {
        struct Item: Decodable {
            let title: String
            let feed: String
            let bytes: Int64
            let file: String
        }
        let total: Int64
        let items: [Item]
    }

    private struct FeedLine: Decodable {
        let slug: String
        let title: String
        let episodes: Int
        let downloaded: Int
        let lastError: String?
    }

    /// A server with one show of three episodes, the sizes different.
    private func show() throws -> DummyServer {
        let server = try DummyServer()
        let items = [3, 2, 1].map { number in
            FeedItem(
                title: "Part \(number)", guid: "part-\(number)", url: server.url("/\(number).mp3"),
                day: number,
                length: 12345)
        }
        server.serve("/feed.xml", .feed(feed("The Show", items)))
        for number in 1...3 {
            server.serve("/\(number).mp3", .pattern(Int64(number) * 100_000, etag: "\"\(number)\""))
        }
        return server
    }

    @Test func `sync downloads the newest episode whole and nothing else`() async throws {
        let server = try show()
        let home = try TestHome()
        let subscribed = await home.podget("subscribe", server.url("/feed.xml"))
        #expect(subscribed.output == "Subscribed to The Show: 3 episodes\n")
        #expect(server.requests.map(\.path) == ["/feed.xml"])

        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        #expect(synced.errors.isEmpty)
        #expect(server.requests(to: "/3.mp3").count == 1)
        #expect(server.requests(to: "/2.mp3").isEmpty)
        #expect(home.mediaFiles() == ["The Show/2026-11-03 Part 3.mp3"])
        let difference = Pattern(byteCount: 300_000)
            .firstDifference(fromFileAt: home.library + "/The Show/2026-11-03 Part 3.mp3")
        #expect(difference == nil)
    }

    @Test func `an OPML file subscribes to every feed it lists`() async throws {
        let server = try show()
        server.serve("/other.xml", .feed(feed("Other", [])))
        let home = try TestHome()
        let list = try home.write(
            """
            <opml><body><outline text="Folder"><outline type="rss" xmlUrl="\(server.url("/feed.xml"))"/></outline>
            <outline text="x" xmlUrl="\(server.url("/other.xml"))"/>
            <outline text="again" xmlUrl="\(server.url("/feed.xml"))"/></body></opml>
            """, to: "feeds.opml")
        let outcome = await home.podget("subscribe", list)
        #expect(outcome.code == .done)
        // Several are asked at once, and told of as they answer.
        #expect(
            Set(outcome.output.split(separator: "\n"))
                == ["Subscribed to The Show: 3 episodes", "Subscribed to Other: 0 episodes"])
    }

    @Test func `a web page with one feed subscribes to that feed`() async throws {
        let server = try show()
        server.serve(
            "/",
            .text(
                "<html><head><link rel=alternate type=application/rss+xml href=feed.xml></head></html>",
                type: "text/html"))
        let home = try TestHome()
        let outcome = await home.podget("subscribe", server.url("/"))
        #expect(outcome.output == "Subscribed to The Show: 3 episodes\n")
    }

    @Test func `a second sync fetches no file again`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        server.clearLog()
        let again = await home.podget("sync")
        #expect(again.output == "1 feed refreshed, 0 new episodes, 0 files downloaded\n")
        #expect(server.requests.map(\.path) == ["/feed.xml"])
    }

    @Test func `--latest keeps that many episodes of a feed`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        await home.podget("sync")
        #expect(home.mediaFiles() == ["The Show/2026-11-02 Part 2.mp3", "The Show/2026-11-03 Part 3.mp3"])
    }

    @Test func `subscribing again changes the settings that are named`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", "--name", "Mine", server.url("/feed.xml"))
        let again = await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        #expect(again.output == "Already subscribed to Mine; its settings are changed\n")
        await home.podget("sync")
        #expect(home.mediaFiles() == ["Mine/2026-11-02 Part 2.mp3", "Mine/2026-11-03 Part 3.mp3"])
    }

    @Test func `a server that asks for an hour is left alone for an hour`() async throws {
        let server = try show()
        server.serve("/3.mp3") { _, _ in .status(429).with { $0.headers = [("Retry-After", "3600")] } }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .partly)
        let listed = try await home.podget("episodes", "--state", "waiting", "--json").json(
            [EpisodeLine].self)
        #expect(listed.map(\.title) == ["Part 3"])
        // Every run says what it waits for, and until when.
        let second = await home.podget("sync")
        #expect(second.code == .partly)
        let host = "127.0.0.1:\(server.port)"
        #expect(
            second.errors.hasPrefix(
                "podget: Waiting: The Show: Part 3: \(host) asked for a pause; a sync after "))
        #expect(second.errors.hasSuffix(" goes on with it\n"))
        #expect(second.output.hasSuffix("0 files downloaded, 1 download waiting\n"))
        #expect(server.requests(to: "/3.mp3").count == 1)
        await home.podget("sync", at: Date(timeIntervalSinceNow: 3601))
        #expect(server.requests(to: "/3.mp3").count == 2)
    }

    @Test(arguments: ["download", "resume"])
    func `a pause that a server asked for is shown with its end, and holds nothing asked for by hand`(
        _ command: String
    ) async throws {
        struct Status: Decodable {
            struct Item: Decodable {
                let reason: String
                let until: Date
            }
            let waiting: [Item]
            let queued: [Item]
        }
        struct Why: Decodable {
            struct Next: Decodable {
                let action: String
                let reason: String
                let until: Date?
            }
            let next: Next
        }
        let server = try show()
        server.serve("/3.mp3") { _, _ in .status(429).with { $0.headers = [("Retry-After", "3600")] } }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(
            await home.podget("sync", at: now).errors.contains(
                "Jan 15, 2027 at 9:00\u{202F}AM goes on with it"))
        let reason = "127.0.0.1:\(server.port) asked for a pause"
        let end = now.addingTimeInterval(3600)

        let status = await home.podget("status", at: now)
        #expect(status.output.contains("until Jan 15, 2027 at 9:00\u{202F}AM: \(reason)"), "\(status.output)")
        let item = try await home.podget("status", "--json", at: now).json(Status.self).waiting.first
        #expect(item?.reason == reason)
        #expect(item?.until == end)

        let why = await home.podget("why", "the-show:latest", at: now)
        #expect(why.output.contains("Next sync:   leaves it alone: \(reason)\n"), "\(why.output)")
        #expect(why.output.contains("Goes on:     with a sync after Jan 15, 2027 at 9:00\u{202F}AM\n"))
        let next = try await home.podget("why", "the-show:latest", "--json", at: now).json([Why].self).first?
            .next
        #expect(next?.action == "skip")
        #expect(next?.until == end)
        // Once the time has come, it is downloaded like any other.
        // The host is left alone by the other downloads too, in this run and the next, unless somebody asks for one.
        await home.podget("set", "the-show", "latest", "2")
        server.clearLog()
        let next2 = await home.podget("sync", at: now.addingTimeInterval(60))
        #expect(server.requests.filter { $0.path.hasSuffix(".mp3") }.isEmpty)
        #expect(next2.code == .partly)
        // Which both say of the one that never asked that server.
        let other = try await home.podget("status", "--json", at: now).json(Status.self).queued.first
        #expect(other?.reason == reason)
        #expect(other?.until == end)
        let whyOther = await home.podget("why", "2", at: now).output
        #expect(whyOther.contains("State:       queued\n"), "\(whyOther)")
        #expect(whyOther.contains("Next sync:   leaves it alone: \(reason)\n"), "\(whyOther)")
        #expect(whyOther.contains("Goes on:     with a sync after Jan 15, 2027 at 9:00\u{202F}AM\n"))
        // Once the pause is over, nothing holds it.
        let over = await home.podget("why", "2", at: end.addingTimeInterval(1)).output
        #expect(!over.contains("Goes on:"), "\(over)")
        #expect(over.contains("Next sync:   downloads it: "), "\(over)")
        #expect(next2.output.contains("2 downloads waiting"), "\(next2.output)")
        #expect(await home.podget(command, "2", at: now.addingTimeInterval(61)).code == .done)
        #expect(server.requests(to: "/2.mp3").count == 1)

        let later = try await home.podget("why", "the-show:latest", "--json", at: end).json([Why].self).first?
            .next
        #expect(later?.action == "download")
        #expect(later?.until == nil)
    }

    @Test func `--offline asks no server and blames no feed`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        server.clearLog()
        let synced = await home.podget("sync", "--offline")
        #expect(synced.code == .done)
        await home.podget("download", "--offline", "the-show:latest")
        #expect(server.requests.isEmpty)
        let feeds = try await home.podget("feeds", "--json").json([FeedLine].self)
        #expect(feeds.allSatisfy { $0.lastError == nil })
        await home.podget("sync")
        #expect(home.mediaFiles() == ["The Show/2026-11-03 Part 3.mp3"])
    }

    @Test func `unsubscribing stops the transfer that runs`() async throws {
        let server = try show()
        server.serve("/3.mp3", .pattern(10_000_000, etag: "\"3\"").with { $0.bytesPerSecond = 500_000 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(100_000, on: "/3.mp3")
        await home.podget("unsubscribe", "the-show")
        #expect(await sync.value.code == .done)
        #expect(home.mediaFiles().isEmpty)
        #expect(server.bodyByteCount(on: "/3.mp3") < 10_000_000)
    }

    @Test(arguments: [
        ["unsubscribe", "the-show"], ["delete", "the-show:latest"], ["cancel", "the-show:latest"],
    ])
    func `what arrived of a download that nobody wants any more is gone at once`(_ words: [String])
        async throws
    {
        let server = try show()
        server.serve("/3.mp3", .pattern(2_000_000, etag: "\"3\"").with { $0.stallAfter = 1_000_000 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(1_000_000, on: "/3.mp3")
        let partials = {
            try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).filter {
                $0.contains(".part")
            }
        }
        try await home.waitForPartials()
        sync.cancel()
        _ = await sync.value
        #expect(try partials().count == 1)
        #expect(await home.run(words).code == .done)
        #expect(try partials().isEmpty)
    }

    @Test func `a finished file can be read by everybody whom the umask allows`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let file = home.library + "/The Show/2026-11-03 Part 3.mp3"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        let mask = umask(0)
        umask(mask)
        #expect(mode == 0o666 & ~Int(mask))
    }

    @Test func `names show without cache, network and subscription`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "3", server.url("/feed.xml"))
        await home.podget("sync")
        server.stop()
        try FileManager.default.removeItem(atPath: home.path + "/cache")
        let left = await home.podget("unsubscribe", "the-show")
        #expect(
            left.output
                == "Unsubscribed from The Show: 3 files are kept (600 kB), in \(home.library)/The Show; 'podget storage' shows what is left\n"
        )

        let storage = try await home.podget("storage", "--json").json(StorageList.self)
        #expect(storage.items.map(\.title) == ["Part 3", "Part 2", "Part 1"])
        #expect(storage.items.map(\.bytes) == [300_000, 200_000, 100_000])
        #expect(Set(storage.items.map(\.feed)) == ["The Show"])
        #expect(storage.total == 600_000)
        let german = await home.podget("storage", language: "de_DE.UTF-8")
        #expect(german.output.contains("0,3 MB") || german.output.contains("300 kB"))
        #expect(german.output.contains("Part 3"))
    }

    @Test func `unsubscribing tells of files only where there are some`() async throws {
        let server = try show()
        let home = try TestHome()
        for words in [["unsubscribe", "the-show"], ["unsubscribe", "the-show", "--delete-files"]] {
            await home.podget("subscribe", server.url("/feed.xml"))
            #expect(await home.run(words).output == "Unsubscribed from The Show\n")
        }
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        // Removed by hand.
        try FileManager.default.removeItem(atPath: home.library + "/The Show/2026-11-03 Part 3.mp3")
        #expect(await home.podget("unsubscribe", "the-show").output == "Unsubscribed from The Show\n")
    }

    @Test func `the episode list says what can be done`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let episodes = try await home.podget("episodes", "--json").json([EpisodeLine].self)
        #expect(episodes.map(\.title) == ["Part 3", "Part 2", "Part 1"])
        #expect(episodes.map(\.state) == ["done", "none", "none"])
        #expect(episodes.map(\.verb) == ["play", "download", "download"])
        #expect(episodes[0].bytes == 300_000)
        #expect(episodes[0].file == home.library + "/The Show/2026-11-03 Part 3.mp3")
        let feeds = try await home.podget("feeds", "--json").json([FeedLine].self)
        #expect(feeds.map(\.downloaded) == [1])
        #expect(feeds.map(\.slug) == ["the-show"])
    }

    @Test func `a deleted episode stays deleted until it is asked for`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let deleted = await home.podget("delete", "the-show:latest")
        #expect(deleted.code == .done)
        #expect(home.mediaFiles().isEmpty)
        await home.podget("sync")
        #expect(home.mediaFiles().isEmpty)
        await home.podget("download", "the-show:latest")
        #expect(home.mediaFiles() == ["The Show/2026-11-03 Part 3.mp3"])
    }

    @Test func `an episode that was never wanted is deleted before it is downloaded`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let deleted = await home.podget("delete", "the-show:latest")
        #expect(deleted.output == "The Show: Part 3 had no file, and gets none by itself\n")
        await home.podget("sync")
        #expect(server.requests(to: "/3.mp3").isEmpty)
        #expect(home.mediaFiles().isEmpty)
    }

    @Test func `a file removed by hand is missing and comes back only on request`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        try FileManager.default.removeItem(atPath: home.library + "/The Show/2026-11-03 Part 3.mp3")
        await home.podget("sync")
        let episodes = try await home.podget("episodes", "--state", "missing", "--json").json(
            [EpisodeLine].self)
        #expect(episodes.map(\.title) == ["Part 3"])
        #expect(server.requests(to: "/3.mp3").count == 1)
        await home.podget("download", "the-show:latest")
        #expect(home.mediaFiles() == ["The Show/2026-11-03 Part 3.mp3"])
    }

    @Test func `one failing feed is told, and the others go on`() async throws {
        let server = try show()
        let home = try TestHome()
        server.serve("/other.xml", inTurn: [.feed(feed("Other", [])), .status(500)])
        await home.podget("subscribe", server.url("/other.xml"), server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(synced.errors.contains("podget: Other: "))
        #expect(synced.errors.contains("500"))
        #expect(home.mediaFiles().count == 1)
        let feeds = try await home.podget("feeds", "--json").json([FeedLine].self)
        #expect(feeds.first { $0.slug == "other" }?.lastError?.contains("500") == true)
    }

    @Test func `events come one JSON object a line`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync", "--json")
        struct Event: Decodable {
            let event: String
            let bytes: Int64?
            let downloaded: Int?
        }
        let events = try synced.output.split(separator: "\n").map {
            try JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
        #expect(events.first?.event == "refreshed")
        #expect(events.first { $0.event == "downloaded" }?.bytes == 300_000)
        #expect(events.last?.event == "summary")
        #expect(events.last?.downloaded == 1)
    }

    @Test func `an interrupted download goes on with one range request`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        let whole = Reply.pattern(2_000_000, etag: "\"strong\"")
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        await home.podget("subscribe", server.url("/feed.xml"))

        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        try await home.waitForPartials()
        sync.cancel()
        let interrupted = await sync.value
        #expect(interrupted.code == .interrupted)
        #expect(home.mediaFiles().isEmpty)
        // The last state is recorded, and the verb is the truth.
        let row = try #require(try await home.podget("episodes", "--json").json([EpisodeLine].self).first)
        #expect(row.verb == "resume")
        #expect((1...1_000_000).contains(row.bytes ?? 0))
        #expect(interrupted.output.contains("Show: Long: resumes there next time\n"))
        #expect(interrupted.output.contains("1 download interrupted; 'podget sync' goes on with it\n"))
        #expect(await home.podget("status").output.contains("  resumes there  interrupted\n"))

        let resumed = await home.podget("sync")
        #expect(resumed.code == .done)
        #expect(resumed.output.contains("Resuming at"))
        let requests = server.requests(to: "/long.mp3")
        #expect(requests.count == 2)
        #expect(requests[0].range == nil)
        #expect(requests[1].range?.hasPrefix("bytes=") == true)
        #expect(requests[1].headers["if-range"] == "\"strong\"")
        let difference = Pattern(byteCount: 2_000_000)
            .firstDifference(fromFileAt: home.library + "/" + (home.mediaFiles().first ?? ""))
        #expect(difference == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
    }

    @Test func `without a validator the download starts over and says so`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        let whole = Reply.pattern(2_000_000)
        server.serve("/long.mp3", inTurn: [whole.with { $0.stallAfter = 1_000_000 }, whole])
        await home.podget("subscribe", server.url("/feed.xml"))
        let sync = Task { await home.podget("sync") }
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        try await home.waitForPartials()
        sync.cancel()
        let words = "Show: Long: starts over next time\n"
        #expect(await sync.value.output.contains(words))
        #expect(await home.podget("status").output.contains("  starts over  interrupted\n"))
        await home.podget("pause")
        #expect(await home.podget("status").output.contains("  starts over\n"))
        #expect(await home.podget("episodes").output.contains("paused (starts over)"))
        #expect(
            await home.podget("why", "1").output.contains("'podget resume 1' fetches it (starts over)\n"))

        let again = await home.podget("resume")
        #expect(
            again.output.contains(
                "Starting over: Show: Long: its server does not let downloads go on where they stopped\n"))
        #expect(server.requests(to: "/long.mp3").allSatisfy { $0.range == nil })
        #expect(again.code == .done)
    }

    @Test func `ten episodes with one title and one path are ten files`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let items = (1...10).map { number in
            FeedItem(title: "News", guid: "\(number)", url: server.url("/media.mp3?id=\(number)"), day: 1)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...10 { server.serve("/media.mp3?id=\(number)", .pattern(Int64(number) * 1000)) }
        await home.podget("subscribe", "--latest", "10", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        let sizes = try home.mediaFiles().map { file in
            try FileManager.default.attributesOfItem(atPath: home.library + "/" + file)[.size] as? Int
        }
        #expect(Set(sizes) == Set((1...10).map { $0 * 1000 }))
    }

    @Test(arguments: [
        "0", "1", "-5", "12,345", "2400000", "3000000000", "99999999999999999999", "", "12 MB",
    ])
    func `the length that a feed claims is a hint only`(_ length: String) async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let item = FeedItem(title: "One", guid: "1", url: server.url("/1.mp3"), day: 1, length: 77)
        let text = feed("Show", [item]).replacing("length=\"77\"", with: "length=\"\(length)\"")
        server.serve("/feed.xml", .feed(text))
        server.serve("/1.mp3", .pattern(300_000))
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        let file = home.library + "/Show/2026-11-01 One.mp3"
        #expect(Pattern(byteCount: 300_000).firstDifference(fromFileAt: file) == nil)
    }

    @Test func `a title that a shell would run is a file name and no more`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let title = "-rf What's &quot;up&quot; $(touch x); ../../etc/passwd &amp; `id`"
        let item = FeedItem(title: title, guid: "1", url: server.url("/1.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("../Show", [item])))
        server.serve("/1.mp3", .pattern(1000))
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        let files = home.mediaFiles()
        #expect(files.count == 1)
        #expect(files.allSatisfy { $0.hasSuffix(".mp3") && $0.split(separator: "/").count == 2 })
        #expect(files.first?.contains("What's") == true)
    }

    @Test func `at most three downloads run at once`() async throws {
        let server = try DummyServer(hostCount: 5)
        let home = try TestHome()
        let items = (1...5).map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)",
                url: server.url("/\(number).mp3", host: "127.0.0.\(number)"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...5 {
            server.serve("/\(number).mp3", .pattern(50_000).with { $0.stallAfter = 20_000 })
        }
        await home.podget("subscribe", "--latest", "5", server.url("/feed.xml"))
        server.clearLog()
        let sync = Task { await home.podget("sync") }
        await server.waitForRequests(4)
        for number in 3...5 { await server.waitForBodyBytes(20_000, on: "/\(number).mp3") }
        #expect(server.requests.map(\.path).filter { $0.hasSuffix(".mp3") }.count == 3)
        for number in 1...5 { server.release("/\(number).mp3") }
        #expect(await sync.value.code == .done)
        #expect(home.mediaFiles().count == 5)
    }
}
