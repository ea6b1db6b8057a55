import Foundation
import TestServer
import Testing

@testable import podget

/// To another machine and back: lists with settings, copies of the folders, and subscribing again.
@Suite(.timeLimit(.minutes(5)))
struct MovingTests {
    private struct Setting: Decodable, Equatable {
        let key: String
        let value: String?
        let from: String
    }

    private struct Episode: Decodable, Equatable {
        let id: Int64
        let state: String
        let kept: Bool
        let played: Bool
        let position: Double
    }

    private func ownSettings(_ selector: String, _ home: TestHome) async throws -> [String: String] {
        let all = try await home.podget("set", selector, "--json").json([Setting].self)
        return Dictionary(
            uniqueKeysWithValues: all.filter { $0.from == "feed" }.map { ($0.key, $0.value ?? "") })
    }

    private func server(parts: ClosedRange<Int> = 1...3) throws -> DummyServer {
        let server = try DummyServer()
        let items = parts.reversed().map {
            FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in parts { server.serve("/\(number).mp3", .pattern(50_000, etag: "\"\(number)\"")) }
        return server
    }

    @Test func `an exported list carries the settings of each feed, and import takes them over`() async throws
    {
        let settings = [
            "latest": "3", "first": "2", "keep": "4w", "order": "oldest", "include": "a|\"b\" <&>",
            "exclude": "rerun", "minDuration": "5m", "maxDuration": "1h30m", "types": "full,bonus",
            "quality": "64k", "userAgent": "mine", "name": "My & show",
        ]
        let home = try TestHome()
        await home.podget("subscribe", try home.write(feed("Show", []), to: "feed.xml"))
        await home.podget("subscribe", try home.write(feed("Plain", []), to: "plain.xml"))
        for (key, value) in settings { #expect(await home.podget("set", "1", key, value).code == .done) }
        let exported = await home.podget("export").output
        #expect(exported.contains("<opml version=\"2.0\" xmlns:podget=\"urn:podget:settings\">"))
        #expect(exported.contains(" podget:keep=\"4w\""))
        let other = try TestHome()
        #expect(await other.podget("import", try other.write(exported, to: "list.opml")).code == .done)
        #expect(try await ownSettings("1", other) == settings)
        #expect(try await ownSettings("2", other).isEmpty)
        #expect(!(await home.podget("export", "--plain").output.contains("podget:")))
    }

    @Test func `a list of settings that are wrong is taken over without them`() async throws {
        let home = try TestHome()
        let list = """
            <opml xmlns:podget="urn:podget:settings" xmlns:x="urn:other"><body>
            <outline text="A" name="not ours" keep="1" x:latest="9" podget:latest="7" podget:keep="forever"
                podget:library="/etc" podget:include="(" podget:name="" xmlUrl="https://a.example/"/></body></opml>
            """
        let outcome = await home.podget("import", try home.write(list, to: "list.opml"))
        #expect(outcome.code == .done)
        for name in ["keep", "library", "include", "name"] { #expect(outcome.errors.contains("'\(name)'")) }
        #expect(try await ownSettings("1", home) == ["latest": "7"])
    }

    @Test func `no list makes every file go`() async throws {
        let home = try TestHome()
        let list = """
            <opml xmlns:podget="urn:podget:settings"><body>
            <outline text="A" podget:latest="7" podget:keep="0" xmlUrl="https://a.example/"/></body></opml>
            """
        let outcome = await home.podget("import", try home.write(list, to: "list.opml"))
        #expect(outcome.errors.contains("A: keep 0 is not taken over"))
        #expect(try await ownSettings("1", home) == ["latest": "7"])
    }

    @Test func `the recipe of the help moves everything to another machine`() async throws {
        let server = try server()
        defer { server.stop() }
        let (old, new) = (try TestHome(), try TestHome())
        // The usual folders, as without PODGET_HOME.
        let usual = ["PODGET_HOME": ""]
        func episodes(_ home: TestHome) async throws -> [Episode] {
            try await home.podget("episodes", "--json", variables: usual).json([Episode].self)
        }
        await old.podget("subscribe", "--latest", "2", server.url("/feed.xml"), variables: usual)
        await old.podget("sync", variables: usual)
        await old.podget("config", "keep", "9", variables: usual)
        await old.podget("set", "show", "types", "full", variables: usual)
        await old.podget("mark", "keep", "3", variables: usual)
        await old.podget("mark", "played", "2", variables: usual)
        await old.podget("delete", "2", variables: usual)
        let before = try await episodes(old)
        let requestCount = server.requests.count

        let recipe = try #require(
            await old.podget("export", "--help").output.split(separator: "\n").first {
                $0.contains("rsync -aR ")
            })
        let folders = recipe.split(separator: " ").filter { $0.hasPrefix("~/./") }.map { $0.dropFirst(4) }
        #expect(folders.count == 3)
        for folder in folders {
            let target = new.path + "/" + folder
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: old.path + "/" + folder, toPath: target)
        }
        let adopted = await new.podget("adopt", new.library, variables: usual)
        #expect(adopted.code == .done)
        #expect(await new.podget("doctor", variables: usual).code == .done)
        #expect(try await episodes(new) == before)
        #expect(before.map(\.state) == ["done", "deleted", "none"])
        #expect(await new.podget("config", "keep", variables: usual).output == "9\n")
        #expect(await new.podget("set", "show", "types", variables: usual).output.contains("full"))
        #expect(server.requests.count == requestCount)
        #expect(await new.podget("sync", variables: usual).code == .done)
        #expect(server.requests(to: "/3.mp3").count == 1 && server.requests(to: "/2.mp3").count == 1)
    }

    @Test func `subscribing again brings back what went with the subscription, and tells what does not`()
        async throws
    {
        let server = try server()
        defer { server.stop() }
        let home = try TestHome()
        let address = server.url("/feed.xml")
        await home.podget("subscribe", "--latest", "3", "--keep", "3", address)
        await home.podget("sync")
        await home.podget("delete", "2")
        await home.podget("unsubscribe", "show", "--delete-files")
        #expect(home.mediaFiles().isEmpty)
        let again = await home.podget("subscribe", "--latest", "2", address)
        #expect(
            again.output == """
                Subscribed to Show again: 3 episodes
                Its settings hold as before: latest 2, keep 3
                1 episode deleted before stays deleted; 'podget episodes show --state deleted' lists what 'podget download' fetches again

                """)
        await home.podget("sync")
        // The one that was deleted by itself keeps its place.
        #expect(home.mediaFiles() == ["Show/2026-11-03 Part 3.mp3"])
    }

