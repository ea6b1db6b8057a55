import Foundation
import TestServer
import Testing

@testable import podget

/// Programs that run when something has happened.
@Suite(.timeLimit(.minutes(5)))
struct HooksTests {
    private struct Event: Decodable {
        struct Episode: Decodable {
            let title: String
            let feedTitle: String
        }
        let event: String
        let episode: Episode?
        let file: String?
        let message: String?
        let downloaded: Int?
    }

    /// A home whose hooks append their input to `events`, and a show with these episodes.
    private func home(_ server: DummyServer, _ hooks: String, titles: String...) async throws -> TestHome {
        let home = try TestHome()
        let append = "['sh', '-c', 'cat >> \"$0\"', '\(home.path)/events']"
        try home.write(
            "{ latest: 9, hooks: { \(hooks.replacing("APPEND", with: append)) } }", to: "config.json5")
        let items = titles.enumerated().map { number, title in
            FeedItem(title: title, guid: "\(number)", url: server.url("/\(number).mp3"), day: number + 1)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in titles.indices { server.serve("/\(number).mp3", .pattern(50_000)) }
        await home.podget("subscribe", server.url("/feed.xml"))
        return home
    }

    private func events(_ home: TestHome) throws -> [Event] {
        guard FileManager.default.fileExists(atPath: home.path + "/events") else { return [] }
        return try home.read(home.path + "/events").split(separator: "\n").map {
            try JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }

    @Test func `each event is one line of JSON on standard input, whatever the title`() async throws {
        let server = try DummyServer()
        let title = "-rf What's \"$(touch pwned)\"; `touch pwned` \\ x"
        let home = try await home(
            server, "downloaded: APPEND, synced: APPEND",
            titles: title.replacing("\"", with: "&quot;"), "Line&#10;break &#27;[2J")
        let outcome = await home.podget("sync")
        #expect(outcome.code == .done)
        #expect(outcome.errors == "")
        let events = try events(home)
        #expect(events.map(\.event) == ["downloaded", "downloaded", "summary"])
        #expect(Set(events.compactMap(\.episode?.title)) == [title, "Line break [2J"])
        #expect(events.compactMap(\.episode?.feedTitle) == ["Show", "Show"])
        #expect(events.last?.downloaded == 2)
        for file in events.compactMap(\.file) {
            #expect(FileManager.default.isReadableFile(atPath: file), "\(file)")
        }
        #expect(!FileManager.default.fileExists(atPath: "pwned"))
    }

    @Test func `a failed download runs its own hook`() async throws {
        let server = try DummyServer()
        let home = try await home(server, "failed: APPEND", titles: "One")
        server.serve("/0.mp3", .status(404))
        #expect(await home.podget("sync").code == .partly)
        let events = try events(home)
        #expect(events.map(\.event) == ["failed"])
        #expect(events.first?.message?.contains("404") == true)
    }

    @Test func `the hook for syncs does not run after a download`() async throws {
        let server = try DummyServer()
        let home = try await home(server, "downloaded: APPEND, synced: APPEND", titles: "One")
        await home.podget("download", "show:latest")
        #expect(try events(home).map(\.event) == ["downloaded"])
    }

    @Test(arguments: [
        ("['false']", "the hook 'downloaded' (false) ended with exit code 1"),
        ("['/no/such']", "the hook 'downloaded' (/no/such) cannot be run: No such file or directory"),
        ("['~/missing']", "/missing) cannot be run: No such file or directory"),
        ("['sh', '-c', 'kill -9 $$']", "the hook 'downloaded' (sh) was ended by signal 9"),
        (
            "['sleep', '600'], timeLimit: 1",
            "the hook 'downloaded' (sleep) took longer than 1 s and was ended"
        ),
    ])
    func `what goes wrong with a hook is told and changes nothing`(
        _ hook: String, _ message: String
    ) async throws {
        let server = try DummyServer()
        let home = try await home(server, "downloaded: \(hook)", titles: "One")
        let outcome = await home.podget("sync")
        #expect(outcome.code == .done)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(home.mediaFiles().count == 1)
        #expect(outcome.output.hasSuffix("1 file downloaded\n"))
    }

    @Test func `what a hook prints goes to standard error, beside events in JSON too`() async throws {
        let server = try DummyServer()
        let home = try await home(server, "synced: ['sh', '-c', 'echo hello; exit 3']", titles: "One")
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await process.line { !$0.hasPrefix("{") } == nil)
        #expect(await process.wait() == 0)
        let errors = await process.errorText()
        #expect(errors == "hello\npodget: the hook 'synced' (sh) ended with exit code 3\n")
    }

    @Test func `an interrupted sync ends at once, hooks or not`() async throws {
        let server = try DummyServer()
        let home = try await home(
            server, "downloaded: ['sh', '-c', 'echo running; exec sleep 600'], synced: APPEND", titles: "One")
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await process.line { $0.contains("\"event\":\"playlist\"") } != nil)
        process.send(SIGTERM)
        #expect(await process.wait() == ExitCode.interrupted.rawValue)
        #expect(try events(home).isEmpty)
    }

    @Test func `of two processes only the one that downloads runs the hook`() async throws {
        let server = try DummyServer()
        let home = try await home(server, "downloaded: APPEND", titles: "Long")
        server.serve(
            "/0.mp3", Reply.pattern(2_000_000, etag: "\"strong\"").with { $0.stallAfter = 1_000_000 })
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await first.line { $0.contains("\"event\":\"progress\"") } != nil)
        let second = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await second.line { $0.contains("\"event\":\"following\"") } != nil)
        server.release("/0.mp3")
        #expect(await first.wait() == 0)
        #expect(await second.wait() == 0)
        #expect(try events(home).map(\.event) == ["downloaded"])
    }
}
