import Foundation
import Testing

@testable import podget

/// Existing files become downloads, each once, and nothing is lost.
@Suite(.timeLimit(.minutes(5)))
struct AdoptTests {
    private struct Row: Decodable {
        struct Episode: Decodable { let title: String }
        let file: String
        let result: String
        let episode: Episode?
        let reason: String?
        let path: String?
        let candidates: [Int64]?
    }

    private static let media = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples/feeds/media").path

    /// A subscribed show of four episodes, and a folder `old` with files of another program.
    private func home() async throws -> TestHome {
        let home = try TestHome(hasFFprobe: true)
        try FileManager.default.createDirectory(atPath: home.path + "/old", withIntermediateDirectories: true)
        func item(_ number: Int, _ title: String, _ url: String, _ size: Int) -> String {
            """
            <item><title>\(title)</title><guid>\(number)</guid><pubDate>0\(number) Nov 2026 06:00:00 GMT</pubDate>
            <enclosure url="https://show.example/\(url)" length="\(size)" type="audio/mpeg"/></item>
            """
        }
        try home.write(
            """
            <rss><channel><title>Show</title>
            \(item(1, "A whole evening", "a/whole-evening.mp3", 0))
            \(item(2, "Glue: the making", "m.mp3?id=2", 0))
            \(item(3, "Slow", "m.mp3?id=3", try size("slow-way.mp3") + 20_000))
            \(item(4, "Never there", "m.mp3?id=4", 0))
            </channel></rss>
            """, to: "feed.xml")
        await home.podget("subscribe", "--latest", "0", "feed.xml")
        try copy("whole.mp3", "whole-evening.mp3", home)
        try copy("glue.mp3", "2026-11-02 Glue_ the making.mp3", home)
        try copy("storm.m4a", "unknown.m4a", home)
        // Padded, so that its size tells it.
        try copy("slow-way.mp3", "x.mp3", home)
        let file = try FileHandle(forWritingTo: URL(filePath: home.path + "/old/x.mp3"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(count: 20_000))
        try file.close()
        try home.write("<html>", to: "old/page.mp3")
        try home.write("#EXTM3U\n", to: "old/list.m3u8")
        return home
    }

    private func size(_ name: String) throws -> Int {
        try Data(contentsOf: URL(filePath: Self.media + "/" + name)).count
    }

    private func copy(_ name: String, _ target: String, _ home: TestHome) throws {
        try FileManager.default.copyItem(
            atPath: Self.media + "/" + name, toPath: home.path + "/old/" + target)
    }

    private func names(_ folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    private let adopted: Set<String> = [
        "2026-11-01 A whole evening.mp3", "2026-11-02 Glue the making.mp3", "2026-11-03 Slow.mp3",
        "Show.m3u8",
    ]

    @Test func `a dry run tells what matches, why, and changes nothing`() async throws {
        let home = try await home()
        let before = names(home.path + "/old")
        let outcome = await home.podget("adopt", "--dry-run", "old")
        #expect(outcome.code == .done)
        let old = home.path + "/old"
        let target = ", into \(home.library)/Show"
        #expect(
            outcome.output == """
                Would adopt \(old)/2026-11-02 Glue_ the making.mp3: Show: Glue: the making (by its name)\(target)
                No episode: \(old)/unknown.m4a
                Would adopt \(old)/whole-evening.mp3: Show: A whole evening (by its address)\(target)
                Would adopt \(old)/x.mp3: Show: Slow (by its size)\(target)
                Where you know which episode a file is: podget adopt FILE --as EPISODE
                3 of 4 files would be adopted

                """)
        #expect(names(home.path + "/old") == before)
        #expect(names(home.library).isEmpty)
        #expect(await home.podget("episodes", "--state", "done").output == "No episodes\n")
    }

    @Test(arguments: ["copy", "link", "move"])
    func `files outside the library come into it, and a second time nothing happens`(
        _ way: String
    ) async throws {
        let home = try await home()
        let before = names(home.path + "/old")
        let words = way == "copy" ? ["adopt", "--json", "old"] : ["adopt", "--json", "old", "--\(way)"]
        func adopt() async throws -> [Row] {
            let outcome =
                words.count == 3
                ? await home.podget(words[0], words[1], words[2])
                : await home.podget(words[0], words[1], words[2], words[3])
            #expect(outcome.code == .done, "\(outcome.errors)")
            return try outcome.json([Row].self)
        }
        let rows = try await adopt()
        #expect(rows.filter { $0.result == "adopted" }.map(\.reason) == ["name", "url", "size"])
        #expect(names(home.library + "/Show") == adopted)
        let moved: Set = ["whole-evening.mp3", "2026-11-02 Glue_ the making.mp3", "x.mp3"]
        #expect(names(home.path + "/old") == (way == "move" ? before.subtracting(moved) : before))
        for row in rows where row.result == "adopted" {
            #expect(FileManager.default.isReadableFile(atPath: row.path ?? ""))
        }
        #expect(try home.read(home.library + "/podget.m3u8").contains("Show/2026-11-03 Slow.mp3"))

        let again = try await adopt()
        #expect(again.allSatisfy { $0.result != "adopted" })
        #expect(names(home.library + "/Show") == adopted)
        let states = await home.podget("episodes", "--state", "done").output
        #expect(states.split(separator: "\n").count == 4)
        #expect(await home.podget("storage").output.contains("Glue: the making"))
    }

    @Test func `two that adopt the same folder at once give each episode one file`() async throws {
        let home = try await home()
        let processes = try (0..<3).map { _ in
            try PodgetProcess(["adopt", home.path + "/old"], home: home.path)
        }
        for process in processes { #expect(await process.wait() == 0) }
        #expect(names(home.library + "/Show") == adopted)
        #expect(await home.podget("doctor").code == .done)
    }

    @Test func `no rule deletes what was taken over`() async throws {
        let home = try await home()
        await home.podget("config", "keep", "1")
        await home.podget("adopt", "--move", "old")
        let files = names(home.library + "/Show")
        #expect(files == adopted)
        await home.podget("sync")
        #expect(names(home.library + "/Show") == files)
        #expect(await home.podget("why", "1").output.contains("requested by hand"))
    }

    @Test func `files inside the library stay where they are`() async throws {
        let home = try await home()
        try FileManager.default.createDirectory(atPath: home.library, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: home.path + "/old", toPath: home.library + "/Mine")
        let before = names(home.library + "/Mine")
        let outcome = await home.podget("adopt", "Podcasts")
        #expect(outcome.output.hasSuffix("3 of 4 files adopted\n"))
        #expect(names(home.library + "/Mine") == before.union(["Mine.m3u8"]))
        #expect(try home.read(home.library + "/Mine/Mine.m3u8").contains("\nwhole-evening.mp3\n"))
        let again = await home.podget("adopt", "Podcasts/Mine").output
        #expect(
            again.contains("\n3 files are known already\n") && !again.contains("Known already"), "\(again)")
        #expect(await home.podget("adopt", "Podcasts/Mine", "--verbose").output.contains("Known already: "))
    }

    @Test func `what stands in the library is not replaced`() async throws {
        let home = try await home()
        let mine = try home.write("mine", to: "Podcasts/Show/2026-11-03 Slow.mp3")
        await home.podget("adopt", "old")
        #expect(try home.read(mine) == "mine")
        #expect(names(home.library + "/Show").contains("2026-11-03 Slow (2).mp3"))
    }

    @Test func `a deleted episode comes back when its file is adopted, and deleting keeps the original`()
        async throws
    {
        let home = try await home()
        await home.podget("adopt", "--link", "old")
        await home.podget("delete", "show:all")
        #expect(names(home.library + "/Show").isEmpty)
        #expect(names(home.path + "/old").contains("x.mp3"))
        #expect(await home.podget("adopt", "--link", "old").output.hasSuffix("3 of 4 files adopted\n"))
        #expect(names(home.library + "/Show") == adopted)
    }

    @Test(.enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed"))
    func `a title tag tells the episode in every format`() async throws {
        let home = try await home()
        try FileManager.default.createDirectory(
            atPath: home.path + "/tagged", withIntermediateDirectories: true)
        for (name, title) in [("a.mp3", "Never there"), ("b.m4a", "SLOW"), ("c.ogg", "Glue - the making")] {
            let made = try await Tool.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "sine=duration=2", "-metadata", "title=\(title)",
                    "-metadata", "album=Show", home.path + "/tagged/\(name)",
                ], home: home.path)
            #expect(made.code == 0, "\(made.errors)")
        }
        let rows = try await home.podget("adopt", "--json", "tagged").json([Row].self)
        #expect(rows.map(\.reason) == ["tag", "tag", "tag"])
        #expect(rows.map(\.episode?.title) == ["Never there", "Slow", "Glue: the making"])
        let playlist = try home.read(home.library + "/podget.m3u8")
        #expect(playlist.split(separator: "\n").count { $0.hasPrefix("#EXTINF:2,") } == 3)
    }

