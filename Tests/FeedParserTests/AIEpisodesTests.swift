import FoundationEssentials
import Testing

@testable import FeedParser

@Suite struct AIEpisodesTests {
    private func parse(_ text: String) throws -> Feed {
        try FeedReader.parse(Array(text.utf8), baseURL: "https://ai.example/shows/7")
    }

    private let item = #"{ "id": 1, "title": "T" }"#

    @Test(arguments: [
        #"{ "episodes": [ITEM] }"#, #"{ "items": [ITEM] }"#, #"{ "data": { "episodes": [ITEM] } }"#,
        #"{ "data": [ITEM] }"#, "[ITEM]",
    ])
    func `the episodes are found wherever they stand`(_ document: String) throws {
        let feed = try parse(document.replacing("ITEM", with: item))
        #expect(feed.format == .dialogue)
        #expect(feed.episodes.map(\.guid) == ["1"])
    }

    @Test func `the show, its hosts and the next page`() throws {
        let feed = try parse(
            """
            { "data": { "show": { "id": "s", "title": "Briefing", "description": "D", "language": "de",
                "imageUrl": "/i.png", "author": "A", "link": "/", "hosts": ["Ada", { "name": "Tom" }] },
              "items": [\(item)], "pagination": { "next": "?page=2" } } }
            """)
        #expect(feed.title == "Briefing")
        #expect(feed.image == "https://ai.example/i.png")
        #expect(feed.persons == [Person(name: "Ada", role: "host"), Person(name: "Tom", role: "host")])
        #expect(feed.nextPageURL == "https://ai.example/shows/7?page=2")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let item: String
        let check: @Sendable (Episode) -> Bool

        init(_ item: String, _ check: @escaping @Sendable (Episode) -> Bool) {
            testDescription = item
            self.item = item
            self.check = check
        }
    }

    private static let day = Date(timeIntervalSince1970: 1_795_501_800)

    @Test(arguments: [
        Case(#"{ "uuid": "u-1", "topic": "Why?" }"#) { $0.guid == "u-1" && $0.title == "Why?" },
        Case(#"{ "title": "T", "status": "completed" }"#) { $0.status == "ready" },
        Case(#"{ "title": "T", "status": "Generating" }"#) { $0.status == "generating" },
        Case(#"{ "title": "T" }"#) { $0.status == "ready" },
        Case(#"{ "audio_url": "a.mp3" }"#) { $0.enclosures.first?.url == "https://ai.example/shows/a.mp3" },
        Case(#"{ "audioUrl": "a.mp3" }"#) { $0.enclosures.count == 1 },
        Case(#"{ "audioURL": "a.mp3" }"#) { $0.enclosures.count == 1 },
        Case(#"{ "audio": { "url": "a", "mimeType": "audio/mpeg", "sizeBytes": "99", "duration": "1:30" } }"#)
        {
            $0.enclosures.first?.type == "audio/mpeg" && $0.enclosures.first?.length == 99
                && $0.duration == 90
        },
        Case(#"{ "title": "T", "created_at": 1795501800 }"#) { $0.published == day },
        Case(#"{ "title": "T", "createdAt": "1795501800000" }"#) { $0.published == day },
        Case(#"{ "title": "T", "published_at": "2026-11-24T06:30:00Z" }"#) { $0.published == day },
        Case(#"{ "title": "T", "season": "2", "number": 5 }"#) { $0.season == 2 && $0.episode == 5 },
        Case(#"{ "title": "T", "chapters": [{ "title": "A", "start": 0 }, { "start_time": "1:02" }, 7] }"#) {
            $0.chapters == [Chapter(start: 0, title: "A"), Chapter(start: 62)]
        },
        Case(
            #"{ "title": "T", "chapters": [{ "title": "B", "start": 9 }, { "title": "A", "start": 1 }, { "title": "C", "start": 9 }] }"#
        ) {
            $0.chapters.map(\.title) == ["A", "B", "C"]
        },
        Case(#"{ "title": "T", "transcript": [{ "text": "b", "start": 9 }, { "text": "a", "start": 1 }] }"#) {
            $0.transcript.map(\.text) == ["a", "b"]
        },
        Case(#"{ "title": "T", "duration": 1e308, "audio": { "url": "a", "duration": 90 } }"#) {
            $0.duration == 90
        },
        Case(#"{ "title": "T", "duration": "9999:00:00", "chapters": [{ "title": "A", "start": 1e308 }] }"#) {
            $0.duration == nil && $0.chapters.isEmpty
        },
        Case(#"{ "title": "T", "transcript": "All of it" }"#) {
            $0.transcript == [TranscriptSegment(text: "All of it")]
        },
        Case(
            #"{ "title": "T", "transcript": [{ "speaker": "A", "text": "Hi", "startTime": 1, "end": "2" }] }"#
        ) {
            $0.transcript == [TranscriptSegment(speaker: "A", text: "Hi", start: 1, end: 2)]
        },
        Case(#"{ "title": "T", "transcript_url": "t.vtt" }"#) { $0.transcripts.count == 1 },
        Case(
            #"{ "title": "T", "summary": "S", "sources": [{ "title": "<b>", "url": "https://s.example/\"" }] }"#
        ) {
            $0.summary == "S" && $0.contentHTML?.hasSuffix("</a></li></ul>") == true
                && $0.contentHTML?.contains("\"https://s.example/\"\"") == false
        },
    ])
    func `an episode is read leniently`(_ test: Case) throws {
        #expect(test.check(try #require(try parse("[\(test.item)]").episodes.first)))
    }

    @Test func `bad episodes cost nothing but themselves`() throws {
        let feed = try parse(#"{ "episodes": [3, { "id": 9 }, { "title": "T" }] }"#)
        #expect(feed.episodes.map(\.title) == ["T"])
        #expect(feed.diagnostics.map(\.code) == [.badEpisode, .badEpisode])
    }
}
