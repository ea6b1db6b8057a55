import Foundation
import TestServer
import Testing

@testable import podget

/// What a download brings along: chapters, transcript and picture are there without a network.
@Suite(.timeLimit(.minutes(5)))
struct OfflineTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Samples/feeds").path

    private struct Shown: Decodable {
        struct Mark: Decodable, Equatable {
            let start: Double
            let title: String?
        }
        let id: Int
        let duration: Double?
        let chapters: [Mark]?
        let hasTranscript: Bool?
        let artwork: String?
    }

    private struct Hit: Decodable {
        struct Spoken: Decodable {
            let start: Double?
            let speaker: String?
            let text: String
        }
        let id: Int
        let spoken: Spoken?
    }

    /// A picture as far as its first bytes go.
    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 100)

    /// A show whose episode links to everything, on a server that has it.
    private func server(audio: Reply = .pattern(30_000)) throws -> DummyServer {
        let server = try DummyServer()
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
                xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
                <itunes:image href="/cover.jpg"/>
                \(["One", "Two"].enumerated().map { number, title in
                    """
                    <item><title>\(title)</title><guid>\(title)</guid>
                    <pubDate>0\(2 - number) Nov 2026 06:00:00 GMT</pubDate>
                    <enclosure url="/\(title).mp3" type="audio/mpeg"/>
                    <podcast:chapters url="/\(title).json" type="application/json+chapters"/>
                    <podcast:transcript url="/\(title).txt" type="text/plain"/>
                    <podcast:transcript url="/\(title).vtt" type="text/vtt"/></item>
                    """
                }.joined())
                </channel></rss>
                """))
        for title in ["One", "Two"] {
            server.serve("/\(title).mp3", audio)
            server.serve(
                "/\(title).json",
                .text(
                    #"{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Start"}, "#
                        + #"{"startTime": 75, "title": "The lock gate"}]}"#, type: "application/json"))
            server.serve(
                "/\(title).vtt",
                .text(
                    "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Welcome aboard\n\n"
                        + "01:15.000 --> 01:20.000\n<v Bob>The heron waits for number \(title)\n",
                    type: "text/vtt"))
        }
        server.serve("/cover.jpg", .bytes(Self.picture, type: "image/jpeg"))
        return server
    }

    @Test func `a download brings chapters, transcript and picture, once, and shows them without a server`()
        async throws
    {
        let server = try server()
        let home = try TestHome(hasFFprobe: true)
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)\(synced.output)")
        let paths = server.requests.map(\.path)
        let firstExtra = try #require(paths.firstIndex { $0.hasSuffix(".json") || $0.hasSuffix(".vtt") })
        #expect(paths[firstExtra...].allSatisfy { !$0.hasSuffix(".mp3") }, "audio comes first")
        #expect(server.requests(to: "/cover.jpg").count == 1, "episodes share the picture of their show")
        #expect(server.requests(to: "/One.txt").isEmpty, "there is a better form")

        server.clearLog()
        await home.podget("sync")
        #expect(Set(server.requests.map(\.path)) == ["/feed.xml"], "nothing is fetched twice")
        server.stop()

        let shown = try #require(
            try await home.podget("show", "show:latest", "--json").json([Shown].self).first)
        #expect(
            shown.chapters == [.init(start: 0, title: "Start"), .init(start: 75, title: "The lock gate")])
        #expect(shown.hasTranscript == true)
        let artwork = try #require(shown.artwork)
        #expect(artwork.hasPrefix(home.path + "/data/media/"))
        #expect(try Data(contentsOf: URL(filePath: artwork)) == Data(Self.picture))
        #expect(await home.podget("show", "show:latest").output.contains("2  1:15  The lock gate"))

        let text = await home.podget("transcript", "show:latest")
        #expect(text.output == "Ann: Welcome aboard\n\nBob: The heron waits for number One\n")
        let subtitles = await home.podget("transcript", "show:latest", "--format", "srt")
        #expect(
            subtitles.output.contains(
                "2\n00:01:15,000 --> 00:01:20,000\nBob: The heron waits for number One\n"))

        let found = await home.podget("search", "heron", "one")
        #expect(
            found.output.contains("\(shown.id)@1:15  Bob: The heron waits for number One"), "\(found.output)")
        let hit = try #require(
            try await home.podget("search", "heron", "one", "--json").json([Hit].self).first)
        #expect(hit.id == shown.id)
        #expect(hit.spoken?.start == 75)
        #expect(hit.spoken?.speaker == "Bob")
        #expect(hit.spoken?.text == "The heron waits for number One")
    }

    @Test func `what is missing is a note, is not asked for again, and fails nothing`() async throws {
        let server = try server()
        server.serve("/One.json", .status(404))
        server.serve("/One.vtt", .text("no cues here", type: "text/vtt"))
        server.serve("/Two.json", .text("<html>", type: "text/html"))
        server.serve("/Two.vtt", .status(410))
        server.serve("/Two.txt", .status(404))
        server.serve("/cover.jpg", .text("<html>Sign in</html>", type: "image/jpeg"))
        let home = try TestHome(hasFFprobe: true)
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)")
        #expect(home.mediaFiles().count == 2)
        #expect(synced.errors.contains("Show: One: the chapters cannot be stored: the server answered 404"))
        #expect(synced.errors.contains("the artwork cannot be stored: it is no picture"))
        server.clearLog()
        #expect(await home.podget("sync").code == .done)
        #expect(Set(server.requests.map(\.path)) == ["/feed.xml"])
        let missing = await home.podget("transcript", "show:all", "--format", "vtt")
        #expect(missing.code == .usage)
        let none = await home.podget("transcript", "1")
        #expect(none.code == .failed)
        #expect(none.errors.contains("but there was none behind the link"), "\(none.errors)")
    }

    /// A show with one episode that links to these transcripts, by name and type.
    private func server(
        transcripts: [(name: String, type: String, reply: Reply)], languages: [String] = []
    ) throws -> DummyServer {
        let server = try DummyServer()
        let links = transcripts.enumerated().map { number, link in
            let language = number < languages.count ? languages[number] : "en"
            return
                "<podcast:transcript url=\"/\(link.name)\" type=\"\(link.type)\" language=\"\(language)\"/>"
        }
        server.serve(
            "/feed.xml",
            Reply.feed(
                """
                <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
                <language>en</language><item><title>One</title><guid>1</guid>
                <enclosure url="/1.mp3" type="audio/mpeg"/>\(links.joined())</item></channel></rss>
                """))
        server.serve("/1.mp3", .pattern(30_000))
        for each in transcripts { server.serve("/" + each.name, each.reply) }
        return server
    }

    @Test(
        arguments: [
            (.text("<!DOCTYPE html><p>Please sign in</p>", type: "text/html"), "it is a web page"),
            (.text("<html><body>Gone fishing</body></html>", type: "text/vtt"), "it is a web page"),
            (.text(#"{"error": "no such transcript"}"#, type: "application/json"), "it holds no words"),
            (.pattern(20_000), "not readable as text"),
            (.bytes(picture, type: "text/vtt"), "not readable as text"),
            (.text("WEBVTT\n\n", type: "text/vtt"), "it holds no words"),
            (.text("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"), "it holds no words"),
            (.text("<Error><Code>AccessDenied</Code></Error>"), "it holds no words"),
            (.text("Not found", type: "text/plain"), nil),
        ] as [(Reply, String?)])
    func `what a server sends in place of a transcript is none, and the next link is tried at once`(
        _ reply: Reply, _ reason: String?
    ) async throws {
        let words = #"{"segments": [{"startTime": 3, "body": "The heron waits"}]}"#
        let server = try server(transcripts: [
            ("1.vtt", "text/vtt", reply), ("1.json", "application/json", .text(words)),
        ])
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        let note = reason.map { "the transcript cannot be stored: \($0)" }
        #expect(
            synced.errors.contains("transcript cannot be stored") == (note != nil)
                && note.map { synced.errors.contains($0) } != false, "\(synced.errors)")
        #expect(await home.podget("transcript", "1").output == "The heron waits\n")
    }

    @Test func `a plain text under a link that promises times is kept where there is nothing better`()
        async throws
    {
        let server = try server(transcripts: [("1.srt", "application/srt", .text("Only these words"))])
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        #expect(await home.podget("transcript", "1").output == "Only these words\n")
    }

    @Test func `it does not give way to one with times in another language`() async throws {
        let cues = Reply.text("WEBVTT\n\n00:01.000 --> 00:02.000\nDer Reiher wartet\n", type: "text/vtt")
        let server = try server(
            transcripts: [
                ("1.vtt", "text/vtt", .text("Only these words", type: "text/vtt")),
                ("2.vtt", "text/vtt", cues),
            ], languages: ["en-GB", "de"])
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        for _ in 0..<2 {
            await home.podget("sync")
            #expect(await home.podget("transcript", "1").output == "Only these words\n")
        }
        #expect(server.requests(to: "/2.vtt").isEmpty)
    }

    @Test func `a folder of pictures that was deleted is filled again, and not named before`() async throws {
        let server = try server()
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        await home.podget("sync")
        try FileManager.default.removeItem(atPath: home.path + "/data/media")
        #expect(try await home.podget("show", "1", "--json").json([Shown].self).first?.artwork == nil)
        #expect(await !home.podget("show", "1").output.contains("Artwork"))
        await home.podget("sync")
        for id in ["1", "2"] {
            let shown = try #require(try await home.podget("show", id, "--json").json([Shown].self).first)
            #expect(try Data(contentsOf: URL(filePath: #require(shown.artwork))) == Data(Self.picture))
        }
        #expect(server.requests(to: "/cover.jpg").count == 2)
    }

    /// Puts a program of this text on `PATH` in place of ffprobe, and returns that `PATH`.
    private func ffprobe(_ script: String, in home: TestHome) throws -> String {
        let file = try home.write(
            "#!/bin/sh\necho run >>'\(home.path)/ffprobe.log'\n\(script)\n", to: "bin/ffprobe")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return home.path + "/bin:/usr/bin:/bin"
    }

    @Test func `chapters in files are found once ffprobe is there, also of downloads from before`()
        async throws
    {
        let server = try server(transcripts: [])
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let start = Date()
        let first = await home.podget("sync", at: start, variables: ["PATH": "/nonexistent"])
        #expect(first.errors.contains("ffprobe (Debian: ffmpeg) cannot be run"))
        let later = start.addingTimeInterval(7200)
        let second = await home.podget("sync", at: later, variables: ["PATH": "/nonexistent"])
        #expect(!second.errors.contains("ffprobe"), "once for each download is enough: \(second.errors)")
        let path = try ffprobe(
            #"echo '{"chapters": [{"start_time": "2.5", "tags": {"title": "The tide"}}]}'"#, in: home)
        for hour in 3...5 {
            let synced = await home.podget(
                "sync", at: start.addingTimeInterval(Double(hour) * 3600), variables: ["PATH": path])
            #expect(synced.code == .done && synced.errors.isEmpty, "\(synced.errors)")
        }
        let shown = try await home.podget("show", "1", "--json").json([Shown].self)
        #expect(shown.first?.chapters == [.init(start: 2.5, title: "The tide")])
        #expect(try home.read(home.path + "/ffprobe.log") == "run\n", "a file is looked into once")
    }

    @Test func `an ffprobe that does not come to an end is a note, and is tried again five times`()
        async throws
    {
        let server = try server(transcripts: [])
        defer { server.stop() }
        let home = try TestHome()
        let path = try ffprobe("kill -9 $$", in: home)
        await home.podget("subscribe", server.url("/feed.xml"))
        let start = Date()
        for hour in 0..<7 {
            let synced = await home.podget(
                "sync", at: start.addingTimeInterval(Double(hour) * 3700), variables: ["PATH": path])
            #expect(synced.code == .done)
            #expect(
                synced.errors.contains("Show: One: the file cannot be looked into: ended by signal 9")
                    == (hour < 5), "\(hour): \(synced.errors)")
        }
        #expect(try home.read(home.path + "/ffprobe.log") == String(repeating: "run\n", count: 5))
    }

    @Test func `a long transcript of single words is stored whole, and the show's picture for a missing one`()
        async throws
    {
        let server = try DummyServer()
        defer { server.stop() }
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
                xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
                <itunes:image href="/cover.jpg"/><item><title>One</title><guid>1</guid>
                <enclosure url="/1.mp3" type="audio/mpeg"/><itunes:image href="/gone.jpg"/>
                <podcast:transcript url="/1.json" type="application/json"/></item></channel></rss>
                """))
        server.serve("/1.mp3", .pattern(30_000))
        server.serve("/cover.jpg", .bytes(Self.picture, type: "image/jpeg"))
        server.serve("/gone.jpg", .status(404))
        let words = (0..<20_000).map { "{\"startTime\": \($0), \"body\": \"word\($0)\"}" }
        server.serve(
            "/1.json", .text("{\"segments\": [\(words.joined(separator: ","))]}", type: "application/json"))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        #expect(await home.podget("search", "word19999").output.contains("1@5:33:19"))
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        let artwork = try #require(shown.artwork)
        #expect(try Data(contentsOf: URL(filePath: artwork)) == Data(Self.picture))
        server.clearLog()
        await home.podget("sync")
        #expect(server.requests.map(\.path) == ["/feed.xml"])
    }

    @Test func `a server that is away for a while is asked again, but not in the same hour`() async throws {
        let server = try server()
        server.serve("/One.json", inTurn: [.status(503), .text(#"{"chapters":[{"startTime":1}]}"#)])
        let home = try TestHome(hasFFprobe: true)
        await home.podget("subscribe", "--latest", "1", server.url("/feed.xml"))
        let start = Date()
        let first = await home.podget("sync", at: start)
        #expect(first.code == .done)
        #expect(first.errors.contains("the chapters cannot be fetched"), "\(first.errors)")
        await home.podget("sync", at: start.addingTimeInterval(1800))
        #expect(server.requests(to: "/One.json").count == 1)
        await home.podget("sync", at: start.addingTimeInterval(4000))
        #expect(server.requests(to: "/One.json").count == 2)
        let shown = try await home.podget("show", "show:latest", "--json").json([Shown].self)
        #expect(shown.first?.chapters == [.init(start: 1, title: nil)])
    }

    @Test func `a local feed's files beside it are stored, and none from elsewhere`() async throws {
        let home = try TestHome(hasFFprobe: true)
        try FileManager.default.copyItem(atPath: Self.samples, toPath: home.path + "/feeds")
        try home.write("WEBVTT\n\n00:00.000 --> 00:02.000\nSecret words\n", to: "secret.vtt")
        try home.write(
            """
            <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Spy</title>
            <item><title>One</title><guid>1</guid><enclosure url="media/glue.mp3" type="audio/mpeg"/>
            <podcast:transcript url="../secret.vtt" type="text/vtt"/></item></channel></rss>
            """, to: "feeds/spy.xml")
        await home.podget("subscribe", "--latest", "9", "feeds/low-water.xml", "feeds/spy.xml")
        let synced = await home.podget("sync", "--offline")
        #expect(
            synced.errors.contains("the transcript cannot be stored: local file refused"), "\(synced.output)")
        let hits = try await home.podget("search", "second harbour", "--json").json([Hit].self)
        #expect(hits.contains { $0.spoken?.start == 2 && $0.spoken?.speaker == "Ines Prado" })
        let nothing = await home.podget("search", "secrets").output
        #expect(
            nothing.hasPrefix("Nothing found for 'secrets'; 'secret*' finds all that begins so, ")
                && nothing.contains("with a transcript (1 of "), "\(nothing)")
    }

    @Test(
        .enabled(if: Tool.isInstalled("ffmpeg") && Tool.isInstalled("ffprobe")),
        arguments: [("mp3", "mp3"), ("m4a", "aac"), ("ogg", "opus")])
    func `chapters and length inside a file are found where the feed tells none`(
        _ fileExtension: String, _ codec: String
    ) async throws {
        let home = try TestHome(hasFFprobe: true)
        try home.write(
            """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=2000
            title=The tide
            [CHAPTER]
            TIMEBASE=1/1000
            START=2000
            END=4000
            title=The harbour
            """, to: "marks.txt")
        let library = ["mp3": "libmp3lame", "m4a": "aac", "ogg": "libopus"][fileExtension] ?? ""
        let made = try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=duration=4", "-i", "marks.txt", "-map_metadata",
                "1",
                "-c:a", library, "a.\(fileExtension)",
            ], home: home.path)
        #expect(made.code == 0, "\(made.errors)")
        try home.write(
            """
            <rss><channel><title>Show</title><item><title>One</title><guid>1</guid>
            <enclosure url="a.\(fileExtension)" type=""/></item></channel></rss>
            """, to: "feed.xml")
        await home.podget("subscribe", "feed.xml")
        await home.podget("sync")
        let shown = try #require(
            try await home.podget("show", "show:latest", "--json").json([Shown].self).first)
        #expect(
            shown.chapters == [.init(start: 0, title: "The tide"), .init(start: 2, title: "The harbour")])
        #expect((3.9...4.2).contains(shown.duration ?? 0))
        #expect(await home.podget("show", "1").output.contains("Codec:       \(codec)"))
    }

    @Test func `without ffprobe there is one note, and the rest is stored`() async throws {
        let server = try server()
        let home = try TestHome(hasFFprobe: true)
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        let synced = await home.podget("sync", variables: ["PATH": "/nonexistent"])
        #expect(synced.code == .done)
        #expect(
            synced.errors.components(separatedBy: "ffprobe (Debian: ffmpeg) cannot be run").count == 2,
            "\(synced.errors)")
        #expect(await home.podget("transcript", "show:latest").code == .done)
    }

    @Test func `the picture goes with the last download that shows it`() async throws {
        let server = try server()
        let home = try TestHome(hasFFprobe: true)
        await home.podget("subscribe", "--latest", "1", server.url("/feed.xml"))
        await home.podget("sync")
        let folder = home.path + "/data/media"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        await home.podget("delete", "show:latest")
        await home.podget("download")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
