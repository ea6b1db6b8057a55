import Foundation
import TestServer
import Testing

@testable import podget

/// What goes on with which downloads, and that a command with names concerns these only.
@Suite(.timeLimit(.minutes(5)))
struct GoingOnTests {
    private struct Row: Decodable {
        let id: Int64
        let state: String
    }

    private func states(_ home: TestHome) async throws -> [String] {
        try await home.podget("episodes", "--json").json([Row].self).sorted { $0.id < $1.id }.map(\.state)
    }

    /// Two shows of two parts each; episodes 1 and 2 are those of the first, and the first transfer of each stalls.
    private func home(stalling: Set<Int> = [1, 2, 3, 4]) async throws -> (TestHome, DummyServer) {
        let server = try DummyServer()
        for (name, numbers) in [("One", [1, 2]), ("Two", [3, 4])] {
            let items = numbers.map {
                FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
            }
            server.serve("/\(name).xml", .feed(feed(name, items)))
        }
        for number in 1...4 {
            let whole = Reply.pattern(2_000_000, etag: "\"\(number)\"")
            let first = stalling.contains(number) ? whole.with { $0.stallAfter = 1_000_000 } : whole
            server.serve("/\(number).mp3", inTurn: [first, whole])
        }
        let home = try TestHome()
        try home.write("{ latest: 2, transfers: 2 }", to: "config.json5")
        await home.podget("subscribe", server.url("/One.xml"), server.url("/Two.xml"))
        return (home, server)
    }

    /// Lets a process download until the given files stall, and interrupts it.
    private func interrupt(
        _ words: [String], _ home: TestHome, _ server: DummyServer, at numbers: [Int]
    ) async throws {
        let process = try PodgetProcess(words, home: home.path)
        for number in numbers { await server.waitForBodyBytes(1_000_000, on: "/\(number).mp3") }
        try await home.waitForPartials(numbers.count)
        process.send(SIGINT)
        #expect(await process.wait() == ExitCode.interrupted.rawValue)
    }

