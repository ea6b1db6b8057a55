import EpisodeStore
import Foundation
import TestServer
import Testing

@testable import podget

/// Playing with the real mpv, without sound and picture, and with other programs.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Tool.isInstalled("mpv"), "needs mpv"))
struct PlayTests {
    private struct Played: Decodable {
        let id: Int64
        let source: String
        let start: Double
        let position: Double?
        let played: Bool
        let message: String?
    }

    private struct Episode: Decodable {
        let id: Int64
        let played: Bool
        let position: Double
        let file: String?
    }

    /// Silence in a WAV file of so many seconds.
    private func wave(seconds: Int) -> [UInt8] {
        let rate = 8000
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        var bytes: [UInt8] = Array("RIFF".utf8) + little(36 + seconds * rate, 4) + Array("WAVEfmt ".utf8)
        bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(rate, 4) + little(rate, 4)
        bytes += little(1, 2) + little(8, 2) + Array("data".utf8) + little(seconds * rate, 4)
        return bytes + [UInt8](repeating: 128, count: seconds * rate)
    }

    /// A home with downloaded episodes of so many seconds, and the server they came from.
    private func home(
        _ lengths: Int..., player: String, hasFFprobe: Bool = false
    ) async throws -> (TestHome, DummyServer) {
        let server = try DummyServer()
        let items = lengths.indices.map { number in
            FeedItem(
                title: number == 0 ? "--script=x; $(touch pwned)" : "Part \(number)", guid: "\(number)",
                url: server.url("/\(number).wav"), day: 9 - number, type: "audio/wav")
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for (number, seconds) in lengths.enumerated() {
            server.serve("/\(number).wav", .bytes(wave(seconds: seconds), type: "audio/wav"))
        }
        let home = try TestHome(hasFFprobe: hasFFprobe)
        try home.write("{ latest: 9, player: \(player) }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        return (home, server)
    }

    private let mpv = #"["mpv", "--no-config", "--ao=null", "--vo=null", "{file}"]"#

    private func episodes(_ home: TestHome) async throws -> [Episode] {
        try await home.podget("episodes", "--json").json([Episode].self)
    }

    private func played(_ process: PodgetProcess) async throws -> Played {
        let line = try #require(await process.line { $0.hasPrefix("{") })
        return try JSONDecoder().decode(Played.self, from: Data(line.utf8))
    }

    @Test func `the file is played to its end, then the queue, and no server is asked`() async throws {
        let (home, server) = try await home(1, 1, 1, player: mpv)
        let requestCount = server.requests.count
        let all = try await episodes(home)
        #expect(all.allSatisfy { $0.file != nil })
        await home.podget("queue", "add", "\(all[1].id)", "\(all[2].id)")
        let process = try PodgetProcess(["play", "\(all[0].id)", "--json"], home: home.path)
        for episode in all {
            let end = try await played(process)
            #expect(end.id == episode.id)
            #expect(end.source == episode.file)
            #expect(end.played)
        }
        #expect(await process.wait() == 0)
        #expect(try await episodes(home).allSatisfy { $0.played && $0.position == 0 })
        #expect(await home.podget("queue").output.hasPrefix("The play queue is empty"))
        #expect(server.requests.count == requestCount)
        #expect(!FileManager.default.fileExists(atPath: "pwned"))
    }

    @Test(.enabled(if: Tool.isInstalled("ffprobe"), "needs ffprobe"))
    func `programs are followed to their end where SIGCHLD is ignored`() async throws {
        let (home, server) = try await home(1, player: mpv)
        defer { server.stop() }
        await home.podget("delete", "show:latest")
        let ignored = ["env", "--ignore-signal=CHLD"]
        let download = try PodgetProcess(["download", "show:latest"], home: home.path, under: ignored)
        #expect(await download.wait() == 0)
        #expect(await home.podget("show", "show:latest").output.contains("pcm_u8"))
        let play = try PodgetProcess(["play", "show:latest", "--json"], home: home.path, under: ignored)
        #expect(try await played(play).played)
        #expect(await play.wait() == 0)
    }

    @Test func `a broken off episode goes on where it stopped, and mpv ends with podget`() async throws {
        let (home, _) = try await home(600, player: mpv)
        let id = "\(try #require(await episodes(home).first).id)"
        let process = try PodgetProcess(["play", id + "@2:03", "--json"], home: home.path)
        // mpv is there and plays when its position is stored for the first time.
        while try await episodes(home).first?.position == 0 { try await Task.sleep(for: .milliseconds(50)) }
        process.send(SIGINT)
        let end = try await played(process)
        #expect(await process.wait() == ExitCode.interrupted.rawValue)
        #expect(end.start == 123)
        let position = try #require(end.position)
        #expect(position >= 123 && position < 200)
        #expect(try await episodes(home).first?.position == position)
        #expect(!end.played)
    }

    @Test func `a file that names others makes mpv ask nobody`() async throws {
        let (home, server) = try await home(1, player: mpv)
        let file = try #require(await episodes(home).first?.file)
        let requestCount = server.requests.count
        let list =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n\(server.url("/0.wav"))\n#EXT-X-ENDLIST\n"
        for text in [
            list, "# mpv EDL v0\n\(server.url("/0.wav"))\n", "#EXTM3U\n\(server.url("/0.wav"))\n",
            server.url("/0.wav") + "\n",
        ] {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let process = try PodgetProcess(["play", "show:latest", "--json"], home: home.path)
            _ = await process.wait()
        }
        #expect(server.requests.count == requestCount)
    }

    @Test func `a list that pretends to be a sound file opens no other file here`() async throws {
        let (home, _) = try await home(1, player: mpv)
        let file = try #require(await episodes(home).first?.file)
        let folder = URL(filePath: file).deletingLastPathComponent()
        try Data(wave(seconds: 1)).write(to: folder.appending(path: "other.wav"))
        let list = Data("ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}ffconcat version 1.0\nfile other.wav\n".utf8)
        try list.write(to: URL(filePath: file))
        let process = try PodgetProcess(["play", "show:latest", "--json"], home: home.path)
        let end = try await played(process)
        #expect(!end.played && end.position == nil)
        #expect(end.message?.contains("cannot play it") == true)
    }

    @Test func `mpv plays where the user's own words end with dashes`() async throws {
        let (home, _) = try await home(
            1, player: #"["mpv", "--no-config", "--ao=null", "--vo=null", "--", "{file}"]"#)
        let process = try PodgetProcess(["play", "show:latest", "--json"], home: home.path)
        #expect(try await played(process).played)
        #expect(await process.wait() == 0)
    }

    @Test func `another program gets the file as one argument`() async throws {
        let (home, _) = try await home(
            1,
            player: #"["sh", "-c", "printf '%s\\n' \"$#\" \"$@\" > \"$HOME/told\"", "sh", "a, b", "{file}"]"#)
        let file = try #require(await episodes(home).first?.file)
        await home.podget("queue", "add", "show:latest")
        let outcome = await home.podget("play")
        #expect(outcome.code == .done)
        #expect(try home.read(home.path + "/told") == "2\na, b\n\(file)\n")
        #expect(try await episodes(home).first?.played == false)
        #expect(await home.podget("queue", "--json").output == "[\n\n]\n")
    }

    @Test func `another program is told where to begin, or it is not said that it begins there`() async throws
    {
        let (home, _) = try await home(
            600, player: #"["sh", "-c", "echo \"$@\" > \"$HOME/told\"", "sh", "--start-time={start}"]"#)
        let file = try #require(await episodes(home).first?.file)
        let told = await home.podget("play", "1@1:15")
        #expect(told.output.contains("from 1:15"))
        #expect(try home.read(home.path + "/told") == "--start-time=75.000 \(file)\n")
        await home.podget("play", "1")
        #expect(try home.read(home.path + "/told") == "--start-time=0.000 \(file)\n")

        await home.podget("config", "player", #"["true", "{file}"]"#)
        let refused = await home.podget("play", "1@1:15")
        #expect(refused.code == .failed)
        #expect(refused.errors.contains("the player cannot be told where to begin"), "\(refused.errors)")
        let unknown = await home.podget("config", "player", #"["vlc", "--at={position}"]"#)
        #expect(unknown.code == .usage)
        #expect(unknown.errors.contains("{file} and {start}"), "\(unknown.errors)")
        #expect(await home.podget("config", "player", #"["sh", "-c", "echo ${x}"]"#).code == .done)
    }

    @Test func `without the network the queue goes on with what is here, and what was begun is found again`()
        async throws
    {
        let (home, server) = try await home(1, 1, player: #"["echo"]"#)
        server.stop()
        let all = try await episodes(home)
        await home.podget("delete", "\(all[0].id)")
        await home.podget("queue", "add", "\(all[0].id)", "\(all[1].id)")
        let played = await home.podget("--offline", "play")
        #expect(played.output.contains("Playing Show: Part 1\n"), "\(played)")
        #expect(played.errors.contains("is not here; it stays in the queue, and --offline passes over it"))
        let library = try Library(path: home.database)
        try await library.setPosition(.seconds(20), of: EpisodeID(rawValue: all[1].id))
        #expect(
            try await home.podget("episodes", "--state", "started", "--json").json([Episode].self).map(\.id)
                == [all[1].id])
        #expect(await home.podget("episodes").output.contains("downloaded, started"))
        await home.podget("queue", "clear")
        #expect(
            await home.podget("play").output.hasSuffix("'podget play \(all[1].id)' goes on with Part 1\n"))
        await home.podget("mark", "unplayed", "\(all[1].id)")
        #expect(try await episodes(home).allSatisfy { $0.position == 0 })
    }

    @Test func `where the address cannot be played the newest file of the show is named`() async throws {
        let (home, server) = try await home(1, 1, player: #"["false"]"#)
        server.stop()
        await home.podget("delete", "show:latest")
        let failed = await home.podget("play", "show:latest")
        #expect(failed.code == .failed)
        #expect(failed.errors.contains("that is here is 1, Part 1: 'podget play 1'"), "\(failed.errors)")
    }

    @Test func `without a file the address is played, and with --offline nothing`() async throws {
        let (home, server) = try await home(1, player: mpv)
        await home.podget("delete", "show:latest")
        let requestCount = server.requests.count
        let refused = await home.podget("play", "show:latest", "--offline")
        #expect(refused.code == .failed)
        #expect(refused.errors.contains("--offline asks no server"))
        #expect(server.requests.count == requestCount)
        let process = try PodgetProcess(["play", "show:latest", "--json"], home: home.path)
        #expect(try await played(process).played)
        #expect(server.requests(to: "/0.wav").count > 1)
    }

    @Test func `a player that is missing, or fails, is told of`() async throws {
        let (home, _) = try await home(1, player: #"["/no/such", "{file}"]"#)
        let missing = await home.podget("play", "show:latest")
        #expect(missing.code == .failed)
        #expect(missing.errors.contains("cannot be run: No such file or directory"))
        await home.podget("config", "player", #"["false"]"#)
        let failing = await home.podget("play", "show:latest")
        #expect(failing.errors.contains("ended without playing it"))
        #expect(await home.podget("play", "show:latest@Nowhere").errors.contains("no such chapter"))
    }

    @Test(.enabled(if: TerminalSession.isInstalled, "needs tmux"))
    func `the terminal shows where playing is, and no noise of the sound libraries`() async throws {
        let (home, _) = try await home(
            60, player: #"["mpv", "--no-config", "--ao=null", "--vo=null", "{file}"]"#)
        // What libraries say on standard error.
        let noisy = try home.write(
            "#!/bin/sh\necho 'ALSA lib confmisc.c' >&2\nexec mpv \"$@\"\n", to: "bin/mpv-noisy/mpv")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: noisy)
        await home.podget("config", "player", "[\"\(noisy)\", \"--no-config\", \"--ao=null\", \"{file}\"]")
        let session = try await TerminalSession(
            "\(builtPodget) play show:latest@0:30", columns: 80,
            variables: ["PODGET_HOME": home.path, "HOME": home.path, "TERM": "xterm"])
        let lines = try await session.waitForScreen { $0.last?.contains(" of 1:00") == true }
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("Playing Show: ") == true)
        try await session.press("q")
        let last = try await session.waitForScreen { $0.last?.contains("goes on there") == true }
        #expect(!last.joined().contains("ALSA"))
    }

    @Test(.enabled(if: TerminalSession.isInstalled, "needs tmux"))
    func `a look at the first seconds leaves an episode new`() async throws {
        let (home, _) = try await home(
            60, player: #"["mpv", "--no-config", "--ao=null", "--vo=null", "--pause", "{file}"]"#)
        await home.podget("mark", "new", "show:latest")
        let session = try await TerminalSession(
            "\(builtPodget) play show:latest; echo over", columns: 80,
            variables: ["PODGET_HOME": home.path, "HOME": home.path, "TERM": "xterm"])
        _ = try await session.waitForScreen { $0.last?.contains(" of 1:00") == true }
        try await session.press("q")
        let last = try await session.waitForScreen { $0.last == "over" }
        #expect(!last.joined().contains("Stopped at"))
        #expect(try await episodes(home).first?.position == 0)
        #expect(await home.podget("episodes", "--state", "new", "--json").output.contains("\"id\""))
        #expect(await home.podget("show", "show:latest").output.contains("Played:") == false)
    }

    @Test func `what mpv says of a failure is told`() async throws {
        let (home, _) = try await home(1, player: #"["mpv", "--no-config", "--ao=no-such-output", "{file}"]"#)
        let session = try PodgetProcess(["play", "show:latest"], home: home.path)
        #expect(await session.wait() == 1)
        let errors = await session.errorText()
        #expect(errors.contains("the player cannot play it"))
        #expect(!errors.contains("ALSA lib"))
        #expect(await session.line { $0.hasPrefix("Stopped") } == nil)
        #expect(try await episodes(home).first?.position == 0)
    }

    @Test func `a player that is killed is told of, and its position kept`() async throws {
        // As mpv does where it crashes: it plays, and dies without a word.
        let (home, _) = try await home(600, player: mpv)
        let dying = try home.write(
            "#!/bin/sh\nmpv \"$@\" & player=$!\nread line < \"$HOME/order\"\nkill -SEGV $player\nwait $player\n",
            to: "bin/mpv")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: dying)
        #expect(mkfifo(home.path + "/order", 0o600) == 0)
        await home.podget(
            "config", "player", "[\"\(dying)\", \"--no-config\", \"--ao=null\", \"--vo=null\", \"{file}\"]")
        let id = "\(try #require(await episodes(home).first).id)"
        let process = try PodgetProcess(["play", id + "@2:03"], home: home.path)
        while try await episodes(home).first?.position == 0 { try await Task.sleep(for: .milliseconds(50)) }
        try "now\n".write(toFile: home.path + "/order", atomically: false, encoding: .utf8)
        #expect(await process.line { $0.hasPrefix("Stopped at 2:") } != nil)
        #expect(await process.wait() == ExitCode.failed.rawValue)
        #expect(await process.errorText().contains("the player was killed (Segmentation fault)"))
        #expect(try #require(await episodes(home).first).position >= 123)
    }

    @Test(.enabled(if: Tool.isInstalled("ffprobe"), "needs ffprobe"))
    func `a start beyond the end of the file is refused, and a stored one forgotten`() async throws {
        let (home, _) = try await home(1, player: #"["echo", "{start}"]"#, hasFFprobe: true)
        let id = "\(try #require(await episodes(home).first).id)"
        let refused = await home.podget("play", id + "@9:00")
        #expect(refused.code == .failed && refused.output.isEmpty)
        #expect(refused.errors.contains("it cannot begin at 9:00: the end is at 0:01"), "\(refused.errors)")
        #expect(try #require(await episodes(home).first).position == 0)
        // The file of the position was longer.
        let library = try Library(path: home.database)
        try await library.setPosition(.seconds(540), of: EpisodeID(rawValue: try #require(Int64(id))))
        let played = await home.podget("play", id)
        #expect(played.code == .done && !played.output.contains("from"), "\(played.output)")
    }

    @Test func `a chapter is named by its title whatever stands in it`() async throws {
        let (home, server) = try await home(600, player: mpv)
        let titles = ["Live @ noon", "A/B", "me@host/x", "1@2"]
        let chapters = titles.enumerated().map { number, title in
            "<psc:chapter start=\"\(number + 1):00\" title=\"\(title)\"/>"
        }
        let item = FeedItem(title: "One", guid: "0", url: server.url("/0.wav"), day: 9, type: "audio/wav")
        let document = feed("Show", [item]).replacing(
            "</item>",
            with: "<psc:chapters xmlns:psc=\"http://podlove.org/simple-chapters\">\(chapters.joined())"
                + "</psc:chapters></item>")
        server.serve("/feed.xml", .feed(document))
        await home.podget("refresh")
        await home.podget("config", "player", #"["false", "{start}"]"#)
        let id = "\(try #require(await episodes(home).first).id)"
        for (number, title) in titles.enumerated() {
            for selector in [id, "show:latest", server.url("/feed.xml") + ":latest"] {
                let told = await home.podget("play", "\(selector)@\(title)")
                #expect(
                    told.output.contains(" from \(number + 1):00\n"), "\(selector)@\(title): \(told.errors)")
            }
        }
        // What names nothing is told of as it is usually read.
        #expect(await home.podget("play", "nowhere@3").errors.contains("'nowhere'"))
    }

    @Test func `a play that fails leaves the position where it was`() async throws {
        let (home, _) = try await home(600, player: mpv)
        let id = "\(try #require(await episodes(home).first).id)"
        let process = try PodgetProcess(["play", id + "@2:03", "--json"], home: home.path)
        while try await episodes(home).first?.position == 0 { try await Task.sleep(for: .milliseconds(50)) }
        process.send(SIGINT)
        let position = try #require(try await played(process).position)
        _ = await process.wait()
        await home.podget("config", "player", #"["mpv", "--no-config", "--ao=no-such-output", "{file}"]"#)
        for point in ["", "@5:00"] {
            let failing = try PodgetProcess(["play", id + point, "--json"], home: home.path)
            #expect(try await played(failing).message?.contains("cannot play it") == true)
            #expect(await failing.wait() == 1)
            #expect(try await episodes(home).first?.position == position)
        }
    }
}
