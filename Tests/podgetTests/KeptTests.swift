import Foundation
import TestServer
import Testing

@testable import podget

/// What the user wants to be kept: it is shown, can be taken back, and nothing deletes it without being told to.
@Suite(.timeLimit(.minutes(5)))
struct KeptTests {
    private struct Row: Decodable {
        let id: Int64
        let state: String
        let kept: Bool
        let played: Bool
    }

    /// A show of five parts, numbered as they are; the newest two are downloaded by the rules, of which two files stay.
    private func home(keep: String = "2") async throws -> (TestHome, DummyServer) {
        let server = try DummyServer()
        let items = (1...5).reversed().map {
            FeedItem(title: "Part \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...5 { server.serve("/\(number).mp3", .pattern(100_000, etag: "\"\(number)\"")) }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", "--keep", keep, server.url("/feed.xml"))
        await home.podget("sync")
        return (home, server)
    }

    private func rows(_ home: TestHome, _ words: String...) async throws -> [Row] {
        try await home.run(["episodes", "--json"] + words).json([Row].self)
    }

    @Test func `a download by hand says that no rule deletes it, and unkeep takes that back`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let asked = await home.podget("download", "1")
        let exemption = "; no rule deletes it; 'podget mark unkeep 1' lets the rules have it\n"
        #expect(asked.output.contains("Downloaded Show: Part 1 (100 kB)\(exemption)"))
        // What the rules fetched becomes the user's own once they ask for it.
        #expect(
            await home.podget("download", "5").output.hasPrefix(
                "Show: Part 5 is downloaded already; no rule deletes it; 'podget mark unkeep 5' lets the rules have it\n"
            )
        )
        #expect(try await rows(home, "--state", "requested").map(\.id) == [5, 1])
        #expect(try await rows(home, "--state", "kept").isEmpty)
        #expect(await home.podget("episodes").output.contains("downloaded, requested\n"))
        #expect(
            await home.podget("show", "5").output.contains(
                "\nRequested:   by hand, so that no rule deletes it, but 'delete' and 'clean --played' do; 'podget mark unkeep 5'"
            ))
        #expect(await home.podget("clean").output == "Nothing to delete\n")
        await home.podget("mark", "unkeep", "1", "5")
        #expect(try await rows(home, "--state", "requested").isEmpty)
        #expect(await home.podget("clean").output.contains("Deleted Show: Part 1"))
    }

    @Test func `where no rule deletes anything nothing is said of it`() async throws {
        let (home, server) = try await home(keep: "all")
        defer { server.stop() }
        #expect(await home.podget("download", "1").output.hasPrefix("Downloaded Show: Part 1 (100 kB)\n"))
    }

    @Test func `kept and played are shown by episodes, show and why`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        await home.podget("mark", "keep", "5")
        await home.podget("mark", "played", "5", "4")
        let list = await home.podget("episodes").output
        #expect(list.contains("downloaded, kept, played\n"))
        #expect(list.contains("downloaded, played\n"))
        for command in ["show", "why"] {
            let text = await home.podget(command, "5").output
            #expect(
                text.contains("\nKept:        marked 'keep'; 'podget mark unkeep 5' lets the rules have it\n")
            )
            #expect(text.contains("\nPlayed:      yes\n"))
            #expect(!(await home.podget(command, "3").output.contains("Kept:")))
        }
        #expect(try await rows(home, "--state", "played").map(\.id) == [5, 4])
        #expect(try await rows(home, "--state", "unplayed").map(\.id) == [3, 2, 1])
        #expect(try await rows(home, "--state", "kept").allSatisfy { $0.kept && $0.played })
    }

    @Test func `the deleted episodes are those that the whole list calls so`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        await home.podget("delete", "5")
        #expect(try await rows(home).filter { $0.state == "deleted" }.map(\.id) == [5])
        #expect(try await rows(home, "--state", "deleted").map(\.id) == [5])
        await home.podget("unsubscribe", "show")
        #expect(try await rows(home).isEmpty)
        #expect(try await rows(home, "--state", "deleted").isEmpty)
        // A file that is there can be listened to, whatever became of its feed.
        #expect(try await rows(home, "--state", "done").map(\.id) == [4])
    }

    @Test func `what is marked keep is deleted only by force`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        await home.podget("mark", "keep", "5")
        let refused = await home.podget("delete", "show:all")
        #expect(refused.code == .failed)
        #expect(
            refused.errors
                == "podget: Show: Part 5 (5) is marked 'keep', and nothing is deleted; 'podget delete --force' deletes such files too\n"
        )
        #expect(home.mediaFiles().count == 2)
        let unsubscribed = await home.podget("unsubscribe", "show", "--delete-files")
        #expect(unsubscribed.code == .failed)
        #expect(unsubscribed.errors.contains("'podget unsubscribe --delete-files --force'"))
        #expect(home.mediaFiles().count == 2)
        #expect(await home.podget("delete", "5", "--force").code == .done)
        #expect(home.mediaFiles() == ["Show/2026-11-04 Part 4.mp3"])
        #expect(await home.podget("unsubscribe", "show", "--force").code == .usage)
        #expect(await home.podget("unsubscribe", "show", "--delete-files").code == .done)
        #expect(home.mediaFiles().isEmpty)
    }

    @Test(arguments: [["config"], ["set", "show"]])
    func `keep 0 is refused with what it would delete, and a smaller keep tells it`(
        _ command: [String]
    ) async throws {
        let (home, server) = try await home(keep: command == ["config"] ? "all" : "9")
        defer { server.stop() }
        if command == ["config"] { await home.podget("set", "show", "keep", "--default") }
        let refused = await home.run(command + ["keep", "0"])
        #expect(refused.code == .failed)
        #expect(
            refused.errors
                == "podget: keep 0 makes the next sync delete every file that the rules fetched (2 files now); --force sets it nevertheless\n"
        )
        #expect(await home.podget("clean").output == "Nothing to delete\n")
        #expect(
            await home.run(command + ["keep", "1"]).output.contains(
                "keep is 1 now; the next sync deletes 1 file ('podget clean --dry-run' lists them)\n"))
        #expect(await home.run(command + ["keep", "0", "--force"]).code == .done)
        await home.podget("clean")
        #expect(home.mediaFiles().isEmpty)
    }

    @Test func `a file that was removed by hand is told of, with the way to get it back`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        for file in home.mediaFiles() {
            try FileManager.default.removeItem(atPath: home.library + "/" + file)
        }
        let hint = "the file is gone; 'podget download 5' fetches it again\n"
        #expect(await home.podget("show", "5").output.contains("State:       " + hint))
        let refused = await home.podget("play", "5", "--offline")
        #expect(
            refused.errors.contains("the file is gone ('podget download 5' fetches it again), and --offline"))
        await home.podget("config", "player", #"["true"]"#)
        #expect(await home.podget("play", "5").errors == "podget: Show: Part 5: " + hint)
        // Once a sync has seen it, it is missing.
        await home.podget("sync")
        #expect(await home.podget("show", "5").output.contains("State:       " + hint))
    }

    @Test func `clean deletes what is played on request, but nothing that is marked keep`() async throws {
        let (home, server) = try await home(keep: "all")
        defer { server.stop() }
        await home.podget("download", "1", "2")
        await home.podget("mark", "played", "1", "4", "5")
        await home.podget("mark", "keep", "4")
        #expect(await home.podget("clean").output == "Nothing to delete\n")
        #expect(await home.podget("clean", "--played", "--dry-run").output.contains("2 to delete"))
        let cleaned = await home.podget("clean", "--played")
        #expect(cleaned.output.contains("Deleted Show: Part 1 (100 kB): it is played\n"))
        #expect(home.mediaFiles() == ["Show/2026-11-02 Part 2.mp3", "Show/2026-11-04 Part 4.mp3"])
    }

    @Test func `what a feed left behind is deleted by its name, and nothing else is done with it`()
        async throws
    {
        let (home, server) = try await home()
        defer { server.stop() }
        await home.podget("unsubscribe", "show")
        #expect(await home.podget("sync", "show").code == .usage)
        #expect(await home.podget("delete", "show:latest").output.hasPrefix("Deleted Show: Part 5"))
        #expect(await home.podget("unsubscribe", "show", "--delete-files").code == .done)
        #expect(home.mediaFiles().isEmpty)
        #expect(await home.podget("show", "show").code == .usage)
    }

    @Test func `a mark names its episode, and a mark of what is not here says how it comes`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        #expect(
            await home.podget("mark", "keep", "1").output
                == "Show: Part 1 is marked keep\nIt has no file yet; 'podget download 1' fetches it\n")
        #expect(await home.podget("mark", "played", "5", "4").output == "2 episodes marked played\n")
    }

    @Test func `a folder that the files never left is taken back without a word of moving`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        await home.podget("config", "library", home.path + "/elsewhere")
        let back = await home.podget("config", "library", "--default")
        #expect(!back.output.contains("stand"), "\(back.output)")
    }

    @Test
    func `partial downloads are told beside what the files occupy, and the newest episode beside its feed`()
        async throws
    {
        let (home, server) = try await home()
        defer { server.stop() }
        #expect(!(await home.podget("storage").output.contains("unfinished")))
        try home.write(String(repeating: "x", count: 100_000), to: "cache/resume/3.part")
        #expect(
            await home.podget("storage").output.hasSuffix(
                "of unfinished downloads besides; 'podget status' shows them\n"))
        let feeds = await home.podget("feeds").output
        #expect(feeds.contains("NEWEST") && feeds.contains("Nov 5, 2026"), "\(feeds)")
    }

    @Test func `another folder for the library tells how the files get there`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let moved = await home.podget("config", "library", home.path + "/New shows")
        let command = "mkdir -p '\(home.path)/New shows' && mv \(home.library)/* '\(home.path)/New shows'/"
        #expect(moved.output.contains("2 files stand in \(home.library) still, "))
        #expect(moved.output.hasSuffix("to move all: \(command)\n"))
        let shell = try await Tool.run("sh", ["-c", command], home: home.path)
        #expect(shell.code == 0, "\(shell.errors)")
        #expect(await home.podget("doctor").code == .done)
        #expect(await home.podget("show", "5").output.contains("State:       downloaded\n"))
    }

    @Test func `a cleaning tells how much it freed`() async throws {
        let (home, server) = try await home(keep: "all")
        defer { server.stop() }
        await home.podget("mark", "played", "4", "5")
        let cleaned = await home.podget("clean", "--played").output
        #expect(cleaned.hasSuffix("\n2 files deleted, 200 kB freed\n"))
        #expect(home.mediaFiles().isEmpty)
        // What was heard does not come back by itself, also where a later wish for it was taken back.
        server.serve("/5.mp3", .status(404))
        await home.podget("download", "5")
        await home.podget("cancel", "5")
        server.serve("/5.mp3", .pattern(100_000))
        #expect(await home.podget("sync").output.contains("0 files downloaded"))
    }

    @Test func `what is deleted is said to stay away, and how it comes back`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let one = await home.podget("delete", "5")
        #expect(
            one.output.hasSuffix("\nNo sync fetches it again; 'podget download 5' does\n"), "\(one.output)")
        await home.podget("download", "1", "2")
        #expect(
            await home.podget("delete", "show:all").output.contains(
                "\nNo sync fetches them again; 'podget download EPISODE' does\n"))
    }

    @Test func `a setting that 'keep' overrides is told of at once`() async throws {
        let (home, server) = try await home()
        defer { server.stop() }
        let words = "'keep' is 2, so that no more than 2 are downloaded"
        #expect(await home.podget("set", "show", "latest", "4").output == "Show: latest is 4 now\n\(words)\n")
        #expect(await home.podget("set", "show", "keep", "4").output == "Show: keep is 4 now\n")
        await home.podget("unsubscribe", "show")
        let again = await home.podget("subscribe", "--latest", "4", "--keep", "2", server.url("/feed.xml"))
        #expect(again.output.contains("\nShow: \(words)\n"))
        await home.podget("config", "keep", "2")
        #expect(await home.podget("config", "latest", "3").output == "latest is 3 now\n\(words)\n")
    }
}