    @Test func `status says what goes on with what has failed or is paused`() async throws {
        let (home, server) = try await home(stalling: [])
        defer { server.stop() }
        server.serve("/1.mp3", .status(404))
        await home.podget("download", "1")
        let status = await home.podget("status").output
        #expect(
            status.hasSuffix("'podget retry' tries again what failed, 'podget why ID' tells all of it\n"),
            "\(status)")
    }

    @Test func `an interruption tells what is queued besides`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let process = try PodgetProcess(["sync"], home: home.path)
        try await home.waitForPartials(2)
        process.send(SIGINT)
        let last = try #require(await process.line { $0.contains("downloads interrupted") })
        #expect(
            last.hasSuffix("2 downloads interrupted; 'podget sync' goes on with them, 2 more queued"),
            "\(last)")
        #expect(await process.wait() == ExitCode.interrupted.rawValue)
    }

    @Test func `resume goes on with all that Ctrl-C interrupted`() async throws {
        let (home, server) = try await home()
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        #expect(try await states(home) == ["queued", "queued", "none", "none"])
        #expect(await home.podget("retry").output.hasPrefix("Nothing has failed; 'podget resume' goes on"))
        #expect(
            await home.podget("retry", "1").errors.hasSuffix("is queued; 'podget resume 1' goes on with it\n")
        )
        let resumed = await home.podget("resume")
        #expect(resumed.code == .done)
        #expect(try await states(home) == ["done", "done", "none", "none"])
        for number in 1...2 {
            #expect(isResumed(server.requests(to: "/\(number).mp3"), within: 1_000_000))
        }
    }

    @Test(arguments: ["resume", "retry", "download"])
    func `named episodes are downloaded, and no others of the queue`(_ command: String) async throws {
        let (home, server) = try await home()
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        if command == "retry" {
            await home.podget("pause", "1")
        }
        let resumed = await home.podget(command, "1")
        #expect(resumed.code == .done)
        #expect(try await states(home) == ["done", "queued", "none", "none"])
        #expect(server.requests(to: "/2.mp3").count == 1)
    }

    @Test func `sync of one feed leaves the queue of the other alone`() async throws {
        let (home, server) = try await home()
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        for number in 3...4 { server.serve("/\(number).mp3", .pattern(2_000_000)) }
        let planned = await home.podget("sync", "two", "--dry-run", "--json")
        #expect(planned.output.contains("Two") && !planned.output.contains("\"One\""))
        #expect(await home.podget("sync", "two").code == .done)
        #expect(try await states(home) == ["queued", "queued", "done", "done"])
        #expect(await home.podget("sync", "one", "--dry-run").output.contains("Part 3") == false)
        #expect(await home.podget("sync").code == .done)
        #expect(try await states(home) == ["done", "done", "done", "done"])
    }

    @Test func `what the rules wanted is still theirs when the user resumes it`() async throws {
        let (home, server) = try await home()
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        await home.podget("resume")
        #expect(await home.podget("clean").output == "Nothing to delete\n")
        await home.podget("set", "one", "keep", "1")
        #expect(await home.podget("clean").output.contains("Deleted One: Part 1"))
    }

    @Test(arguments: [[], ["1"], ["--background"], ["1", "--background"]])
    func `what the rules wanted is still theirs after pause and resume, and why says so`(
        _ words: [String]
    ) async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        await home.podget("pause")
        if words.contains("--background") {
            // What the system is handed is done here, once it is queued.
            let stub = try home.write("#!/bin/sh\n", to: "bin/systemd-run")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
            let process = try PodgetProcess(
                ["resume"] + words, home: home.path, variables: ["PATH": "\(home.path)/bin:/usr/bin:/bin"])
            #expect(await process.wait() == 0)
            let queued = await home.podget("why", "1").output
            #expect(queued.contains("Why:         resumed by the user\n"))
            #expect(queued.contains("Next sync:   downloads it: wanted before, and still in the queue\n"))
            #expect(await home.podget("status", "--json").output.contains("\"resumed by the user\""))
        }
        #expect(await home.run(["resume"] + words.filter { $0 == "1" }).code == .done)
        let told = await home.podget("why", "1").output
        #expect(told.contains("  queued: resumed by the user\n"))
        #expect(!told.contains("requested by") && !told.contains("Requested:"), "\(told)")
        #expect(
            await home.podget("episodes", "one", "--json").output.contains("\"requested\" : true") == false)
        await home.podget("resume")
        await home.podget("set", "one", "keep", "1")
        #expect(await home.podget("clean").output.contains("Deleted One: Part 1"))
    }

    @Test func `what the user asked for is still theirs after a failure that sync tries again`() async throws
    {
        let (home, server) = try await home(stalling: [])
        defer { server.stop() }
        server.serve("/1.mp3", inTurn: [.status(404), .pattern(2_000_000)])
        #expect(await home.podget("download", "1").code == .partly)
        #expect(await home.podget("retry", "1").code == .done)
        let told = await home.podget("why", "1").output
        #expect(told.contains("  queued: tried again by the user\n"))
        #expect(told.contains("Requested:   by hand"))
    }

    @Test func `what is paused is named at the end of each sync and download`() async throws {
        let (home, server) = try await home(stalling: [1, 2])
        defer { server.stop() }
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        await home.podget("pause", "1", "2")
        let words = "2 paused ('podget resume' goes on with them)\n"
        #expect(await home.podget("sync", "two").output.hasSuffix(", " + words))
        #expect(await home.podget("download").output.hasSuffix(", " + words))
        #expect(await home.podget("sync", "--json").output.contains("\"paused\":2"))
        #expect(await home.podget("resume").output.contains("paused") == false)
    }

    @Test func `without a network the newest file that is here is named`() async throws {
        let (home, server) = try await home(stalling: [])
        defer { server.stop() }
        await home.podget("sync")
        await home.podget("delete", "one:latest")
        let refused = await home.podget("play", "one:latest", "--offline")
        #expect(refused.code == .failed)
        #expect(refused.errors.hasSuffix("that is here is 1, Part 1: 'podget play 1'\n"))
    }

    @Test func `a feed can be named by the end of its address, but by nothing else of it`() async throws {
        let server = try DummyServer()
        defer { server.stop() }
        server.serve("/show/mixed.xml", .feed(feed("Some sounds", [])))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/show/mixed.xml"))
        for name in ["mixed", "Mixed.xml"] { #expect(await home.podget("show", name).code == .done) }
        for name in ["mix", "xml", "127.0.0.1"] { #expect(await home.podget("show", name).code != .done) }
    }

    @Test func `resume hands the work to the background too`() async throws {
        let (home, server) = try await home()
        try await interrupt(["sync", "one"], home, server, at: [1, 2])
        // No systemd answers in this home: it becomes a process of its own.
        let words = ["resume", "1", "--background"]
        let process = try PodgetProcess(words, home: home.path, variables: ["XDG_RUNTIME_DIR": home.path])
        #expect(await process.wait() == 0)
        for _ in 1...600 where try await states(home).first != "done" {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try await states(home) == ["done", "queued", "none", "none"])
    }

    @Test func `an episode without a file is refused in one line`() async throws {
        let home = try TestHome()
        let server = try DummyServer()
        server.serve("/1.mp3", .pattern(20_000))
        let text = feed(
            "Show", [FeedItem(title: "Sound", guid: "1", url: server.url("/1.mp3"), day: 2)]
        ).replacing("</channel>", with: "<item><title>Words</title><guid>2</guid></item></channel>")
        server.serve("/feed.xml", .feed(text))
        await home.podget("subscribe", server.url("/feed.xml"))
        let refused = await home.podget("download", "1")
        #expect(refused.code == .failed)
        #expect(refused.errors == "podget: Show: Words: the feed has no file to download\n")
        #expect(refused.output.isEmpty)
        let partly = await home.podget("download", "1", "2")
        #expect(partly.code == .partly)
        #expect(partly.errors == "podget: Show: Words: the feed has no file to download\n")
        #expect(home.mediaFiles().count == 1)
    }

    @Test(arguments: ["one:newest", "one:"])
    func `an episode that a feed has not is told so, with the names that there are`(_ selector: String)
        async throws
    {
        let (home, server) = try await home()
        defer { server.stop() }
        let part = selector.split(separator: ":").dropFirst().first ?? ""
        let outcome = await home.podget("download", selector)
        #expect(outcome.code == .usage)
        #expect(
            outcome.errors.hasPrefix(
                "podget: One has no episode '\(part)'; episodes of a feed are named FEED:latest"))
    }

    @Test(arguments: ["one:S9", "One:S1E7"])
    func `where a feed tells no seasons, that is said`(_ selector: String) async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let outcome = await home.podget("download", selector)
        #expect(outcome.code == .usage)
        #expect(
            outcome.errors == "podget: One tells no seasons of its episodes; FEED:all names all of them\n")
    }

    @Test(arguments: ["download", "show", "why", "play", "mark played"])
    func `the number of an episode behind its feed is told to stand alone`(_ command: String) async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let words = command.split(separator: " ").map(String.init)
        let outcome = await home.run(words + ["one:1"])
        #expect(outcome.code == .usage)
        let title = try await home.podget("show", "1", "--json").json([Titled].self)[0]
        #expect(
            outcome.errors
                == "podget: One has no episode '1'; a number stands alone: '1' names \(title.feed.title): \(title.title)\n"
        )
        // No episode has this number.
        #expect(
            await home.run(words + ["one:999"]).errors.hasPrefix(
                "podget: One has no episode '999'; episodes of a feed are named FEED:latest"))
    }

    private struct Titled: Decodable {
        struct Feed: Decodable { let title: String }
        let title: String
        let feed: Feed
    }

    @Test func `a part of the slug names a feed, as a part of the title does`() async throws {
        let home = try TestHome()
        await home.podget("subscribe", try home.write(feed("A Show, with a long name", []), to: "feed.xml"))
        for name in ["a-show", "a-show-with", "long name", "LONG-NAME"] {
            #expect(await home.podget("show", name).output.contains("A Show, with a long name"), "\(name)")
        }
    }
}
