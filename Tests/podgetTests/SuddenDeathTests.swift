import Foundation
import TestServer
import Testing

@testable import podget

/// `kill -9` at a hundred random moments.
@Suite(.timeLimit(.minutes(5)))
struct SuddenDeathTests {
    private struct EpisodeLine: Decodable {
        let title: String
        let state: String
        let file: String?
    }

    private let whole = Pattern(byteCount: 500_000)
    private let numbers = 1...20

    private struct DownloadLine: Decodable, Equatable {
        let state: String
        let verb: String?
        let bytes: Int64?
    }

    private struct Status: Decodable {
        let active: [DownloadLine]
        let queued: [DownloadLine]
        let paused: [DownloadLine]
    }

    private struct Why: Decodable {
        struct Event: Decodable { let to: String? }
        let state: String
        let reason: String?
        let history: [Event]
    }

    @Test func `what a killed process left running is queued in every command that reads`() async throws {
        let server = try DummyServer()
        let item = FeedItem(title: "Part", guid: "1", url: server.url("/1.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        server.serve("/1.mp3", .pattern(2_000_000, etag: "\"1\"").with { $0.stallAfter = 1_000_000 })
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("queue", "add", "1")
        let process = try PodgetProcess(["sync", "--quiet"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/1.mp3")
        try await home.waitForPartials()
        #expect(await home.podget("episodes", "--state", "active").output.contains("  active\n"))
        process.send(SIGKILL)
        _ = await process.wait()

        try await expectAlike(home, state: "queued", verb: "resume")
        for words in [["episodes"], ["episodes", "--state", "queued"], ["status"], ["queue"]] {
            let text = await home.run(words).output
            #expect(text.contains("queued"), "\(words): \(text)")
            #expect(!text.contains("active"), "\(words): \(text)")
        }
        #expect(await home.podget("episodes", "--state", "active").output == "No episodes\n")
        let shown = await home.podget("show", "1").output
        #expect(shown.contains("State:       queued\nWhy:         interrupted\n"))
        let why = try #require(try await home.podget("why", "1", "--json").json([Why].self).first)
        #expect((why.state, why.reason) == ("queued", "interrupted"))
        // Those who only read have written nothing.
        #expect(why.history.last?.to == "active")

        // A file of the cache that somebody removed is no promise any more.
        await home.podget("pause", "1")
        try await expectAlike(home, state: "paused", verb: "resume")
        try FileManager.default.removeItem(atPath: home.resumeFolder)
        try await expectAlike(home, state: "paused", verb: "retry")
    }

    /// Compares what the lists and the single views tell of the one episode.
    private func expectAlike(
        _ home: TestHome, state: String, verb: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let status = try await home.podget("status", "--json").json(Status.self)
        let line = try #require(
            (status.active + status.queued + status.paused).first, sourceLocation: sourceLocation)
        #expect((line.state, line.verb) == (state, verb), sourceLocation: sourceLocation)
        for words in [["episodes"], ["show", "1"], ["queue"]] {
            let lines = try await home.run(words + ["--json"]).json([DownloadLine].self)
            #expect(lines == [line], "\(words)", sourceLocation: sourceLocation)
        }
    }

    @Test func `every published file is whole, every episode arrives, and nothing is fetched twice`()
        async throws
    {
        let server = try DummyServer()
        let items = numbers.map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)", url: server.url("/\(number).mp3"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in numbers {
            let reply = Reply.pattern(whole.byteCount, etag: "\"\(number)\"")
            server.serve("/\(number).mp3", reply.with { $0.bytesPerSecond = 400_000 })
        }
        let home = try TestHome()
        try home.write("{ transfersPerHost: 3 }", to: "config.json5")
        await home.podget("subscribe", "--latest", "20", server.url("/feed.xml"))

        // How often each file had been asked for when it was first seen in the library.
        var requestCounts: [String: Int] = [:]
        for _ in 1...100 {
            let process = try PodgetProcess(["sync", "--quiet"], home: home.path)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400)))
            process.send(SIGKILL)
            _ = await process.wait()
            for file in publishedFiles(home) where requestCounts[file] == nil {
                #expect(whole.firstDifference(fromFileAt: home.library + "/" + file) == nil, "\(file)")
                requestCounts[file] = server.requests(to: path(of: file)).count
            }
        }
        #expect(await home.podget("sync").code == .done)
        let files = publishedFiles(home)
        #expect(files.count == numbers.count)
        for file in files {
            #expect(whole.firstDifference(fromFileAt: home.library + "/" + file) == nil, "\(file)")
            if let count = requestCounts[file] { #expect(server.requests(to: path(of: file)).count == count) }
        }
        let episodes = try await home.podget("episodes", "--json").json([EpisodeLine].self)
        #expect(episodes.allSatisfy { $0.state == "done" })
        #expect(Set(episodes.compactMap(\.file)).count == numbers.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.resumeFolder).isEmpty)
    }

    private func publishedFiles(_ home: TestHome) -> [String] {
        home.mediaFiles().filter { $0.hasSuffix(".mp3") }
    }

    /// The path on the server of a file such as `Show/2026-11-07 Part 7.mp3`.
    private func path(of file: String) -> String {
        "/\(file.split(separator: " ").last ?? "")"
    }
}
