import Foundation
import Testing

@testable import podget

/// Playlists as players read them: right names, lengths and paths, whatever the titles are.
@Suite(.timeLimit(.minutes(5)))
struct PlaylistFormatTests {
    /// Two shows with awkward titles and real audio, all downloaded.
    private func library(_ title: String = "Tea, # 1 &amp; Ümläut") async throws -> TestHome {
        let home = try TestHome()
        let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Samples/feeds/media").path
        try FileManager.default.copyItem(atPath: samples, toPath: home.path + "/media")
        try home.write(
            """
            <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>\(title)</title>
            <itunes:image href="https://me:secret@img.example/a b.png"/>
            \(item("# Comma, Umläut &quot;1 &amp;lt; 2 &amp;amp; x&quot;", "glue.mp3", day: 3, "0:61.4"))
            \(item("Line&#10;#EXTINF:9,break &#27;]0;x&#7;", "slow-way.mp3", day: 2, "1:00:00"))
            \(item("- $(touch x) ; 'q'", "whole.mp3", day: 1, ""))
            </channel></rss>
            """, to: "one.xml")
        try home.write(
            """
            <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Zulu</title>
            <itunes:image href="https://img.example/z.png"/>
            \(item("雨: 100% rain?", "storm.m4a", day: 4, "30"))
            </channel></rss>
            """, to: "two.xml")
        await home.podget("subscribe", "--latest", "9", "--tag", "Tea", "one.xml")
        await home.podget("subscribe", "two.xml")
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)")
        return home
    }

    private func item(_ title: String, _ file: String, day: Int, _ duration: String) -> String {
        """
        <item><title>\(title)</title><guid>\(file)</guid><pubDate>0\(day) Nov 2026 06:00:00 GMT</pubDate>
        <itunes:duration>\(duration)</itunes:duration><enclosure url="media/\(file)" type=""/></item>
        """
    }

    /// The files that a playlist names, as paths.
    private func files(_ playlist: String, _ format: String, in folder: String) -> [String] {
        let lines = playlist.split(separator: "\n").map(String.init)
        let paths: [String] =
            switch format {
            case "pls":
                lines.filter { $0.hasPrefix("File") }.map { String($0.drop { $0 != "=" }.dropFirst()) }
            case "xspf":
                lines.compactMap { line in
                    line.firstRange(of: "<location>").map { start in
                        let uri = line[start.upperBound...].prefix { $0 != "<" }
                        return URL(string: String(uri), relativeTo: URL(filePath: folder + "/"))?.path ?? "?"
                    }
                }
            default: lines.filter { !$0.hasPrefix("#") }
            }
        return paths.map { $0.hasPrefix("/") ? $0 : URL(filePath: folder + "/" + $0).standardized.path }
    }

    @Test func `the help's way to copy files to a stick copies them all`() async throws {
        let home = try await library()
        let example = try #require(PlaylistCommand.syntax.examples.first { $0.command.contains("cp -t") })
        try FileManager.default.createDirectory(
            atPath: home.path + "/stick", withIntermediateDirectories: true)
        let command = example.command.replacing(
            "podget", with: "\(builtPodget) --home \(home.path)", maxReplacements: 1
        )
        .replacing("/media/stick", with: home.path + "/stick")
        let shell = try await Tool.run("sh", ["-c", command], home: home.path)
        #expect(shell.code == 0, "\(shell.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/stick").count == 4)
    }

    @Test(arguments: ["m3u8", "pls", "xspf"])
    func `every entry leads to a file that plays, also after a move`(_ format: String) async throws {
        let home = try await library()
        let wrote = await home.podget("playlist", "--output", "media/list.\(format)")
        #expect(wrote.code == .done, "\(wrote.errors)")
        let moved = try TestHome()
        try FileManager.default.removeItem(atPath: moved.path)
        try FileManager.default.moveItem(atPath: home.path, toPath: moved.path)
        let text = try moved.read(moved.path + "/media/list.\(format)")
        let found = files(text, format, in: moved.path + "/media")
        #expect(found.count == 4)
        for file in found {
            #expect(FileManager.default.isReadableFile(atPath: file), "\(file)")
            guard Tool.isInstalled("ffprobe") else { continue }
            let probe = try await Tool.run(
                "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file],
                home: moved.path)
            #expect(Double(probe.output.filter { !$0.isWhitespace }) ?? 0 > 1)
        }
        let absolute = await moved.podget("playlist", "--absolute", "--format", format).output
        #expect(files(absolute, format, in: "/nowhere") == found)
    }

    @Test func `m3u8 and pls tell show, title and length in lines of their own`() async throws {
        let home = try await library()
        let m3u8 = await home.podget("playlist").output.split(separator: "\n").map(String.init)
        #expect(
            m3u8.filter { $0.hasPrefix("#EXTINF") } == [
                "#EXTINF:30,Zulu - 雨: 100% rain?",
                "#EXTINF:61,Tea, # 1 & Ümläut - # Comma, Umläut \"1 < 2 & x\"",
                "#EXTINF:3600,Tea, # 1 & Ümläut - Line #EXTINF:9,break ]0;x",
                "#EXTINF:-1,Tea, # 1 & Ümläut - - $(touch x) ; 'q'",
            ])
        let pls = await home.podget("playlist", "--format", "pls").output
        #expect(pls.contains("Title2=Tea, # 1 & Ümläut - # Comma, Umläut \"1 < 2 & x\"\nLength2=61\n"))
        #expect(pls.hasPrefix("[playlist]\n") && pls.hasSuffix("\nNumberOfEntries=4\nVersion=2\n"))
    }

    @Test func `xspf tells length and artwork too, and no password`() async throws {
        let home = try await library()
        let text = await home.podget("playlist", "--format", "xspf").output
        #expect(text.contains("<title># Comma, Umläut &quot;1 &lt; 2 &amp; x&quot;</title>"))
        #expect(text.contains("<album>Tea, # 1 &amp; Ümläut</album>"))
        #expect(text.contains("<duration>61400</duration>"))
        #expect(text.contains("<image>https://img.example/z.png</image>"))
        #expect(!text.contains("secret"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test(.enabled(if: Tool.isInstalled("xmllint"), "libxml2-utils is not installed"))
    func `xspf fits its schema`() async throws {
        let home = try await library()
        try home.write(xspfSchema, to: "xspf.rng")
        try home.write("<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"/>", to: "bad.xspf")
        await home.podget("playlist", "-o", "list.xspf")
        await home.podget("playlist", "-o", "none.xspf", "--state", "played")
        for (file, code) in [("list.xspf", Int32(0)), ("none.xspf", 0), ("bad.xspf", 3)] {
            let outcome = try await Tool.run(
                "xmllint", ["--noout", "--relaxng", "xspf.rng", file], home: home.path)
            #expect(outcome.code == code, "\(outcome.errors)")
        }
    }

    @Test(.enabled(if: Tool.isInstalled("mpv"), "mpv is not installed"), arguments: ["m3u8", "pls"])
    func `mpv plays every entry`(_ format: String) async throws {
        let home = try await library()
        await home.podget("playlist", "-o", "list.\(format)")
        let outcome = try await Tool.run(
            "mpv",
            [
                "--no-config", "--ao=null", "--vo=null", "--length=0.1", "--no-cache",
                "--playlist=list.\(format)",
            ], home: home.path)
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.split(separator: "\n").count { $0.contains("Playing: ") } == 4)
        #expect(!(outcome.output + outcome.errors).contains("Failed"))
    }

    @Test func `a query chooses and orders`() async throws {
        struct Row: Decodable {
            let title: String
            let file: String
            let duration: Double?
        }
        let home = try await library()
        func titles(_ words: String...) async throws -> [String] {
            let outcome =
                switch words.count {
                case 1: await home.podget("playlist", "--json", words[0])
                case 2: await home.podget("playlist", "--json", words[0], words[1])
                default: await home.podget("playlist", "--json", words[0], words[1], words[2])
                }
            return try outcome.json([Row].self).map { String($0.title.prefix(4)) }
        }
        #expect(try await titles("--order", "oldest") == ["- $(", "Line", "# Co", "雨: 1"])
        #expect(try await titles("--order", "show") == ["- $(", "Line", "# Co", "雨: 1"])
        #expect(try await titles("--order", "shortest") == ["雨: 1", "# Co", "Line", "- $("])
        #expect(try await titles("--order", "longest") == ["- $(", "Line", "# Co", "雨: 1"])
        #expect(try await titles("zulu") == ["雨: 1"])
        #expect(try await titles("--tag", "tea") == ["# Co", "Line", "- $("])
        #expect(try await titles("--search", "rain") == ["雨: 1"])
        #expect(try await titles("--since", "2026-11-03") == ["雨: 1", "# Co"])
        #expect(try await titles("--limit", "1") == ["雨: 1"])
        #expect(try await titles("--state", "played") == [])
        #expect(try await titles("--state", "unplayed").count == 4)
        #expect(await home.podget("playlist", "--state", "failed").code == .usage)
    }

    @Test func `no playlist replaces somebody else's file`() async throws {
        let home = try await library()
        let mine = try home.write("#EXTM3U\nmine.mp3\n", to: "mine.m3u8")
        let refused = await home.podget("playlist", "-o", "mine.m3u8")
        #expect(refused.code == .failed)
        #expect(
            refused.errors == "podget: \(mine): exists, and podget did not write it; --force replaces it\n")
        #expect(try home.read(mine) == "#EXTM3U\nmine.mp3\n")
        for _ in 1...2 { #expect(await home.podget("playlist", "-o", "mine.m3u8", "--force").code == .done) }
        #expect(await home.podget("playlist", "-o", "mine.m3u8").code == .done)
        let nowhere = await home.podget("playlist", "-o", "no/such/list.pls")
        #expect(nowhere.code == .failed)
        #expect(nowhere.errors.contains("no/such: there is no such folder"))
        #expect(await home.podget("playlist", "-o", "media").errors.contains("name another one"))
    }

    @Test func `paths lead to the files from a linked folder too`() async throws {
        let home = try await library()
        try FileManager.default.createDirectory(
            atPath: home.path + "/a/b/c", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.path + "/short", withDestinationPath: "a/b/c")
        await home.podget("playlist", "-o", "short/list.m3u8")
        let paths = try home.read(home.path + "/a/b/c/list.m3u8").split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        #expect(paths.count == 4)
        for path in paths {
            #expect(FileManager.default.isReadableFile(atPath: home.path + "/a/b/c/" + path), "\(path)")
        }
    }

    @Test func `the library's playlists follow what is deleted`() async throws {
        let home = try await library()
        let own = home.library + "/podget.m3u8"
        #expect(files(try home.read(own), "m3u8", in: home.library).count == 4)
        await home.podget("delete", "zulu:latest")
        #expect(files(try home.read(own), "m3u8", in: home.library).count == 3)
        #expect(!FileManager.default.fileExists(atPath: home.library + "/Zulu"))
        try FileManager.default.removeItem(atPath: files(try home.read(own), "m3u8", in: home.library)[0])
        await home.podget("sync")
        let left = files(try home.read(own), "m3u8", in: home.library)
        #expect(left.count == 2)
        #expect(left.allSatisfy { FileManager.default.isReadableFile(atPath: $0) })
    }

    @Test func `a feed that is named like the library's playlist does not block it`() async throws {
        let home = try await library("podget.m3u8")
        #expect(files(try home.read(home.library + "/podget.m3u8"), "m3u8", in: home.library).count == 4)
        let folder = home.library + "/podget.m3u8_"
        #expect(files(try home.read(folder + "/podget.m3u8_.m3u8"), "m3u8", in: folder).count == 3)
    }

    @Test func `a renamed feed has one playlist, in its new folder`() async throws {
        let home = try await library()
        let old = home.library + "/Zulu/Zulu.m3u8"
        #expect(FileManager.default.fileExists(atPath: old))
        try home.write(
            """
            <rss><channel><title>Yankee</title>
            <item><title>New</title><guid>new</guid><pubDate>05 Nov 2026 06:00:00 GMT</pubDate>
            <enclosure url="media/whole.mp3" type="audio/mpeg"/></item></channel></rss>
            """, to: "two.xml")
        await home.podget("sync")
        #expect(!FileManager.default.fileExists(atPath: old))
        let folder = home.library + "/Yankee"
        #expect(
            files(try home.read(folder + "/Yankee.m3u8"), "m3u8", in: folder).map {
                ($0 as NSString).pathComponents.suffix(2).joined(separator: "/")
            } == ["Yankee/2026-11-05 New.mp3", "Zulu/2026-11-04 雨 100% rain.m4a"])
    }
}

/// What of XSPF version 1 a playlist of ours may hold, in RELAX NG, after https://www.xspf.org/spec.
private let xspfSchema = """
    <grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://xspf.org/ns/0/"
        datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
      <start>
        <element name="playlist">
          <attribute name="version" ns=""><value>1</value></attribute>
          <interleave>
            <optional><element name="title"><text/></element></optional>
            <element name="trackList"><zeroOrMore><ref name="track"/></zeroOrMore></element>
          </interleave>
        </element>
      </start>
      <define name="track">
        <element name="track">
          <interleave>
            <zeroOrMore><element name="location"><data type="anyURI"/></element></zeroOrMore>
            <optional><element name="title"><text/></element></optional>
            <optional><element name="creator"><text/></element></optional>
            <optional><element name="image"><data type="anyURI"/></element></optional>
            <optional><element name="album"><text/></element></optional>
            <optional><element name="duration"><data type="nonNegativeInteger"/></element></optional>
          </interleave>
        </element>
      </define>
    </grammar>
    """
