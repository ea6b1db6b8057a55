import Foundation
import TestServer
import Testing

@testable import podget

/// Lists of feeds, in and out, with ourselves and with other programs.
@Suite(.timeLimit(.minutes(5)))
struct ExchangeTests {
    private struct Row: Decodable, Equatable {
        let title: String
        let url: String
        let tags: [String]
    }

    private func rows(_ home: TestHome) async throws -> [Row] {
        try await home.podget("feeds", "--json").json([Row].self)
    }

    private static let list = """
        <?xml version="1.0"?><opml version="2.0"><body>
        <outline text="Arts &amp; Tea"><outline text="Music">
          <outline type="rss" text="River" xmlUrl="https://river.example/feed?a=1&amp;b=2"/></outline></outline>
        <outline text="News"><outline type="rss" text="Sea" xmlUrl="https://sea.example/"/></outline>
        <outline text="Noon"><outline type="rss" text="Sea" xmlUrl="https://sea.example/"/></outline>
        <outline type="rss" text="Tide" xmlUrl="https://me:secret@tide.example/feed"/>
        </body></opml>
        """

    @Test func `an imported list is stored with its folders, without a request`() async throws {
        let home = try TestHome()
        let list = try home.write(Self.list, to: "list.opml")
        let outcome = await home.podget("import", list)
        #expect(outcome.code == .done)
        #expect(outcome.output == "3 feeds added; 'podget sync' fetches what is new\n")
        #expect(
            try await rows(home) == [
                Row(title: "River", url: "https://river.example/feed?a=1&b=2", tags: ["Arts & Tea/Music"]),
                Row(title: "Sea", url: "https://sea.example/", tags: ["News", "Noon"]),
                Row(title: "Tide", url: "https://tide.example/feed", tags: []),
            ])
        #expect(await home.podget("feeds", "--tag", "arts & tea").output.contains("River"))
        #expect(!(await home.podget("feeds", "--tag", "arts & tea").output.contains("Sea")))
        #expect(!(await home.podget("feeds", "--tag", "Arts").output.contains("River")))
        #expect(await home.podget("feeds", "--tag", "news", "--tag", "noon").output.contains("Sea"))
    }

    @Test func `an exported list imports as the same feeds, and holds no password`() async throws {
        let home = try TestHome()
        await home.podget("import", try home.write(Self.list, to: "list.opml"))
        let exported = await home.podget("export")
        #expect(exported.code == .done)
        #expect(!exported.output.contains("secret"))
        #expect(!exported.output.contains("me:"))
        let other = try TestHome()
        await other.podget("import", try other.write(exported.output, to: "list.opml"))
        #expect(try await rows(other) == (try await rows(home)))
        // At home again, the address without its password is that of the feed with it.
        let again = await home.podget("import", try home.write(exported.output, to: "again.opml"))
        #expect(again.output == "0 feeds added, 3 subscribed to before\n")
        #expect(try await rows(home).count == 3)
    }

    @Test func `the sync after an import is a first one`() async throws {
        let server = try DummyServer()
        let items = (1...3).map {
            FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Real name", items)))
        for number in 1...3 { server.serve("/\(number).mp3", .pattern(20_000)) }
        let home = try TestHome()
        let list = "<opml><outline text='Their name' xmlUrl='\(server.url("/feed.xml"))'/></opml>"
        await home.podget("import", try home.write(list, to: "list.opml"))
        #expect(server.requests.isEmpty)
        #expect(await home.podget("sync").code == .done)
        #expect(home.mediaFiles() == ["Real name/2026-11-03 Part 3.mp3"])
        #expect(try await rows(home).map(\.title) == ["Real name"])
    }

    @Test func `importing again adds tags and keeps names`() async throws {
        let home = try TestHome()
        await home.podget("import", try home.write(Self.list, to: "list.opml"))
        let more = """
            <opml><outline text="Best"><outline text="x" xmlUrl="https://sea.example/"/>
            <outline text="New" xmlUrl="https://new.example/"/></outline></opml>
            """
        let outcome = await home.podget("import", "--json", try home.write(more, to: "more.opml"))
        #expect(
            try outcome.json([Row].self) == [
                Row(title: "New", url: "https://new.example/", tags: ["Best"]),
                Row(title: "Sea", url: "https://sea.example/", tags: ["News", "Noon", "Best"]),
            ])
    }

    @Test func `what is no feed is refused, and the others are added`() async throws {
        let home = try TestHome()
        let list = """
            <opml><outline text="A" xmlUrl="ftp://a.example/"/><outline text="B" xmlUrl="javascript:alert(1)"/>
            <outline text="C" xmlUrl="https://c.example/"/></opml>
            """
        let outcome = await home.podget("import", try home.write(list, to: "list.opml"))
        #expect(outcome.code == .partly)
        #expect(outcome.errors.contains("only http, https and local files"))
        #expect(try await rows(home).map(\.title) == ["C"])
    }

    @Test(arguments: ["<rss><channel/></rss>", "", "<html>x</html>"])
    func `what is no list changes nothing`(_ text: String) async throws {
        let home = try TestHome()
        let outcome = await home.podget("import", try home.write(text, to: "list.opml"))
        #expect(outcome.code == .failed)
        #expect(outcome.errors.contains("not an OPML list"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/data"))
        #expect(await home.podget("import", "nowhere.opml").errors.contains("No such file"))
    }

    @Test func `five thousand feeds go in and out`() async throws {
        let home = try TestHome()
        let outlines = (1...5000).map {
            "<outline text='Same &amp; name' xmlUrl='https://a.example/\($0)'/>"
        }
        let list = try home.write("<opml>\(outlines.joined())</opml>", to: "list.opml")
        let outcome = await home.podget("import", list)
        #expect(outcome.output.hasPrefix("5000 feeds added"))
        let exported = await home.podget("export").output
        #expect(exported.split(separator: "\n").count { $0.contains("xmlUrl") } == 5000)
    }

    @Test func `lists go through pipes`() async throws {
        let home = try TestHome()
        try home.write(Self.list, to: "list.opml")
        let other = try TestHome()
        let outcome = try await Tool.run(
            "sh",
            [
                "-c", "set -e; cat list.opml | $0 import -; $0 export | $0 --home $1 import -", Tool.podget,
                other.path,
            ], home: home.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try await rows(other).map(\.title) == ["River", "Sea", "Tide"])
    }

    @Test func `an exported file replaces ours and nobody else's`() async throws {
        let home = try TestHome()
        await home.podget("import", try home.write(Self.list, to: "list.opml"))
        #expect(await home.podget("export", "--output", "mine.opml").code == .done)
        let first = try home.read(home.path + "/mine.opml")
        await home.podget("unsubscribe", "river")
        #expect(await home.podget("export", "-o", "mine.opml").code == .done)
        #expect(try home.read(home.path + "/mine.opml") != first)

        let refused = await home.podget("export", "-o", "list.opml")
        #expect(refused.code == .failed)
        #expect(refused.errors.contains("podget did not write it; --force replaces it"))
        #expect(try home.read(home.path + "/list.opml") == Self.list)
        #expect(await home.podget("export", "-o", "list.opml", "--force").code == .done)
        #expect(try home.read(home.path + "/list.opml") != Self.list)
        #expect(await home.podget("export", "-o", "no/list.opml").errors.contains("there is no such folder"))
        #expect(await home.podget("export", "-o", "/dev/null", "--force").code == .failed)
    }

    @Test func `tags are given with subscribe, also later`() async throws {
        let home = try TestHome()
        let file = try home.write(feed("Show", []), to: "feed.xml")
        await home.podget("subscribe", "--tag", "News/ Local ", file)
        let again = await home.podget("subscribe", "--tag", "Best", file)
        #expect(again.output == "Already subscribed to Show; its tags are News/Local, Best now\n")
        #expect(try await rows(home).map(\.tags) == [["News/Local", "Best"]])
        #expect(await home.podget("subscribe", "--tag", " ", file).code == .usage)
    }

    @Test func `an OPML file given to subscribe keeps its folders`() async throws {
        let home = try TestHome()
        try home.write(feed("Show", []), to: "feed.xml")
        let list = "<opml><outline text='Folder'><outline xmlUrl='feed.xml'/></outline></opml>"
        let outcome = await home.podget("subscribe", try home.write(list, to: "list.opml"))
        #expect(outcome.output == "Subscribed to Show: 0 episodes\n")
        #expect(try await rows(home).map(\.tags) == [["Folder"]])
    }

    @Test(.enabled(if: Tool.isInstalled("newsboat"), "newsboat is not installed"))
    func `newsboat reads our list, and we read newsboat's`() async throws {
        let home = try TestHome()
        await home.podget("import", try home.write(Self.list, to: "list.opml"))
        await home.podget("export", "-o", "ours.opml")
        let files = ["-u", home.path + "/urls", "-c", home.path + "/cache.db", "-C", "/dev/null"]
        let imported = try await Tool.run(
            "newsboat", ["-i", home.path + "/ours.opml"] + files, home: home.path)
        #expect(imported.code == 0, "\(imported.errors)")
        let urls = try home.read(home.path + "/urls")
        #expect(urls.contains("https://river.example/feed?a=1&b=2 \"Arts & Tea/Music\""))
        #expect(urls.contains("https://sea.example/ \"News\""))

        let exported = try await Tool.run("newsboat", ["-e"] + files, home: home.path)
        let other = try TestHome()
        await other.podget("import", try other.write(exported.output, to: "theirs.opml"))
        #expect(
            Set(try await rows(other).map(\.url)) == [
                "https://river.example/feed?a=1&b=2", "https://sea.example/", "https://tide.example/feed",
            ])
    }

    @Test(.enabled(if: Tool.isInstalled("gpo"), "gpodder is not installed"))
    func `gPodder reads our list, and we read gPodder's`() async throws {
        let server = try DummyServer()
        server.serve("/one.xml", .feed(feed("Ünd &amp; One", [])))
        server.serve("/two.xml", .feed(feed("Two", [])))
        let home = try TestHome()
        await home.podget("subscribe", "--tag", "News", server.url("/one.xml"), server.url("/two.xml"))
        await home.podget("export", "-o", "ours.opml")
        let imported = try await Tool.run("gpo", ["import", home.path + "/ours.opml"], home: home.path)
        #expect(imported.code == 0, "\(imported.errors)")
        let exported = try await Tool.run("gpo", ["export", home.path + "/theirs.opml"], home: home.path)
        #expect(exported.code == 0, "\(exported.errors)")
        let other = try TestHome()
        let outcome = await other.podget("import", home.path + "/theirs.opml")
        #expect(outcome.code == .done)
        #expect(
            try await rows(other).map { [$0.title, $0.url] } == [
                ["Two", server.url("/two.xml")], ["Ünd & One", server.url("/one.xml")],
            ])
    }
}
