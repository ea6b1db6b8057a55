import Foundation
import TestServer
import Testing

@testable import podget

/// What is on live, and what follows.
@Suite(.timeLimit(.minutes(5)))
struct LiveTests {
    private struct Show: Decodable {
        struct Item: Decodable {
            let title: String?
            let progress: Double?
            let startsIn: Double?
            let stream: String?
            let links: [[String: String]]
        }
        let feed: [String: AnyWord]
        let lastError: String?
        let on: [Item]
        let next: [Item]
    }

    private struct AnyWord: Decodable {
        init(from decoder: any Decoder) {}
    }

    private let now = ISO8601DateFormatter().date(from: "2026-11-20T12:30:00Z") ?? .distantPast

    private func live(_ status: String, _ times: String, _ content: String) -> String {
        "<podcast:liveItem status=\"\(status)\" \(times)>\(content)</podcast:liveItem>"
    }

    private func home(_ items: String...) async throws -> (TestHome, DummyServer) {
        let server = try DummyServer()
        let episode = FeedItem(title: "Part 1", guid: "1", url: server.url("/1.mp3"), day: 1)
        let document = feed("Night, Show; \\", [episode])
            .replacing("<rss ", with: "<rss xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" ")
            .replacing("</channel>", with: items.joined() + "</channel>")
            .replacing("SERVER", with: server.url(""))
        server.serve("/feed.xml", inTurn: [.feed(document), .feed(document), .status(500)])
        server.serve("/1.mp3", .pattern(50_000))
        server.serve("/stream.mp3", .pattern(50_000))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"), at: now)
        return (home, server)
    }

    private var onAir: String {
        live(
            "live", "start=\"2026-11-20T12:00:00Z\" end=\"2026-11-20T14:00:00Z\"",
            """
            <title>On, air</title><guid>live-1</guid>
            <enclosure url="SERVER/stream.mp3" type="audio/mpeg" length="1"/>
            <podcast:contentLink href="https://a.example/watch">Watch</podcast:contentLink>
            """)
    }

    @Test func `the guide tells what is on, with a bar, and what follows, with a countdown`() async throws {
        let (home, _) = try await home(
            live("pending", "start=\"2026-11-21T14:00:00Z\"", "<title>Tomorrow</title>"),
            live("pending", "start=\"2026-11-20T15:00:00Z\"", "<title>Tonight</title>"),
            live("ended", "start=\"2026-11-19T15:00:00Z\"", "<title>Over</title>"), onAir)
        let text = await home.podget("live", at: now).output
        #expect(text.contains("now   [##--------] On, air until"))
        #expect(text.contains("in 2 hr, 30 min"))
        #expect(text.contains("in 1 day, 1 hr") || text.contains("in 1 day, 2 hr"))
        #expect(!text.contains("Over"))
        let german = await home.podget("live", language: "de_DE.UTF-8", at: now).output
        #expect(german.contains("2 Std., 30 Min."))
        let show = try #require(try await home.podget("live", "--json", at: now).json([Show].self).first)
        #expect(show.on.map(\.title) == ["On, air"])
        #expect(show.on.first?.progress == 0.25)
        #expect(show.next.map(\.title) == ["Tonight", "Tomorrow"])
        #expect(show.next.first?.startsIn == 9000)
        let feeds = try await home.podget("feeds", "--json").json([Feed].self)
        let described = await home.podget("show", try #require(feeds.first).slug).output
        #expect(described.contains("4; 'podget live' shows them"))
    }

    private struct Feed: Decodable {
        let slug: String
    }

    @Test func `missing fields give empty lists`() async throws {
        let (home, _) = try await home(live("", "", ""), live("pending", "start=\"soon\"", "<title/>"))
        let outcome = await home.podget("live", "--json", at: now)
        let shows = try outcome.json([Show].self)
        #expect(shows.allSatisfy { $0.on.isEmpty && $0.next.allSatisfy { $0.links.isEmpty } })
        #expect(await home.podget("live", at: now).code == .done)
    }

    @Test func `without a live show the command explains itself`() async throws {
        let home = try TestHome()
        #expect(await home.podget("live").output.hasPrefix("No feed announces live broadcasts"))
        #expect(await home.podget("live", "--json").output == "[\n\n]\n")
        #expect(await home.podget("live", "--ics").output.contains("BEGIN:VCALENDAR\r\n"))
    }

    @Test func `after a failed refresh the last guide is shown with its age`() async throws {
        let (home, server) = try await home(onAir)
        defer { server.stop() }
        await home.podget("refresh", at: now)
        await home.podget("refresh", at: now.addingTimeInterval(600))
        let text = await home.podget("live", at: now.addingTimeInterval(1200)).output
        #expect(text.contains("On, air"))
        #expect(text.contains("the last refresh failed; this is 20 min old: "), "\(text)")
        let show = try #require(
            try await home.podget("live", "--json", at: now.addingTimeInterval(1200)).json([Show].self).first)
        #expect(show.lastError != nil)
    }

    @Test func `the calendar is escaped, folded and in UTC, and keeps its identifiers`() async throws {
        let long = String(repeating: "Größe ", count: 40)
        let (home, server) = try await home(
            onAir,
            live(
                "pending", "start=\"2026-11-21T15:00:00+02:00\"", "<guid>2</guid><title>\(long)</title>"))
        defer { server.stop() }
        let text = await home.podget("live", "--ics", at: now).output
        #expect(text.contains("SUMMARY:Night\\, Show\\; \\\\: On\\, air\r\n"))
        #expect(text.contains("DTSTART:20261121T130000Z\r\n"))
        #expect(text.contains("DTEND:20261120T140000Z\r\n"))
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") })
        #expect(text.replacing("\r\n ", with: "").contains(long.trimmingCharacters(in: .whitespaces)))
        func identifiers(_ text: String) -> [String] {
            text.components(separatedBy: "\r\n").filter { $0.hasPrefix("UID:") }
        }
        await home.podget("refresh", at: now.addingTimeInterval(60))
        let later = await home.podget("live", "--ics", at: now.addingTimeInterval(120)).output
        #expect(Set(identifiers(text)).count == 2)
        #expect(identifiers(later) == identifiers(text))
    }

    @Test func `broadcasts that share a GUID, or their start and title, differ in the calendar and stay so`()
        async throws
    {
        func item(_ hour: Int, _ rest: String) -> String {
            live("pending", "start=\"2026-11-20T\(hour):00:00Z\" end=\"2026-11-20T\(hour):30:00Z\"", rest)
        }
        let shared = "<guid>same</guid><title>Part</title>"
        let (home, _) = try await home(
            item(18, shared), item(15, shared), item(16, "<title>Twin</title>"),
            item(16, "<title>Twin</title>"))
        func identifiers(at moment: Date) async -> [String] {
            await home.podget("live", "--ics", at: moment).output.components(separatedBy: "\r\n")
                .filter { $0.hasPrefix("UID:") }
        }
        let all = await identifiers(at: now)
        #expect(all.count == 4 && Set(all).count == 4)
        // The first of each is over, and the others keep their names.
        #expect(await identifiers(at: now.addingTimeInterval(3 * 3600 + 600)) == Array(all.dropFirst()))
        #expect(await identifiers(at: now.addingTimeInterval(4.5 * 3600)) == [all[3]])
    }

    @Test func `of several broadcasts that are on, play opens the first that has an address`() async throws {
        let silent = live("live", "", "<title>Silent</title><guid>0</guid>")
        let (home, server) = try await home(silent, onAir)
        try home.write(
            #"{ player: ["sh", "-c", "echo \"$1\" > \"$HOME/told\"", "sh", "{file}"] }"#, to: "config.json5")
        let outcome = await home.podget("play", "1:live", at: now)
        #expect(outcome.output.contains("On, air"))
        #expect(try home.read(home.path + "/told") == server.url("/stream.mp3") + "\n")

        let (other, _) = try await self.home(silent)
        let none = await other.podget("play", "1:live", at: now)
        #expect(none.errors.contains("Silent") && none.errors.contains("neither a stream nor a page"))
    }

    @Test func `play opens the stream or the page, and no sync ever downloads it`() async throws {
        let (home, server) = try await home(onAir)
        try home.write(
            #"{ latest: 9, player: ["sh", "-c", "echo \"$1\" > \"$HOME/told\"", "sh", "{file}"] }"#,
            to: "config.json5")
        await home.podget("sync", at: now)
        #expect(home.mediaFiles().count == 1)
        #expect(server.requests(to: "/stream.mp3").isEmpty)
        #expect(await home.podget("play", "1:live", at: now).code == .done)
        #expect(try home.read(home.path + "/told") == server.url("/stream.mp3") + "\n")
        let late = await home.podget("play", "1:live", at: now.addingTimeInterval(90_000))
        #expect(late.errors.contains("nothing is on live"))

        let (other, _) = try await self.home(
            live(
                "live", "",
                "<title>Now</title><podcast:contentLink href=\"https://a.example/watch?a=1&amp;b=2\">W</podcast:contentLink>"
            ))
        let desktop = try other.write("#!/bin/sh\necho \"$1\" > \"$HOME/told\"\n", to: "bin/xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desktop)
        let process = try PodgetProcess(
            ["play", "1:live"], home: other.path, variables: ["PATH": "\(other.path)/bin:/usr/bin:/bin"])
        #expect(await process.wait() == 0)
        #expect(try other.read(other.path + "/told") == "https://a.example/watch?a=1&b=2\n")
    }
}
