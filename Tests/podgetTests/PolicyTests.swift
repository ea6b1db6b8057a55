import Foundation
import TestServer
import Testing

@testable import podget

/// The rules at work: what a sync downloads and deletes, what it leaves alone, and the reasons it gives.
@Suite(.timeLimit(.minutes(5)))
struct PolicyTests {
    private struct PlanLine: Decodable, Equatable {
        let action: String
        let id: Int64
        let title: String
        let bytes: Int64?
        let file: String?
        let reason: String
    }

    private struct Why: Decodable {
        struct Identity: Decodable {
            let rule: String
            let guid: String?
        }
        struct Next: Decodable {
            let action: String
            let reason: String
        }
        struct Event: Decodable {
            let event: String
            let from: String?
            let to: String?
            let mark: String?
            let reason: String?
        }
        let title: String
        let state: String
        let identity: Identity
        let next: Next
        let history: [Event]
    }

    private func items(_ numbers: [Int], on server: DummyServer) -> [FeedItem] {
        numbers.map {
            FeedItem(
                title: "Part \($0)", guid: "part-\($0)", url: server.url("/\($0).mp3"), day: $0,
                length: 100_000)
        }
    }

    /// A server whose feed lists the given parts at one fetch after the other, and a home that is subscribed to it.
    private func subscribed(
        _ documents: [[Int]], settings: [(String, String)] = []
    ) async throws -> (DummyServer, TestHome) {
        let server = try DummyServer()
        server.serve("/feed.xml", inTurn: documents.map { .feed(feed("Show", items($0, on: server))) })
        for number in 1...9 { server.serve("/\(number).mp3", .pattern(100_000, etag: "\"\(number)\"")) }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        for (key, value) in settings {
            #expect(await home.podget("set", "show", key, value).code == .done)
        }
        return (server, home)
    }

    private func why(_ selector: String, in home: TestHome) async throws -> Why {
        try #require(try await home.podget("why", selector, "--json").json([Why].self).first)
    }

    private func file(_ number: Int) -> String { "Show/2026-11-0\(number) Part \(number).mp3" }

    @Test func `a dry run says what would be done and why, and does nothing`() async throws {
        let (server, home) = try await subscribed(
            [[2, 1], [2, 1], [4, 3, 2, 1]], settings: [("latest", "2"), ("keep", "3")])
        defer { server.stop() }
        await home.podget("sync")
        await home.podget("mark", "keep", "show:latest")
        await home.podget("refresh")
        let requestCount = server.requests.count
        let planned = try await home.podget("sync", "--dry-run", "--json").json([PlanLine].self)
        #expect(planned.map(\.action) == ["download", "download", "keep", "keep"])
        #expect(planned.map(\.title) == ["Part 4", "Part 3", "Part 2", "Part 1"])
        #expect(
            planned.map(\.reason) == [
                "one of the newest 2", "one of the newest 2", "marked 'keep'",
                "one of the newest 3 files",
            ])
        #expect(planned[2].bytes == 100_000)
        #expect(planned[2].file == home.library + "/" + file(2))
        #expect(server.requests.count == requestCount)
        #expect(home.mediaFiles() == [file(1), file(2)])

