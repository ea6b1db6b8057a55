import Foundation
import TestServer
import Testing

@testable import EpisodeStore
@testable import podget

/// Tags in finished files, as other programs read them.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct TagTests {
    private struct Probe: Decodable {
        struct Format: Decodable {
            let tags: [String: String]?
        }
        struct Stream: Decodable {
            let codec_type: String
            let tags: [String: String]?
        }
        struct Chapter: Decodable {
            let start_time: String
            let tags: [String: String]?
        }
        let format: Format
        let streams: [Stream]
        let chapters: [Chapter]

        /// Ogg keeps its tags with the stream; names differ in case.
        var tags: [String: String] {
            let all =
                [format.tags ?? [:]] + streams.filter { $0.codec_type == "audio" }.map { $0.tags ?? [:] }
            return all.reduce(into: [:]) { result, tags in
                for (name, value) in tags { result[name.lowercased()] = value }
            }
        }
        var hasPicture: Bool { streams.contains { $0.codec_type == "video" } }
    }

    private struct Shown: Decodable {
        let file: String
        let bytes: Int
        let originalChecksum: String?
        let taggedChecksum: String?
    }

    private func probe(_ file: String, home: TestHome) async throws -> Probe {
        let outcome = try await Tool.run(
            "ffprobe",
            ["-v", "error", "-show_format", "-show_streams", "-show_chapters", "-of", "json", file],
            home: home.path)
        return try JSONDecoder().decode(Probe.self, from: Data(outcome.output.utf8))
    }

    /// The decoded sound, which tags must not touch.
    private func sound(_ file: String, home: TestHome) async throws -> String {
        try await Tool.run(
            "ffmpeg", ["-v", "error", "-i", file, "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
            home: home.path
        ).output
    }

    private func media(_ fileExtension: String, _ codec: String, home: TestHome) async throws -> [UInt8] {
        let made = try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=duration=3", "-c:a", codec, "-metadata",
                "title=old",
                "made.\(fileExtension)",
            ], home: home.path)
        #expect(made.code == 0, "\(made.errors)")
        return Array(try Data(contentsOf: URL(filePath: home.path + "/made.\(fileExtension)")))
    }

    /// The shapes of MP4 files that players read and writers of tags may not.
    enum Shape: CaseIterable {
        case tablesFirst, tablesLast, tablesToTheEnd, ended, fragments, shortLastChunk
    }

    /// Thirty seconds of sound in such a file.
    private func mp4(_ shape: Shape, home: TestHome) async throws -> [UInt8] {
        let flags =
            switch shape {
            case .tablesFirst, .ended: "+faststart"
            case .tablesLast, .tablesToTheEnd, .shortLastChunk: "+disable_chpl"
            case .fragments: "frag_keyframe+empty_moov"
            }
        let made = try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=duration=30", "-c:a", "aac", "-movflags", flags,
                "plain.m4a",
            ], home: home.path)
        #expect(made.code == 0, "\(made.errors)")
        var file = Array(try Data(contentsOf: URL(filePath: home.path + "/plain.m4a")))
        func start(of box: String) throws -> Int {
            try #require(Data(file).firstRange(of: Array(box.utf8))).lowerBound - 4
        }
        func add(_ count: Int, at place: Int) {
            let number = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + count
            file.replaceSubrange(place..<place + 4, with: bigEndian(number))
        }
        switch shape {
        case .shortLastChunk:
            // As if the last chunk had two bytes: it would begin just before the tables.
            let moov = try start(of: "moov")
            let table = try start(of: "stco")
            let count = file[table + 12..<table + 16].reduce(0) { $0 << 8 | Int($1) }
            file.replaceSubrange(table + 12 + 4 * count..<table + 16 + 4 * count, with: bigEndian(moov - 2))
        case .tablesToTheEnd:
            let moov = try start(of: "moov")
            file.replaceSubrange(moov..<moov + 4, with: bigEndian(0))
        case .ended:
            // User data that end with a zero, as QuickTime writes them, before the tables.
            let ended = bigEndian(12) + Array("udta".utf8) + bigEndian(0)
            add(ended.count, at: try start(of: "stco") + 16)
            for box in ["trak", "moov"] { add(ended.count, at: try start(of: box)) }
            file.insert(contentsOf: ended, at: try start(of: "mdia"))
        default: break
        }
        try Data(file).write(to: URL(filePath: home.path + "/made.m4a"))
        return file
    }

    @Test(arguments: Shape.allCases)
    func `the sound of an m4a file is where its tables say, or the file stays as it came`(_ shape: Shape)
        async throws
    {
        let home = try TestHome()
        let bytes = try await mp4(shape, home: home)
        let server = try server(bytes, "m4a", picture: try await picture(home: home))
        defer { server.stop() }
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        let isTagged = [.tablesFirst, .tablesLast, .shortLastChunk].contains(shape)
        #expect(synced.errors.contains("no tags were written") == !isTagged, "\(synced.errors)")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        let found = try await probe(shown.file, home: home)
        #expect(found.chapters.count == (isTagged ? 2 : 0))
        #expect((found.tags["title"] == "Die Flut 🌊") == isTagged)
        // There the last samples are those of the tables themselves.
        if shape != .shortLastChunk {
            #expect(try await sound(shown.file, home: home) == (try await sound("made.m4a", home: home)))
        }
        if !isTagged { #expect(Array(try Data(contentsOf: URL(filePath: shown.file))) == bytes) }
    }

    @Test func `chapters that an m4a file has already are not written a second time`() async throws {
        let home = try TestHome()
        let marks = try home.write(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=Own\n", to: "marks.txt")
        let made = try await Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=duration=3", "-i", marks, "-map_metadata", "1",
                "-c:a", "aac", "made.m4a",
            ], home: home.path)
        #expect(made.code == 0, "\(made.errors)")
        let bytes = Array(try Data(contentsOf: URL(filePath: home.path + "/made.m4a")))
        // The box alone, and the track alone.
        let hidden = Array("free".utf8)
        for name in ["chpl", "chap"] {
            var file = Data(bytes)
            let place = try #require(file.firstRange(of: Array(name.utf8)))
            file.replaceSubrange(place, with: hidden)
            let server = try server(Array(file), "m4a", picture: [])
            defer { server.stop() }
            let home = try TestHome()
            await home.podget("config", "writeTags", "true")
            await home.podget("subscribe", server.url("/feed.xml"))
            #expect(await home.podget("sync").code == .done)
            let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
            #expect(
                try await probe(shown.file, home: home).chapters.map { $0.tags?["title"] } == ["Own"],
                "\(name)")
        }
    }

    private func picture(home: TestHome) async throws -> [UInt8] {
        _ = try await Tool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "color=red:s=16x16:d=0.1", "-frames:v", "1", "c.jpg"],
            home: home.path)
        return Array(try Data(contentsOf: URL(filePath: home.path + "/c.jpg")))
    }

    private func feedText(_ fileExtension: String) -> String {
        """
        <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Kü & Ste</title>
        <itunes:author>Ann Ebb</itunes:author><itunes:image href="/cover.jpg"/>
        <item><title>Die Flut 🌊</title><guid>1</guid><pubDate>03 Nov 2026 06:00:00 GMT</pubDate>
        <itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><category>Sea</category>
        <podcast:chapters url="/chapters.json" type="application/json+chapters"/>
        <enclosure url="/a.\(fileExtension)" type="audio/x"/></item></channel></rss>
        """.replacing("Kü & Ste", with: "Kü &amp; Ste")
    }

    private func server(_ media: [UInt8], _ fileExtension: String, picture: [UInt8]) throws -> DummyServer {
        let server = try DummyServer()
        server.serve(
            "/feed.xml",
            .feed(feedText(fileExtension)))
        server.serve(
            "/chapters.json",
            .text(
                #"{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Ebbe"}, {"startTime": 2, "title": "Flut"}]}"#,
                type: "application/json"))
        server.serve("/a.\(fileExtension)", .bytes(media, type: "audio/mpeg"))
        server.serve("/cover.jpg", .bytes(picture, type: "image/jpeg"))
        return server
    }

    @Test(arguments: [("mp3", "libmp3lame"), ("m4a", "aac"), ("ogg", "libvorbis"), ("ogg", "libopus")])
    func `tags are written after the file is whole, and its sound stays`(
        _ fileExtension: String, _ codec: String
    ) async throws {
        let home = try TestHome()
        let bytes = try await media(fileExtension, codec, home: home)
        let server = try server(bytes, fileExtension, picture: try await picture(home: home))
        defer { server.stop() }
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        let found = try await probe(shown.file, home: home)
        #expect(found.tags["title"] == "Die Flut 🌊")
        #expect(found.tags["album"] == "Kü & Ste")
        #expect(found.tags["artist"] == "Ann Ebb")
        #expect(found.tags["date"] == "2026-11-03")
        #expect(found.tags["genre"] == "Sea")
        #expect(found.tags["track"] == "7")
        #expect(found.hasPicture)
        #expect(found.chapters.map { $0.tags?["title"] } == ["Ebbe", "Flut"])
        #expect(found.chapters.map { Double($0.start_time) } == [0, 2])
        #expect(
            try await sound(shown.file, home: home) == (try await sound("made.\(fileExtension)", home: home)))

        // The store knows both, and tells when the file changes.
        let size = try FileManager.default.attributesOfItem(atPath: shown.file)[.size] as? Int
        #expect(shown.bytes == size)
        #expect(shown.originalChecksum == (try await checksum("made.\(fileExtension)", home: home)))
        #expect(shown.taggedChecksum == (try await checksum(shown.file, home: home)))
        #expect(await home.podget("doctor", "--checksums").code == .done)
        let handle = try FileHandle(forUpdating: URL(filePath: shown.file))
        try handle.seek(toOffset: UInt64(shown.bytes - 1))
        try handle.write(contentsOf: [0x55])
        try handle.close()
        let damaged = await home.podget("doctor", "--checksums")
        #expect(damaged.code == .failed)
        #expect(damaged.output.contains("Not what it was: Kü & Ste: Die Flut"))
        #expect(await home.podget("doctor").code == .done)

        // Nothing is fetched again, and no copy is left.
        server.clearLog()
        await home.podget("sync")
        #expect(server.requests.map(\.path) == ["/feed.xml"])
        let folder = (shown.file as NSString).deletingLastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix(".") })
    }

    @Test(arguments: [("mp3", "libmp3lame", 600), ("ogg", "libvorbis", 999), ("m4a", "aac", 255)])
    func `more chapters than a table holds are written, and what does not fit is left out`(
        _ fileExtension: String, _ codec: String, _ expected: Int
    ) async throws {
        let home = try TestHome()
        let bytes = try await media(fileExtension, codec, home: home)
        let server = try server(bytes, fileExtension, picture: [])
        defer { server.stop() }
        let count = fileExtension == "ogg" ? 1100 : 600
        let marks = (0..<count).map { "{\"startTime\": \(Double($0) / 400), \"title\": \"c\($0)\"}" }
        server.serve(
            "/chapters.json",
            .text("{\"chapters\": [\(marks.joined(separator: ","))]}", type: "application/json"))
        server.serve(
            "/feed.xml",
            .feed(
                feedText(fileExtension).replacing(">2</itunes:season>", with: ">3000000000</itunes:season>")))
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.errors.contains("cannot hold all chapters") == (expected < count))
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        let found = try await probe(shown.file, home: home)
        #expect(found.chapters.count == expected)
        #expect(found.tags["disc"] == nil)
        // The count of entries of every table is the number of names in it.
        let file = Array(try Data(contentsOf: URL(filePath: shown.file)))
        if fileExtension == "mp3" { #expect(contentsCounts(file) == [255, 255, 90, 3]) }
    }

    /// The entry counts of the tables of contents in an ID3v2 tag, sorted as they are named.
    private func contentsCounts(_ file: [UInt8]) -> [Int] {
        var counts: [(name: String, count: Int)] = []
        for range in Data(file).ranges(of: Array("CTOC".utf8)) {
            let body = file[(range.lowerBound + 10)...]
            let name = body.prefix { $0 != 0 }
            counts.append(
                (String(decoding: name, as: UTF8.self), Int(body[body.startIndex + name.count + 2])))
        }
        return counts.sorted { ($0.name == "toc" ? "z" : $0.name) < ($1.name == "toc" ? "z" : $1.name) }
            .map(\.count)
    }

    @Test(
        .enabled(if: SmallDisk.isPossible, "needs root, for a small disk"),
        arguments: [("mp3", "libmp3lame"), ("m4a", "aac"), ("ogg", "libvorbis"), ("ogg", "libopus")])
    func `on a disk that fills up meanwhile a file stays as it came`(_ fileExtension: String, _ codec: String)
        async throws
    {
        let home = try TestHome()
        let bytes = try await media(fileExtension, codec, home: home)
        // Room for a copy of the file, and not for the picture in it.
        let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 700_000)
        let disk = try SmallDisk(at: home.library, kilobytes: 2 * bytes.count / 1000 + 300)
        let server = try server(bytes, fileExtension, picture: picture)
        defer { server.stop() }
        try home.write("{ writeTags: true, reserve: '0 B' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.errors.contains("no tags were written"), "\(synced.errors)")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        #expect(Array(try Data(contentsOf: URL(filePath: shown.file))) == bytes)
        #expect(shown.taggedChecksum == nil)
        withExtendedLifetime(disk) {}
    }

    @Test func `frames of an mp3 file that podget knows nothing of stay`() async throws {
        let home = try TestHome()
        let sound = try await media("mp3", "libmp3lame", home: home)
        func frame(_ name: String, _ body: String) -> [UInt8] {
            Array(name.utf8) + bigEndian(body.utf8.count) + [0, 0] + Array(body.utf8)
        }
        let frames =
            frame("COMM", "\u{3}eng\0English words") + frame("COMM", "\u{3}deu\0Deutsche Worte")
            + frame("USLT", "\u{3}deu\0Reim") + frame("PRIV", "owner\0data")
            + frame("TPE1", "\u{3}Old artist")
        let tag =
            Array("ID3\u{4}\0\0\0\0".utf8) + [UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
        let bytes = tag + sound.drop { $0 != 0xFF }
        let server = try server(bytes, "mp3", picture: [])
        defer { server.stop() }
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        let file = Data(try Data(contentsOf: URL(filePath: shown.file)).prefix(2000))
        #expect(file.ranges(of: Array("COMM".utf8)).count == 2)
        for text in [
            "eng\0English words", "deu\0Deutsche Worte", "deu\0Reim", "owner\0data", "Old artist",
            "Die Flut 🌊",
        ] {
            #expect(file.firstRange(of: Array(text.utf8)) != nil, "\(text)")
        }
        #expect(shown.taggedChecksum != nil)
    }

    @Test func `tags that a crash left unrecorded are recorded by the next sync`() async throws {
        let home = try TestHome()
        let bytes = try await media("mp3", "libmp3lame", home: home)
        let server = try server(bytes, "mp3", picture: [])
        defer { server.stop() }
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let before = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        // As it was between the renaming of the tagged copy and the row that tells of it.
        try Connection(path: home.database, access: .readWrite).execute(
            """
            UPDATE download SET tagged_checksum = NULL, byte_count = \(bytes.count);
            UPDATE episode_extra SET is_complete = 0, attempt_count = 0, tried_at = NULL;
            """)
        await home.podget("sync")
        let after = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        #expect(after.taggedChecksum == before.taggedChecksum)
        #expect(after.originalChecksum == before.originalChecksum)
        #expect(after.bytes == before.bytes)
    }

    @Test func `without the setting a file keeps every byte`() async throws {
        let home = try TestHome()
        let bytes = try await media("mp3", "libmp3lame", home: home)
        let server = try server(bytes, "mp3", picture: [])
        defer { server.stop() }
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        #expect(Array(try Data(contentsOf: URL(filePath: shown.file))) == bytes)
        #expect(shown.originalChecksum == nil)
    }

    @Test func `a file that is not what it seems stays as it came, with a note`() async throws {
        let home = try TestHome()
        let bytes = Array("OggS".utf8) + [UInt8](repeating: 0, count: 5000)
        let server = try server(bytes, "ogg", picture: [])
        defer { server.stop() }
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("set", "1", "writeTags", "true")
        let synced = await home.podget("sync")
        #expect(synced.code == .done)
        #expect(synced.errors.contains("no tags were written"), "\(synced.errors)")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        #expect(Array(try Data(contentsOf: URL(filePath: shown.file))) == bytes)
        #expect(await home.podget("doctor", "--checksums").code == .done)
    }

    /// 100,000 boxes, one inside the other.
    private var deepMP4: [UInt8] {
        let count = 100_000
        var bytes = bigEndian(20)
        bytes += Array("ftypM4A \0\0\0\0M4A ".utf8)
        for depth in 0..<count {
            bytes += bigEndian(8 * (count - depth))
            bytes += Array("moov".utf8)
        }
        return bytes + [UInt8](repeating: 0, count: 100)
    }

    /// 20,000 chapter frames of ID3v2, one inside the other, before the sound.
    private func deepMP3(_ sound: [UInt8]) -> [UInt8] {
        func sevenBits(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }
        let start = Array("a\0".utf8) + [UInt8](repeating: 0, count: 16)
        var frames: [UInt8] = []
        for below in (0..<20_000).reversed() {
            frames += Array("CHAP".utf8)
            frames += sevenBits(18 + below * 28)
            frames += [0, 0]
            frames += start
        }
        var bytes = Array("ID3\u{4}\0\0".utf8)
        bytes += sevenBits(frames.count + 1024)
        bytes += frames
        bytes += [UInt8](repeating: 0, count: 1024)
        return bytes + sound
    }

    private func bigEndian(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    @Test(arguments: ["m4a", "mp3"])
    func `a file that crashes the writer of tags stays as it came, with a note, and the next sync is quiet`(
        _ fileExtension: String
    ) async throws {
        let home = try TestHome()
        let bytes =
            fileExtension == "m4a" ? deepMP4 : deepMP3(try await media("mp3", "libmp3lame", home: home))
        let server = try server(bytes, fileExtension, picture: [])
        defer { server.stop() }
        await home.podget("config", "writeTags", "true")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)")
        #expect(
            synced.errors.contains("no tags were written: the file crashes the program that writes them"),
            "\(synced.errors)")
        let shown = try #require(try await home.podget("show", "1", "--json").json([Shown].self).first)
        #expect(Array(try Data(contentsOf: URL(filePath: shown.file))) == bytes)
        let folder = (shown.file as NSString).deletingLastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix(".") })
        let again = await home.podget("sync")
        #expect(again.code == .done)
        #expect(!again.errors.contains("tags"), "\(again.errors)")
    }

    /// As another program computes it.
    private func checksum(_ path: String, home: TestHome) async throws -> String {
        let outcome = try await Tool.run(
            "sh", ["-c", "openssl dgst -sha256 -binary \"$0\" | base64 -w 0", path], home: home.path)
        return "sha256-" + outcome.output
    }
}
