import FoundationEssentials
import Testing

@testable import EpisodeStore

/// What is fetched with a download stays, is found, and is not fetched again.
@Suite(.timeLimit(.minutes(5))) struct LibraryExtrasTests {
    private func libraryWithDownload() async throws -> (Library, FeedID) {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(3))
        try await library.markDone(
            1, DownloadResult(path: "a/1.mp3", byteCount: 10, isVerified: true, container: "mp3"), now: day(4)
        )
        return (library, feed)
    }

    private var extras: OfflineExtras {
        var extras = OfflineExtras()
        extras.chapters = [Chapter(start: .zero, title: "Departure")]
        extras.transcript = [
            TranscriptSegment(speaker: "Ann", text: "All aboard", start: .seconds(1)),
            TranscriptSegment(speaker: "Bob", text: "Tickets please", start: .seconds(7)),
        ]
        extras.artwork = "a.jpg"
        extras.settledLinks = ["https://a.example/c.json"]
        return extras
    }

    @Test func `extras are part of the episode and of its snapshot`() async throws {
        let (library, _) = try await libraryWithDownload()
        var content = FileContent()
        content.codec = "mp3"
        content.container = "other"
        content.duration = .seconds(9)
        try await library.recordExtras(extras, content, of: 1, isComplete: true, now: day(5))
        #expect(try await library.extras(of: 1) == extras)
        let detail = try #require(try await library.episodeDetail(1))
        #expect(detail.chapters == extras.chapters)
        #expect(detail.transcript == extras.transcript)
        #expect(detail.artwork == "a.jpg")
        let file = try #require(try await library.storage().first)
        #expect(file.chapters == extras.chapters)
        #expect(file.codec == "mp3")
        #expect(file.container == "mp3", "what the first bytes told stays")
        #expect(file.duration == .seconds(60), "the feed's own duration stays")
        #expect(try await library.artworkOfDownloads() == ["a.jpg"])
    }

    @Test func `a duration that the feed does not tell comes from the file`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var silent = item(1)
        silent.duration = nil
        _ = try await library.recordRefresh(of: feed, document([silent]), now: day(3))
        try await library.markDone(
            1, DownloadResult(path: "a/1.mp3", byteCount: 10, isVerified: true), now: day(4))
        var content = FileContent()
        content.duration = .seconds(9)
        try await library.recordExtras(OfflineExtras(), content, of: 1, isComplete: true, now: day(5))
        #expect(try await library.episode(1)?.duration == .seconds(9))
    }

    @Test func `a refresh keeps them, and what the feed says stays before them`() async throws {
        let (library, feed) = try await libraryWithDownload()
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: day(5))
        var changed = item(1)
        changed.title = "Renamed"
        _ = try await library.recordRefresh(of: feed, document([item(2), changed]), now: day(6))
        #expect(try await library.episodeDetail(1)?.transcript == extras.transcript)
        changed.transcript = [TranscriptSegment(text: "The feed's own words")]
        _ = try await library.recordRefresh(of: feed, document([item(2), changed]), now: day(7))
        #expect(try await library.episodeDetail(1)?.transcript == changed.transcript)
        #expect(try await library.search("tickets").isEmpty)
        #expect(try await library.search("own words").map(\.episode.id) == [1])
        try await library.integrityOfSearch()
    }

    @Test func `spoken words are found with their time and speaker, also after they changed`() async throws {
        let (library, _) = try await libraryWithDownload()
        #expect(try await library.search("tickets").isEmpty)
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: day(5))
        let spoken = try #require(try await library.search("tickets please").first?.spoken)
        #expect(spoken.start == .seconds(7))
        #expect(spoken.speaker == "Bob")
        #expect(
            spoken.snippet == [
                SnippetPart(text: "Tickets", isMatch: true), SnippetPart(text: " ", isMatch: false),
                SnippetPart(text: "please", isMatch: true),
            ])
        var other = extras
        other.transcript = [TranscriptSegment(text: "Mind the gap")]
        try await library.recordExtras(other, FileContent(), of: 1, isComplete: true, now: day(6))
        #expect(try await library.search("tickets").isEmpty)
        #expect(try await library.search("gap").map(\.episode.id) == [1])
        try await library.integrityOfSearch()
    }

    @Test func `only finished downloads without extras are asked for, and again after news`() async throws {
        let (library, feed) = try await libraryWithDownload()
        func open(_ now: Date) async throws -> [EpisodeID] {
            try await library.downloadsWithoutExtras(limit: 10, now: now)
        }
        #expect(try await open(day(5)) == [1])
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: day(5))
        #expect(try await open(day(6)).isEmpty)
        var changed = item(1)
        changed.transcripts = [TranscriptLink(url: "https://a.example/1.vtt")]
        _ = try await library.recordRefresh(of: feed, document([item(2), changed]), now: day(6))
        #expect(try await open(day(6)) == [1], "the feed has a new link")
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: day(7))
        try await library.markDone(
            1, DownloadResult(path: "a/1.mp3", byteCount: 11, isVerified: true), now: day(8))
        #expect(try await open(day(8)) == [1], "there is a new file")
    }

    @Test func `a file that could not be looked into waits for the program that can`() async throws {
        let (library, _) = try await libraryWithDownload()
        try await library.recordExtras(
            extras, FileContent(), of: 1, isComplete: true, isFileUnread: true, now: day(5))
        let now = day(5).addingTimeInterval(3600)
        #expect(try await library.downloadsWithoutExtras(limit: 10, canReadFiles: false, now: now).isEmpty)
        #expect(try await library.downloadsWithoutExtras(limit: 10, canReadFiles: true, now: now) == [1])
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: now)
        #expect(
            try await library.downloadsWithoutExtras(limit: 10, canReadFiles: true, now: day(9)).isEmpty)
    }

    @Test func `extras whose picture is gone are looked at again`() async throws {
        let (library, _) = try await libraryWithDownload()
        try await library.recordExtras(extras, FileContent(), of: 1, isComplete: true, now: day(5))
        try await library.reopenExtras(withArtwork: ["b.jpg"])
        #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(6)).isEmpty)
        try await library.reopenExtras(withArtwork: ["a.jpg"])
        #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(6)) == [1])
        #expect(try await library.extras(of: 1).artwork == nil)
    }

    @Test func `what a crash stopped midway is tried again by the next run`() async throws {
        let (library, _) = try await libraryWithDownload()
        try await library.recordExtras(
            OfflineExtras(), FileContent(), of: 1, isComplete: false, isMidway: true, now: day(5))
        #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(5)) == [1])
        // An attempt that was interrupted does not count.
        try await library.recordExtras(
            OfflineExtras(), FileContent(), of: 1, isComplete: false, attempts: -1, isMidway: true,
            now: day(5))
        // What crashes each time is not tried for ever.
        for _ in 0..<5 {
            #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(5)) == [1])
            try await library.recordExtras(
                OfflineExtras(), FileContent(), of: 1, isComplete: false, isMidway: true, now: day(5))
        }
        #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(5)).isEmpty)
    }

    @Test func `what fails is tried again an hour later, and five times in all`() async throws {
        let (library, _) = try await libraryWithDownload()
        for attempt in 0..<5 {
            let now = day(5 + Double(attempt))
            #expect(try await library.downloadsWithoutExtras(limit: 10, now: now) == [1])
            try await library.recordExtras(OfflineExtras(), FileContent(), of: 1, isComplete: false, now: now)
            #expect(
                try await library.downloadsWithoutExtras(limit: 10, now: now.addingTimeInterval(3599)).isEmpty
            )
        }
        #expect(try await library.downloadsWithoutExtras(limit: 10, now: day(20)).isEmpty)
    }
}

extension Library {
    /// Has FTS5 compare the index with the texts; throws where they differ.
    fileprivate func integrityOfSearch() async throws {
        try await updateSearchIndex()
        try connection.run(
            "INSERT INTO episode_search (episode_search, rank) VALUES ('integrity-check', 1)")
    }
}
