import Foundation
import TestServer
import Testing

@testable import podget

/// Work that goes on without the terminal.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTests {
    private func show() throws -> DummyServer {
        let server = try DummyServer()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        server.serve("/feed.xml", .feed(feed("Show", [item])))
        server.serve(
            "/long.mp3",
            inTurn: [
                .pattern(2_000_000, etag: "\"1\"").with { $0.stallAfter = 1_000_000 },
                .pattern(2_000_000, etag: "\"1\""),
            ])
        return server
    }

    /// A folder for `PATH` with a `systemd-run` that notes its arguments, one a line, and ends with a code.
    private func standIn(_ home: TestHome, code: Int) throws -> [String: String] {
        let file = try home.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/arguments\"\nexit \(code)\n", to: "bin/systemd-run")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return ["PATH": "\(home.path)/bin:/usr/bin:/bin"]
    }

    @Test func `the user's systemd gets the command, and the variables that matter`() async throws {
        let home = try TestHome()
        let variables = try standIn(home, code: 0).merging([
            "http_proxy": "http://127.0.0.1:1", "SECRET": "x",
        ]) { $1 }
        let podget = try PodgetProcess(
            ["sync", "--background", "--no-download"], home: home.path, variables: variables)
        let told = try #require(await podget.line { $0.hasPrefix("Started in the background") })
        #expect(await podget.wait() == 0)
        let unit = "podget-\(podget.id)"
        #expect(told.contains("journalctl --user -u \(unit)"))
        let words = try home.read(home.path + "/arguments").split(separator: "\n").map(String.init)
        #expect(words.prefix(4) == ["--user", "--collect", "--quiet", "--unit=\(unit)"])
        #expect(words.suffix(5) == ["--", builtPodget, "sync", "--no-download", "--"])
        #expect(words.contains("--setenv=PODGET_HOME=\(home.path)"))
        #expect(words.contains("--setenv=http_proxy=http://127.0.0.1:1"))
        #expect(!words.contains { $0.contains("SECRET") })
    }

    private struct Status: Decodable {
        struct Item: Decodable { let verb: String? }
        let owner: Int32?
        let paused: [Item]
    }

    @Test func `without a user manager it is a process of its own, which pause and resume reach`()
        async throws
    {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let variables = try standIn(home, code: 1)
        let podget = try PodgetProcess(
            ["download", "--background", "show:latest"], home: home.path, variables: variables)
        let told = try #require(await podget.line { $0.hasPrefix("Started in the background") })
        #expect(told.contains(home.path + "/data/background.log"))
        #expect(await podget.wait() == 0)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        try await home.waitForPartials()
        let owner = try #require(try await home.podget("status", "--json").json(Status.self).owner)
        // The terminal's session is not its own.
        #expect(getsid(owner) != getsid(0))
        #expect(
            await home.podget("pause").output
                == "Paused Show: Long\n'podget resume' goes on with it\n")
        // It is no child of this process, so that nobody tells of its end.
        while kill(owner, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await home.podget("status", "--json").json(Status.self).paused.map(\.verb) == ["resume"])
        #expect(await home.podget("resume").code == .done)
        #expect(isResumed(server.requests(to: "/long.mp3"), within: 1_000_000))
        #expect(try home.read(home.path + "/data/background.log").contains("Paused: Show: Long"))
    }

    @Test func `what one says in the background stays when a second one begins, and goes with the next`()
        async throws
    {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let variables = try standIn(home, code: 1)
        func begin(_ words: String...) async throws {
            let podget = try PodgetProcess(
                ["sync", "--background"] + words, home: home.path, variables: variables)
            #expect(await podget.wait() == 0)
        }
        func log() throws -> String { try home.read(home.path + "/data/background.log") }
        try await begin("--verbose")
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        try await begin()
        while try !log().contains("Another podget is downloading") {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try log().contains("Downloading Show: Long"))
        server.release("/long.mp3")
        // Both have told of their end.
        while try log().components(separatedBy: "feed refreshed").count < 3 {
            try await Task.sleep(for: .milliseconds(20))
        }
        let owners = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init)
            .filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/fd/1"))
                    == home.path + "/data/background.log"
            }
        for owner in owners { while kill(owner, 0) == 0 { try await Task.sleep(for: .milliseconds(20)) } }
        try await begin("--no-download")
        while try !log().contains("feed refreshed") { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try !log().contains("Downloading Show: Long"))
    }

    @Test func `cancel ends it`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let podget = try PodgetProcess(
            ["sync", "--background", "--json"], home: home.path, variables: try standIn(home, code: 1))
        #expect(await podget.line { $0.contains("\"log\":") } != nil)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        #expect(await home.podget("cancel").output == "Cancelled Show: Long\n")
        #expect(await home.podget("status", "--watch").output == "Nothing is downloading now\n")
        #expect(home.mediaFiles().isEmpty)
    }

    @Test func `a mistake shows at once, and a running podget takes the episode on`() async throws {
        let server = try show()
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let mistaken = await home.podget("download", "--background", "shaw:latest")
        #expect(mistaken.code == .usage)
        let first = try PodgetProcess(["sync", "--json"], home: home.path)
        await server.waitForBodyBytes(1_000_000, on: "/long.mp3")
        let second = await home.podget("download", "--background", "show:latest")
        #expect(second.output == "Queued; another podget is downloading and takes them on\n")
        server.release("/long.mp3")
        #expect(await first.wait() == 0)
    }
}