    @Test func `a file that fits several episodes is named with them, and taken over as one by hand`()
        async throws
    {
        let home = try await home()
        // The end of three addresses.
        let file = home.path + "/old/m.mp3"
        try copy("whole.mp3", "m.mp3", home)
        let unclear = await home.podget("adopt", "--dry-run", "old")
        #expect(
            unclear.output.contains(
                "Not clear: \(file) may be one of these; tell which: podget adopt \(file) --as EPISODE\n"
                    + "    4  Show: Never there\n    3  Show: ")
        )
        let row = try #require(
            try await home.podget("adopt", "--dry-run", "--json", "old").json([Row].self).first {
                $0.file == file
            })
        #expect(row.result == "ambiguous")
        #expect(row.candidates == [4, 3, 2])

        let tried = await home.podget("adopt", file, "--as", "4", "--dry-run")
        #expect(tried.code == .done)
        #expect(
            tried.output
                == "Would adopt \(file): Show: Never there (as you say), into \(home.library)/Show\n")
        #expect(home.mediaFiles().isEmpty)
        let adopted = await home.podget("adopt", "old/m.mp3", "--as", "show:latest")
        let target = home.library + "/Show/2026-11-04 Never there.mp3"
        #expect(adopted.output == "Adopted \(file): Show: Never there (as you say), as \(target)\n")
        #expect(FileManager.default.contentsEqual(atPath: file, andPath: target))
        #expect(try home.read(home.library + "/podget.m3u8").contains("Show/2026-11-04 Never there.mp3"))
        #expect(await home.podget("why", "4").output.contains("adopted by user: \(file)"))
    }

    @Test func `a file taken over by hand is one episode's, and no episode gets two`() async throws {
        let home = try await home()
        let file = home.path + "/old/unknown.m4a"
        let moved = await home.podget("adopt", file, "--as", "4", "--move", "--json")
        let row = try #require(try moved.json([Row].self).first)
        #expect((row.result, row.reason) == ("adopted", "user"))
        let target = try #require(row.path)
        #expect(!FileManager.default.fileExists(atPath: file))
        let bytes = try Data(contentsOf: URL(filePath: target))

        #expect(await home.podget("adopt", target, "--as", "4").output == "Known already: \(target)\n")
        for (words, error) in [
            (
                ["adopt", target, "--as", "3"],
                "\(target): is the file of Show: Never there (4) already"
            ),
            (
                ["adopt", "old/x.mp3", "--as", "4"],
                "\(home.path)/old/x.mp3 is not taken over: Show: Never there has a file; 'podget delete 4' makes room for another"
            ),
            (
                ["adopt", "old/page.mp3", "--as", "3"],
                "\(home.path)/old/page.mp3: does not begin like audio or video"
            ),
            (
                ["adopt", "old", "--as", "3"],
                "\(home.path)/old: is no file; --as tells which episode one file is"
            ),
            (["adopt", "old/none.mp3", "--as", "3"], "\(home.path)/old/none.mp3: No such file or directory"),
        ] {
            let outcome = await home.run(words)
            #expect(outcome.code == .failed)
            #expect(outcome.errors == "podget: \(error)\n")
        }
        #expect(await home.podget("adopt", "old/x.mp3", "--as", "show:all").code == .usage)
        #expect(await home.podget("adopt", "old/x.mp3", "--as", "77").code == .usage)
        #expect(try Data(contentsOf: URL(filePath: target)) == bytes)
        #expect(home.mediaFiles().count == 1)
    }

    @Test func `mistakes are told`() async throws {
        let home = try await home()
        #expect(await home.podget("adopt", "nowhere").errors.contains("nowhere: No such file or directory"))
        #expect(await home.podget("adopt", "--move", "--link", "old").code == .usage)
        #expect(await home.podget("adopt").code == .usage)
    }

    @Test func `what looks like a media file and is left out is told of`() async throws {
        let home = try TestHome()
        await home.podget("subscribe", try home.write(feed("Show", []), to: "feed.xml"))
        let page = try home.write("<html>not found</html>", to: "old/One.mp3")
        let empty = try home.write("", to: "old/deep/Two.M4A")
        try home.write("notes", to: "old/notes.txt")
        let closed = try home.write("x", to: "old/Closed.ogg")
        chmod(closed, 0)
        let outcome = await home.podget("adopt", home.path + "/old")
        for file in [page, empty] {
            #expect(outcome.errors.contains("\(file) does not begin like audio or video, and is left out\n"))
        }
        #expect(outcome.errors.contains(closed))
        #expect(!outcome.errors.contains("notes.txt"))
        #expect(outcome.output == "0 of 0 files adopted\n")
    }

    @Test func `feeds that were never fetched are named as the reason`() async throws {
        let home = try TestHome()
        try home.write("", to: "old/notes.txt")
        #expect(await home.podget("adopt", home.path + "/old").errors.contains("there are no feeds"))
        let list = "<opml><outline text='A' xmlUrl='https://a.example/'/></opml>"
        await home.podget("import", try home.write(list, to: "list.opml"))
        #expect(
            await home.podget("adopt", home.path + "/old").errors.contains(
                "1 feed of 1 never refreshed: their episodes are not known yet; adopt again after 'podget refresh'"
            ))
    }

    @Test func `what is no folder is refused, and names that are not UTF-8 are named`() async throws {
        let home = try await home()
        let file = await home.podget("adopt", home.path + "/old/x.mp3")
        #expect(file.code == .failed)
        #expect(
            file.errors.hasSuffix(
                "is no folder; name the one it lies in, or tell what it is with --as EPISODE\n"))
        let name = Array((home.path + "/old/").utf8) + [0xFF] + Array(" Ep.mp3".utf8) + [0]
        let made = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o644) }
        }
        #expect(made >= 0)
        close(made)
        let adopted = await home.podget("adopt", home.path + "/old", "--dry-run")
        #expect(adopted.errors.contains("Ep.mp3 is left out, for its name is not UTF-8; rename it\n"))
        #expect(adopted.output.contains("3 of 4 files"))
    }
}
