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