        let text = await home.podget("sync", "--dry-run")
        #expect(text.output.hasSuffix("2 to download, 0 to delete, 2 to keep; nothing was done\n"))
        #expect(text.output.contains("marked 'keep'"))
    }

    @Test func `keep deletes the oldest files, tells why, and they stay deleted`() async throws {
        let (server, home) = try await subscribed([[1], [1], [2, 1], [2, 1]], settings: [("keep", "1")])
        defer { server.stop() }
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(1)])
        await home.podget("refresh")
        let planned = try await home.podget("sync", "--dry-run", "--json").json([PlanLine].self)
        #expect(planned.map(\.action) == ["download", "delete"])
        #expect(planned.last?.reason == "'keep' is 1, and a newer file comes")
        let second = await home.podget("sync")
        #expect(
            second.output.contains("Deleted Show: Part 1 (100 kB): 'keep' is 1, and a newer file is there\n"))
        #expect(second.output.hasSuffix("1 file downloaded, 1 file deleted\n"))
        #expect(home.mediaFiles() == [file(2)])
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(2)])
        #expect(server.requests(to: "/1.mp3").count == 1)

        let told = try await why("1", in: home)
        #expect(told.state == "deleted")
        #expect(told.history.last?.to == "deleted")
        #expect(told.history.last?.reason == "'keep' is 1, and a newer file is there")
        #expect(told.next.action == "skip")
    }

    @Test func `an old file stays where the new one does not come`() async throws {
        let (server, home) = try await subscribed([[1], [1], [2, 1]], settings: [("keep", "1")])
        defer { server.stop() }
        await home.podget("sync")
        server.serve("/2.mp3") { _, _ in .status(404) }
        #expect(await home.podget("sync").code == .partly)
        #expect(home.mediaFiles() == [file(1)])
    }

    @Test func `clean never deletes what is kept, in progress or requested by hand`() async throws {
        let (server, home) = try await subscribed([[4, 3, 2, 1]], settings: [("latest", "3")])
        defer { server.stop() }
        await home.podget("sync")
        await home.podget("download", "1")
        await home.podget("mark", "keep", "2")
        #expect(home.mediaFiles().count == 4)
        await home.podget("config", "keep", "0", "--force")
        let cleaned = try await home.podget("clean", "--json").output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(cleaned.filter { $0?["event"] as? String == "deleted" }.count == 2)
        #expect(home.mediaFiles() == [file(1), file(2)])
        #expect(try await why("1", in: home).next.reason == "requested by hand")
        #expect(try await why("2", in: home).next.reason == "marked 'keep'")
        await home.podget("mark", "unkeep", "2")
        await home.podget("clean")
        #expect(home.mediaFiles() == [file(1)])
        #expect(await home.podget("clean").output == "Nothing to delete\n")
    }

    @Test func `of a feed with 500 episodes only the first are downloaded, with dates or without`()
        async throws
    {
        for isDated in [true, false] {
            let server = try DummyServer()
            let list = (1...500).map { number in
                let date =
                    isDated
                    ? "<pubDate>\(Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 86_400).formatted(.iso8601))</pubDate>"
                    : ""
                return """
                    <item><title>Part \(number)</title><guid>\(number)</guid>\(date)
                    <enclosure url="\(server.url("/\(number).mp3"))" type="audio/mpeg"/></item>
                    """
            }
            defer { server.stop() }
            let head = "<rss version=\"2.0\"><channel><title>Show</title>"
            server.serve("/feed.xml", .feed(head + list.reversed().joined() + "</channel></rss>"))
            for number in 499...500 { server.serve("/\(number).mp3", .pattern(10_000)) }
            let home = try TestHome()
            await home.podget("config", "first", "2")
            await home.podget("subscribe", server.url("/feed.xml"))
            await home.podget("set", "show", "latest", "10")
            #expect(await home.podget("sync").code == .done)
            #expect(home.mediaFiles().count == 2)
            #expect(
                server.requests.map(\.path).filter { $0.hasSuffix(".mp3") }.sorted() == [
                    "/499.mp3", "/500.mp3",
                ])
            #expect(
                try await why("7", in: home).next.reason
                    == "it was there when you subscribed, and 'first' is 2")
        }
    }

    @Test func `what a filter skips is listed with its reason, until the filter goes`() async throws {
        let (server, home) = try await subscribed([[1], [2, 1]], settings: [("exclude", "part [2-9]")])
        defer { server.stop() }
        await home.podget("sync")
        struct Line: Decodable { let title: String }
        let skipped = { try await home.podget("episodes", "--state", "skipped", "--json").json([Line].self) }
        #expect(try await skipped().map(\.title) == ["Part 2"])
        #expect(server.requests(to: "/2.mp3").isEmpty)
        let told = try await why("2", in: home)
        #expect(told.next.reason == "its title fits 'exclude'")
        #expect(told.history.last?.reason == "its title fits 'exclude'")
        await home.podget("set", "show", "exclude", "--default")
        await home.podget("sync")
        #expect(try await skipped().isEmpty)
        #expect(home.mediaFiles().contains(file(2)))
    }

    @Test func `a filter looks past as many episodes as it must`() async throws {
        let server = try DummyServer()
        defer { server.stop() }
        let items = (1...400).reversed().map { number in
            let title = number == 7 ? "The harbour" : "Rerun \(number)"
            return """
                <item><title>\(title)</title><guid>\(number)</guid>
                <enclosure url="\(server.url("/\(number).mp3"))" type="audio/mpeg"/></item>
                """
        }
        server.serve(
            "/feed.xml",
            .feed("<rss version=\"2.0\"><channel><title>Show</title>\(items.joined())</channel></rss>"))
        server.serve("/7.mp3", .pattern(10_000))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("set", "show", "exclude", "^rerun")
        await home.podget("sync")
        #expect(home.mediaFiles() == ["Show/The harbour.mp3"])
    }

    @Test func `the storage limit makes room for the new by deleting the oldest`() async throws {
        let (server, home) = try await subscribed([[1], [1], [2, 1], [3, 2, 1]])
        defer { server.stop() }
        await home.podget("config", "storageLimit", "250 kB")
        for _ in 1...3 { await home.podget("sync") }
        #expect(home.mediaFiles() == [file(2), file(3)])
        let told = try await why("1", in: home)
        #expect(told.history.last?.reason == "'storageLimit' is reached, and it is the oldest")
    }

    @Test func `nothing makes way for an episode that finds no room`() async throws {
        let (server, home) = try await subscribed([[1], [1], [2, 1]], settings: [("keep", "1")])
        defer { server.stop() }
        await home.podget("sync")
        await home.podget("config", "storageLimit", "100 kB")
        let long = items([2, 1], on: server)
        server.serve(
            "/feed.xml",
            .feed(
                feed("Show", long).replacing(
                    "length=\"100000\"", with: "length=\"900000\"", maxReplacements: 1)))
        await home.podget("refresh")
        let planned = try await home.podget("sync", "--dry-run", "--verbose", "--json").json([PlanLine].self)
        #expect(planned.map(\.action) == ["keep", "skip"], "\(planned)")
        #expect(planned.map(\.reason) == ["the newest file", "no room for it within 'storageLimit'"])
        #expect(try await why("1", in: home).next.action == "keep")
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(1)])
    }

    @Test func `what did not come before newer ones took its place leaves the queue`() async throws {
        let (server, home) = try await subscribed([[1], [2, 1]], settings: [("keep", "1")])
        defer { server.stop() }
        // It is wanted, and the network is away.
        await home.podget("sync", "--offline")
        #expect(try await why("1", in: home).state == "queued")
        let synced = await home.podget("sync")
        #expect(synced.code == .done && home.mediaFiles() == [file(2)], "\(synced.output)")
        #expect(server.requests(to: "/1.mp3").isEmpty)
        let told = try await why("1", in: home)
        #expect(told.state == "none")
        #expect(told.history.last?.reason == "'keep' leaves no place beside newer ones")
    }

    @Test func `a dry run counts a file that was removed by hand as the sync will`() async throws {
        let (server, home) = try await subscribed(
            [[3, 2, 1]], settings: [("order", "oldest"), ("latest", "1"), ("keep", "1")])
        defer { server.stop() }
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(1)])
        try FileManager.default.removeItem(atPath: home.library + "/" + file(1))
        let planned = try await home.podget("sync", "--dry-run", "--json").json([PlanLine].self)
        #expect(planned.filter { $0.action == "download" }.map(\.title) == ["Part 2"], "\(planned)")
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(2)])
    }

    @Test func `a part that room was made of comes again when there is room, and none is passed over`()
        async throws
    {
        let (server, home) = try await subscribed(
            [[4, 3, 2, 1]], settings: [("order", "oldest"), ("latest", "3")])
        defer { server.stop() }
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(1), file(2), file(3)])
        let told = await home.podget("config", "storageLimit", "250", "kB").output
        #expect(told.contains("storageLimit is 250 kB now\nThe next sync deletes 1 file ("), "\(told)")
        await home.podget("sync")
        #expect(home.mediaFiles() == [file(1), file(2)])
        #expect(
            try await why("3", in: home).history.last?.reason
                == "'storageLimit' is reached, and its turn comes last")
        await home.podget("mark", "played", "1")
        await home.podget("clean", "--played")
        #expect(await home.podget("sync").code == .done)
        #expect(home.mediaFiles() == [file(2), file(3)])
    }

    @Test func `latest passes over what the filters do, also where it is named`() async throws {
        let (server, home) = try await subscribed([[2, 1]], settings: [("exclude", "Part 2")])
        defer { server.stop() }
        for command in ["show", "why"] {
            #expect(await home.podget(command, "show:latest").output.contains("Part 1"), "\(command)")
        }
        await home.podget("set", "show", "exclude", "Part")
        #expect(await home.podget("show", "show:latest").output.contains("Part 2"))
    }

    @Test func `why tells identity, rules and history`() async throws {
        let (server, home) = try await subscribed([[1]], settings: [("latest", "3")])
        defer { server.stop() }
        await home.podget("sync")
        await home.podget("mark", "played", "1")
        let told = await home.podget("why", "1")
        #expect(told.output.contains("Episode:     Part 1\n"))
        #expect(told.output.contains("Guid:        part-1\n"))
        #expect(told.output.contains("Next sync:   keeps its file: no rule says that it must go\n"))
        #expect(told.output.contains("latest     3                   this feed\n"))
        #expect(told.output.contains("  queued: wanted by the rules\n"))
        #expect(
            told.output.contains("  downloading\n") && told.output.contains("  downloaded\n"),
            "\(told.output)")
        #expect(told.output.contains("marked played\n"))
        let row = try await why("1", in: home)
        #expect(row.identity.rule == "new" || row.identity.rule == "guid")
        #expect(row.identity.guid == "part-1")
        #expect(row.history.map(\.event).contains("marked"))
    }

    @Test func `why of an episode that nobody knows is a usage mistake`() async throws {
        let home = try TestHome()
        #expect(await home.podget("why", "7").code == .usage)
        #expect(await home.podget("mark", "seen", "7").errors.hasPrefix("podget: mark takes one of played,"))
    }

    @Test func `a file that cannot be deleted is told and stops nothing`() async throws {
        let (server, home) = try await subscribed([[1], [1], [2, 1]], settings: [("keep", "1")])
        defer { server.stop() }
        await home.podget("sync")
        // A folder in the place of the file cannot be unlinked, not even by root.
        let path = home.library + "/" + file(1)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        #expect(synced.errors.contains("cannot be deleted"))
        #expect(try await why("1", in: home).state == "done")
    }
}
