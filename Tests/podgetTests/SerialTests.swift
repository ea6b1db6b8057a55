import Foundation
import TestServer
import Testing

@testable import podget

/// Stories in parts, whole shows at once, and episodes with several files.
@Suite(.timeLimit(.minutes(5)))
struct SerialTests {
    /// A serial whose dates contradict its numbers, one item of which may be refused.
    private func server(refused: String? = nil) throws -> DummyServer {
        let server = try DummyServer()
        let parts = [(2, 1), (1, 2), (1, 1), (2, 2)]
        let items = parts.enumerated().map { day, part in
            """
            <item><title>S\(part.0)E\(part.1)</title><guid>\(day)</guid><pubDate>0\(day + 1) Nov 2026 06:00:00 GMT</pubDate>
            <itunes:season>\(part.0)</itunes:season><itunes:episode>\(part.1)</itunes:episode>
            <enclosure url="\(server.url("/S\(part.0)E\(part.1).mp3"))" type="audio/mpeg"/></item>
            """
        }
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Story</title>
                <itunes:type>serial</itunes:type>\(items.joined())</channel></rss>
                """))
        for part in parts {
            let name = "S\(part.0)E\(part.1)"
            server.serve("/\(name).mp3", name == refused ? .status(404) : .pattern(20_000))
        }
        return server
    }

    private func audio(_ server: DummyServer) -> [String] {
        server.requests.map(\.path).filter { $0.hasSuffix(".mp3") }
    }

    @Test func `a serial is downloaded from its first part on, whatever its dates say`() async throws {
        let server = try server()
        let home = try TestHome()
        try home.write("{transfers: 1, order: \"oldest\", latest: 3}", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        #expect(audio(server) == ["/S1E1.mp3", "/S1E2.mp3", "/S2E1.mp3"])
    }

    @Test func `lists tell season, number and kind, and a season that is not there names those that are`()
        async throws
    {
        let server = try DummyServer()
        func item(_ title: String, _ day: Int, _ more: String) -> String {
            """
            <item><title>\(title)</title><guid>\(day)</guid><pubDate>0\(day) Nov 2026 06:00:00 GMT</pubDate>\(more)
            <enclosure url="\(server.url("/\(day).mp3"))" type="audio/mpeg"/></item>
            """
        }
        let numbers = "<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>"
        let items = [
            item(
                "Soon", 3, "<itunes:season>3</itunes:season><itunes:episodeType>trailer</itunes:episodeType>"),
            item("Part", 2, numbers), item("Plain", 1, ""),
        ]
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Story</title>
                \(items.joined())</channel></rss>
                """))
        for day in 1...3 { server.serve("/\(day).mp3", .pattern(20_000)) }
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        for list in [
            await home.podget("episodes").output,
            await home.podget("inspect", server.url("/feed.xml")).output,
        ] {
            #expect(list.contains("PLACE"))
            for place in ["S3 trailer", "S2E7"] { #expect(list.contains(" \(place)"), "\(list)") }
        }
        let missing = await home.podget("download", "story:S4")
        #expect(missing.code == .usage)
        #expect(missing.errors == "podget: Story has no episode 'S4'; its seasons are S2, S3\n")
        let trailer = try #require(try await home.podget("episodes", "--json").json([Listed].self).first)
        let shown = await home.podget("show", "\(trailer.id)").output
        #expect(
            shown.contains("\nPlace:       season 3, trailer\n")
                && shown.contains("\nState:       not downloaded\n"))

        // The trailer is newer, and not what its listener wants to hear on the way.
        await home.podget("sync")
        await home.podget("set", "story", "types", "full")
        await home.podget("download", "\(trailer.id)")
        await home.podget("config", "player", "false")
        server.stop()
        let plain = try #require(try await home.podget("episodes", "--json").json([Listed].self).last)
        let failed = await home.podget("play", "\(plain.id)", "--offline")
        #expect(
            failed.errors.contains("that is here is") && failed.errors.contains("Part: "), "\(failed.errors)")
    }

    @Test func `a part is named by its number, and a story queued from its beginning on`() async throws {
        let server = try server()
        defer { server.stop() }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "0", server.url("/feed.xml"))
        struct Row: Decodable {
            let title: String
        }
        #expect(
            try await home.podget("show", "story:E2", "--json").json([Row].self).map(\.title) == [
                "S2E2", "S1E2",
            ])
        await home.podget("queue", "add", "story:all")
        #expect(
            try await home.podget("queue", "--json").json([Row].self).map(\.title)
                == ["S1E1", "S1E2", "S2E1", "S2E2"])
        #expect(await home.podget("queue", "clear").output == "4 episodes taken out of the play queue\n")
        #expect(await home.podget("queue").output.hasPrefix("The play queue is empty"))
        #expect(await home.podget("queue", "clear", "1").code == .usage)
    }

    private struct Listed: Decodable {
        let id: Int64
    }

    @Test func `a season or a whole show comes in its order, and a refused title stops nothing`() async throws
    {
        let server = try server(refused: "S1E1")
        let home = try TestHome()
        try home.write("{transfers: 1}", to: "config.json5")
        await home.podget("subscribe", "--latest", "0", server.url("/feed.xml"))
        let season = await home.podget("download", "story:S2")
        #expect(season.code == .done)
        #expect(audio(server) == ["/S2E1.mp3", "/S2E2.mp3"])
        let all = await home.podget("download", "story:all")
        #expect(all.code == .partly)
        #expect(all.output.contains("1 download failed (Story: S1E1)"), "\(all.output)")
        #expect(home.mediaFiles().count == 3)
    }

    @Test(arguments: [("smallest", true, 1), ("best", true, 0), ("smallest", false, 0)])
    func `quality downloads another file of the episode, with its integrity checked`(
        _ quality: String, _ isIntact: Bool, _ count: Int
    ) async throws {
        let server = try DummyServer()
        let body = [UInt8]("ID3".utf8) + [UInt8](repeating: 7, count: 5000)
        // openssl dgst -sha256 -binary | base64, of the body above.
        let digest = isIntact ? Self.digest : "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        server.serve("/big.mp3", .pattern(90_000))
        server.serve("/small.mp3", .bytes(body, type: "audio/mpeg"))
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
                <item><title>One</title><guid>1</guid>
                <enclosure url="\(server.url("/big.mp3"))" type="audio/mpeg" length="90000"/>
                <podcast:alternateEnclosure type="audio/mpeg" length="5003">
                <podcast:source uri="\(server.url("/small.mp3"))"/>
                <podcast:integrity type="sri" value="sha256-\(digest)"/></podcast:alternateEnclosure></item>
                </channel></rss>
                """))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        let set = await home.podget("set", "show", "quality", quality)
        #expect(set.output == "Show: quality is \(quality) now\n")
        let synced = await home.podget("sync")
        #expect(synced.code == (isIntact ? .done : .partly), "\(synced.errors)")
        #expect((server.requests(to: "/small.mp3").count > 0) == (quality == "smallest"))
        #expect(server.requests(to: "/big.mp3").count == (quality == "best" ? 1 : 0))
        #expect(home.mediaFiles().count == (isIntact ? 1 : 0))
        if !isIntact { #expect(synced.errors.contains("checksum does not match"), "\(synced.errors)") }
        if count == 1 {
            let file = try #require(home.mediaFiles().first)
            #expect(try Data(contentsOf: URL(filePath: home.library + "/" + file)) == Data(body))
        }
    }

    @Test func `a quality that nothing offers is told to change nothing yet`() async throws {
        let home = try TestHome()
        let item = FeedItem(title: "alternateEnclosures", guid: "1", url: "x.mp3", day: 1)
        await home.podget("subscribe", try home.write(feed("Show", [item]), to: "feed.xml"))
        let words = "offers several files yet, so the setting changes nothing for now\n"
        #expect(
            await home.podget("set", "show", "quality", "smallest").output
                == "Show: quality is smallest now\nNo episode of this feed \(words)")
        #expect(
            await home.podget("config", "quality", "64k").output
                == "quality is 64k now\nNo episode of any feed \(words)")
        #expect(
            await home.podget("set", "show", "quality", "--default").output.split(separator: "\n").count == 1)
    }

    private static let digest = "/iIT7STvV3F1YIozqA2oeDOqiFHfygJbBBPfw/+xRv0="

    @Test func `a refused alternate gives way to the main file`() async throws {
        let server = try DummyServer()
        server.serve("/big.mp3", .pattern(90_000))
        server.serve("/small.mp3", .status(404))
        server.serve(
            "/feed.xml",
            .feed(
                """
                <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
                <item><title>One</title><guid>1</guid>
                <enclosure url="\(server.url("/big.mp3"))" type="audio/mpeg" length="90000"/>
                <podcast:alternateEnclosure type="audio/mpeg" length="5003">
                <podcast:source uri="\(server.url("/small.mp3"))"/></podcast:alternateEnclosure></item>
                </channel></rss>
                """))
        let home = try TestHome()
        try home.write("{quality: \"smallest\"}", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .done, "\(synced.errors)")
        #expect(home.mediaFiles().count == 1)
        #expect(server.requests(to: "/small.mp3").count == 1)
    }
}
