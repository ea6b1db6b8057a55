import Foundation
import TestServer
import Testing

@testable import podget

/// Mistakes and hostile input: one clear line, the right exit code, nothing lost.
@Suite(.timeLimit(.minutes(5)))
struct BadInputTests {
    private func isOneLine(_ text: String) -> Bool {
        text.hasPrefix("podget: ") && text.hasSuffix("\n") && text.filter { $0 == "\n" }.count == 1
    }

    @Test func `an unknown command names the nearest one`() async throws {
        let outcome = try await TestHome().podget("subscibe", "x")
        #expect(outcome.code == .usage)
        #expect(
            outcome.errors == "podget: there is no command 'subscibe'; did you mean 'podget subscribe'?\n")
    }

    @Test func `a document cut within its last item adds no half episode`() async throws {
        let server = try DummyServer()
        let items = (1...3).map {
            FeedItem(title: "Part \($0)", guid: "long-guid-\($0)", url: "x.mp3", day: $0)
        }
        let whole = feed("Show", items)
        let cut = String(whole[..<(whole.range(of: "guid-3")?.lowerBound ?? whole.startIndex)])
        server.serve("/feed.xml", inTurn: [.feed(whole), .feed(cut), .feed(whole)])
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("refresh")
        await home.podget("refresh")
        let listed = await home.podget("episodes").output
        #expect(listed.split(separator: "\n").count == 4)
        #expect(server.requests.count == 3)
    }

    @Test func `an unknown option names the nearest one`() async throws {
        let outcome = try await TestHome().podget("sync", "--no-downlod")
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains("did you mean --no-download?"))
    }

    @Test func `an unknown feed names the nearest one`() async throws {
        let home = try TestHome()
        let file = try home.write(feed("Garden Talk", []), to: "garden.xml")
        await home.podget("subscribe", file)
        let outcome = await home.podget("sync", "gardn-talk")
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains("did you mean garden-talk?"))
        #expect(isOneLine(outcome.errors))
    }

    @Test func `a feed where an episode is wanted tells how to name its episodes`() async throws {
        let home = try TestHome()
        await home.podget("subscribe", try home.write(feed("Garden Talk", []), to: "garden.xml"))
        let outcome = await home.podget("download", "garden")
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains("'garden' is a feed; name its episodes with garden-talk:latest"))
        #expect(isOneLine(outcome.errors))
    }

    @Test func `no command prints the help and fails`() async throws {
        let outcome = try await TestHome().podget()
        #expect(outcome.code == .usage)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("podget sync"))
    }

    @Test func `a web page is named as such, and a known feed is left untouched`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let page = Reply.text("<!DOCTYPE html><html><body>Please log in</body></html>", type: "text/html")
        let item = FeedItem(title: "One", guid: "1", url: server.url("/1.mp3"), day: 1)
        server.serve("/feed.xml", inTurn: [.feed(feed("Show", [item])), page])
        await home.podget("subscribe", server.url("/feed.xml"))
        let refreshed = await home.podget("refresh")
        #expect(refreshed.code == .partly)
        #expect(refreshed.errors.contains("a web page, not a feed"))
        #expect(isOneLine(refreshed.errors))
        let episodes = await home.podget("episodes")
        #expect(episodes.output.contains("One"))

        server.serve("/page", page)
        let subscribed = await home.podget("subscribe", server.url("/page"))
        #expect(subscribed.code == .failed)
        #expect(isOneLine(subscribed.errors))
    }

    @Test func `a web page that offers one feed leads to it`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let page = """
            <html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body></body></html>
            """
        server.serve("/page", .text(page, type: "text/html"))
        server.serve("/feed.xml", .feed(feed("Show", [])))
        let outcome = await home.podget("subscribe", server.url("/page"))
        #expect(outcome.output == "Subscribed to Show: 0 episodes\n")
        let again = await home.podget("subscribe", server.url("/feed.xml"))
        #expect(again.output == "Already subscribed to Show\n")
        #expect(again.code == .done)
    }

    @Test func `an unreachable feed is one line and stores nothing`() async throws {
        let server = try DummyServer()
        let address = server.url("/feed.xml")
        server.stop()
        let home = try TestHome()
        let outcome = await home.podget("subscribe", address)
        #expect(outcome.code == .failed)
        #expect(isOneLine(outcome.errors))
        #expect(outcome.errors.ranges(of: address).count == 1)
        #expect(await home.podget("feeds", "--json").output == "[\n\n]\n")
        // Without a scheme only https is tried; the other is the user's choice.
        let bare = address.replacing("http://", with: "")
        #expect(
            await home.podget("subscribe", bare).errors.hasSuffix(
                "; 'podget subscribe \(address)' asks without encryption\n"))
    }

    @Test func `a home that cannot be written is one line`() async throws {
        let home = try TestHome()
        // A file where the folder should be fails for root too.
        try home.write("", to: "data")
        let file = try home.write(feed("Show", []), to: "feed.xml")
        let outcome = await home.podget("subscribe", file)
        #expect(outcome.code == .failed)
        #expect(isOneLine(outcome.errors))
        #expect(outcome.errors.contains(home.path + "/data"))
    }

    @Test(arguments: ["Podcasts", "cache", "data"])
    func `a file where a folder belongs is named in one line`(_ name: String) async throws {
        let server = try DummyServer()
        server.serve("/1.mp3", .pattern(1000))
        server.serve(
            "/feed.xml", .feed(feed("Show", [FeedItem(title: "One", guid: "1", url: "1.mp3", day: 1)])))
        let home = try TestHome()
        if name != "data" { await home.podget("subscribe", server.url("/feed.xml")) }
        try home.write("mine", to: name)
        let words = name == "data" ? ["subscribe", server.url("/feed.xml")] : ["sync"]
        let outcome = await home.run(words)
        #expect(outcome.code == .failed)
        #expect(isOneLine(outcome.errors), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(home.path)/\(name): is a file where"), "\(outcome.errors)")
        #expect(outcome.errors.contains("move it away"))
        #expect(try String(contentsOfFile: "\(home.path)/\(name)", encoding: .utf8) == "mine")

        try FileManager.default.removeItem(atPath: "\(home.path)/\(name)")
        #expect(await home.run(words).code == .done)
    }

    @Test(arguments: [["subscribe", "x.xml"], ["feeds"], ["sync"], ["doctor"], ["status"]])
    func `a folder where the database belongs is named in one line`(_ words: [String]) async throws {
        let home = try TestHome()
        try home.write("mine", to: "data/podget.db/note")
        let outcome = await home.run(words)
        #expect(outcome.code == .failed)
        #expect(isOneLine(outcome.errors), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(home.database) is no file"), "\(outcome.errors)")
        #expect(outcome.errors.contains("move it away"))
    }

    @Test func `a misspelt setting is named`() async throws {
        let home = try TestHome()
        try home.write("{ latets: 3 }", to: "config.json5")
        let outcome = await home.podget("sync")
        #expect(outcome.code == .failed)
        #expect(outcome.errors.contains("config.json5: there is no setting 'latets'"))
        #expect(isOneLine(outcome.errors))
    }

    @Test func `an empty home answers every question with nothing`() async throws {
        let home = try TestHome()
        for words in [["feeds"], ["episodes"], ["storage"], ["status"], ["playlist"], ["sync"]] {
            let outcome = await home.podget(words[0])
            #expect(outcome.code == .done, "\(words)")
            #expect(outcome.errors.isEmpty, "\(words)")
        }
    }

    @Test(arguments: [
        "outside.mp3", "../outside.mp3", "media/../../outside.mp3", "%2e%2e/outside.mp3", "link.mp3",
    ])
    func `a local feed reaches no file outside its folder`(_ enclosure: String) async throws {
        let home = try TestHome()
        let secret = try home.write("ID3 not for you", to: "outside.mp3")
        let item = FeedItem(
            title: "One", guid: "1", url: enclosure == "outside.mp3" ? "file://\(secret)" : enclosure, day: 1)
        let file = try home.write(feed("Local", [item]), to: "feeds/feed.xml")
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/feeds/link.mp3", withDestinationPath: secret)
        await home.podget("subscribe", file)
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(isOneLine(synced.errors))
        #expect(home.mediaFiles().isEmpty)
    }

    @Test func `a link within the folder of a local feed is followed`() async throws {
        let home = try TestHome()
        let item = FeedItem(title: "One", guid: "1", url: "link.mp3", day: 1)
        let file = try home.write(feed("Local", [item]), to: "feeds/feed.xml")
        let bytes = Pattern(byteCount: 10_000).bytes
        try Data(bytes).write(to: URL(filePath: home.path + "/feeds/real.mp3"))
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/feeds/link.mp3", withDestinationPath: "real.mp3")
        await home.podget("subscribe", file)
        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        #expect(home.mediaFiles() == ["Local/2026-11-01 One.mp3"])
    }

    @Test func `a feed from the network reaches no local file`() async throws {
        let server = try DummyServer()
        let home = try TestHome()
        let secret = try home.write("ID3 not for you", to: "outside.mp3")
        let item = FeedItem(title: "One", guid: "1", url: "file://" + secret, day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(home.mediaFiles().isEmpty)
        #expect(synced.code == .partly || synced.code == .done)
    }

    @Test func `escape sequences in a title do not reach the terminal`() async throws {
        let home = try TestHome()
        let item = FeedItem(title: "A&#x1b;]0;evil&#x7;B&#x9b;2JC", guid: "1", url: "x.mp3", day: 1)
        await home.podget("subscribe", try home.write(feed("Show\u{202E}", [item]), to: "feed.xml"))
        for command in ["feeds", "episodes"] {
            let output = await home.podget(command, width: 80).output
            #expect(
                output.unicodeScalars.allSatisfy {
                    $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value))
                })
            #expect(!output.contains("\u{202E}"))
        }
    }
}