    @Test func `the feeds of a list are asked at once, and one that does not answer stays`() async throws {
        let slow = try DummyServer()
        let fast = try server()
        defer {
            slow.stop()
            fast.stop()
        }
        slow.serve("/slow.xml", .feed(feed("Slow", [])).with { $0.stallAfter = 10 })
        fast.serve("/lost.xml", .status(404))
        let home = try TestHome()
        let list = """
            <opml><outline xmlUrl="\(slow.url("/slow.xml"))"/><outline xmlUrl="\(fast.url("/feed.xml"))"/>
            <outline text="Lost" xmlUrl="\(fast.url("/lost.xml"))"/></opml>
            """
        try home.write(list, to: "list.opml")
        let run = Task { await home.podget("subscribe", "--keep", "5", home.path + "/list.opml") }
        // While the first one is still being waited for, the others are asked.
        await fast.waitForRequests(1, to: "/feed.xml")
        await fast.waitForRequests(1, to: "/lost.xml")
        slow.release("/slow.xml")
        let outcome = await run.value
        #expect(outcome.code == .partly)
        #expect(
            outcome.output.split(separator: "\n").sorted() == [
                "Subscribed to Show: 3 episodes", "Subscribed to Slow: 0 episodes",
            ])
        #expect(outcome.errors.contains("podget: Lost: "))
        #expect(
            outcome.errors.contains("podget: 1 feed could not be fetched; the next 'podget sync' asks again"))
        #expect(await home.podget("feeds").output.contains("(never worked)"))
        #expect(try await ownSettings("lost", home) == ["keep": "5"])
    }
}
