import Foundation
import Testing

@testable import FeedParser

@Suite struct AIEpisodesTests {
    private func parse(_ json: String) throws -> Feed {
        try FeedReader.parse(Array(json.utf8), baseURL: "https://host.example/v1/me")
    }

    private func episode(_ members: String) throws -> Episode {
        try #require(try parse("{\"episodes\": [{\"title\": \"T\", \(members)}]}").episodes.first)
    }

    @Test(arguments: [
        #"{"episodes": [{"title": "T"}]}"#,
        #"{"items": [{"topic": "T"}]}"#,
        #"{"data": {"episodes": [{"title": "T"}]}}"#,
        #"{"data": {"items": [{"title": "T"}]}}"#,
        #"{"data": [{"title": "T"}]}"#,
        #"[{"title": "T"}]"#,
        #"[null, {"Title": "T"}]"#,
    ])
    func `the list of episodes is found`(_ json: String) throws {
        let feed = try parse(json)
        #expect(feed.format == .dialogue)
        #expect(feed.episodes.map(\.title) == ["T"])
    }

    @Test(arguments: [#"{"episodes": []}"#, #"{"items": []}"#, #"{"data": {"episodes": []}}"#, "[]"])
    func `a listener may have no episode yet`(_ json: String) throws {
        #expect(try parse(json) == Feed(format: .dialogue))
    }

    @Test(arguments: [
        "{}", #"{"error": "unauthorised"}"#, #"{"episodes": "none"}"#,
        #"{"items": [{"sku": 4}, {"price": 5}]}"#,
        "[1, 2, 3]", #"["title"]"#, #"{"data": {"title": "T"}}"#, #"{"title": "T"}"#,
    ])
    func `other JSON is no feed`(_ json: String) {
        #expect(throws: FeedError.noFeedRoot) { try parse(json) }
    }

    @Test(arguments: ["show", "feed", "podcast"])
    func `the show is read`(_ name: String) throws {
        let feed = try parse(
            """
            {"title": "Not this", "language": "en", "episodes": [],
             "\(name)": {"id": 7, "title": "Briefing", "description": "For <b>one</b>", "imageUrl": "/i.png",
              "author": "Ada", "link": "/me", "hosts": ["Ada", {"name": "Tom", "voice": "warm"}, {"voice": "x"}]}}
            """)
        var expected = Feed(format: .dialogue)
        expected.title = "Briefing"
        expected.description = "For one"
        expected.language = "en"
        expected.image = "https://host.example/i.png"
        expected.author = "Ada"
        expected.link = "https://host.example/me"
        expected.persons = [Person(name: "Ada", role: "host"), Person(name: "Tom", role: "host")]
        #expect(feed == expected)
    }

    @Test(arguments: [
        #""next": "https://other.example/2""#, #""next_page": "https://other.example/2""#,
        #""pagination": {"next": "https://other.example/2"}"#,
        #""next": 2, "pagination": {"next": "//other.example/2"}"#,
    ])
    func `the next page is found`(_ member: String) throws {
        #expect(try parse("{\"episodes\": [], \(member)}").nextPageURL == "https://other.example/2")
    }

    @Test(arguments: [
        #""next": 2"#, #""next_page": "eyJhIjoxfQ""#, #""next": null"#, #""pagination": {"next": true}"#,
    ])
    func `a number or token is no page`(_ member: String) throws {
        #expect(try parse("{\"episodes\": [], \(member)}").nextPageURL == nil)
    }

    @Test(arguments: [
        #"{"id": 1042, "topic": "T", "audio_url": "/a.mp3", "created_at": 1795501800, "duration": "1:03"}"#,
        #"{"uuid": "1042", "title": "T", "audioUrl": "/a.mp3", "createdAt": "1795501800", "durationSeconds": 63}"#,
        #"{"guid": " 1042 ", "title": "T", "topic": "U", "published_at": "2026-11-24T06:30:00Z", "created_at": 9, "#
            + #""audio": {"url": "/a.mp3", "durationSeconds": 63}}"#,
        #"{"id": 1042, "title": "T", "audio": "/a.mp3", "publishedAt": 1795501800000, "duration": "63"}"#,
    ])
    func `one episode is said in many ways`(_ json: String) throws {
        let episode = try #require(try parse("[\(json)]").episodes.first)
        #expect(episode.guid == "1042")
        #expect(episode.title == "T")
        #expect(episode.enclosures == [Enclosure(url: "https://host.example/a.mp3")])
        #expect(episode.published.map(rfc3339) == "2026-11-24T06:30:00Z")
        #expect(episode.duration == 63)
    }

    @Test(arguments: [
        #"{"url": "a", "content_type": "audio/mp4", "size_bytes": 6653}"#,
        #"{"url": "a", "mime_type": "audio/mp4", "size": "6653"}"#,
        #"{"url": "a", "mimeType": "audio/mp4", "sizeBytes": 6653}"#,
        #"{"url": "a", "type": "audio/mp4", "length": 6653.0}"#,
    ])
    func `the audio has a type and a size`(_ audio: String) throws {
        let enclosure = Enclosure(url: "https://host.example/v1/a", type: "audio/mp4", length: 6653)
        #expect(try episode("\"audio\": \(audio)").enclosures == [enclosure])
    }

    @Test(arguments: [
        ("\"ready\"", "ready"), ("\"Completed\"", "ready"), ("\"done\"", "ready"), ("\"published\"", "ready"),
        ("\"queued\"", "queued"), ("\"generating\"", "generating"), ("\" Processing \"", "processing"),
        ("\"failed\"", "failed"), ("null", "ready"), ("\"\"", "ready"),
    ])
    func `the status is kept unless it means ready`(_ json: String, _ status: String) throws {
        #expect(try episode("\"status\": \(json)").status == status)
    }

    @Test func `numbers, image and hosts of an episode are read`() throws {
        let episode = try episode(
            #""season": "2", "number": 5, "image_url": "i.png", "hosts": ["Ada"], "updated_at": 1795501800"#)
        #expect(episode.season == 2)
        #expect(episode.episode == 5)
        #expect(episode.image == "https://host.example/v1/i.png")
        #expect(episode.persons == [Person(name: "Ada", role: "host")])
        #expect(episode.updated.map(rfc3339) == "2026-11-24T06:30:00Z")
    }

    @Test func `chapters begin in seconds or at a clock's time`() throws {
        let episode = try episode(
            #"""
            "chapters": [{"title": "A", "start": 0}, {"title": "B", "start_time": "1:02"},
              {"title": "C", "startSeconds": 90.5}, {"title": "no start"}, "no object", 7]
            """#)
        #expect(
            episode.chapters == [
                Chapter(start: 0, title: "A"), Chapter(start: 62, title: "B"),
                Chapter(start: 90.5, title: "C"),
            ])
    }

    @Test func `a transcript has segments`() throws {
        let episode = try episode(
            #"""
            "transcript": [{"speaker": "Ada", "text": " One.\nTwo. ", "start": 0, "end": "0:02"},
              {"text": "Three.", "start_time": 2, "endTime": 3.5}, {"speaker": "Tom"}, "Four."]
            """#)
        #expect(
            episode.transcript == [
                TranscriptSegment(speaker: "Ada", text: "One.\nTwo.", start: 0, end: 2),
                TranscriptSegment(text: "Three.", start: 2, end: 3.5), TranscriptSegment(text: "Four."),
            ])
    }

    @Test func `a transcript may be one text, in an object, or elsewhere`() throws {
        let segments = try episode(#""transcript": {"segments": [{"text": "Hi"}]}"#).transcript
        #expect(segments == [TranscriptSegment(text: "Hi")])
        #expect(
            try episode(#""transcript": "All of it.""#).transcript == [TranscriptSegment(text: "All of it.")])
        #expect(
            try episode(#""transcriptUrl": "/t.vtt""#).transcripts == [
                TranscriptReference(url: "https://host.example/t.vtt")
            ])
    }

    @Test func `sources are links at the end of the notes`() throws {
        let episode = try episode(
            #"""
            "summary": "Short & plain",
            "sources": [{"title": "A <trial>", "url": "https://x.example/?a=1&b=\"2\""}, {"title": "A book"},
              "https://y.example/", {"title": "Bad", "url": "javascript:alert(1)"}, {"url": "/here"}, 7]
            """#)
        #expect(episode.summary == "Short & plain")
        #expect(
            episode.contentHTML
                == "Short &amp; plain<ul><li><a href=\"https://x.example/?a=1&amp;b=%222%22\">A</a></li>"
                + "<li>A book</li><li><a href=\"https://y.example/\">https://y.example/</a></li><li>Bad</li>"
                + "<li><a href=\"https://host.example/here\">https://host.example/here</a></li></ul>")
    }

    @Test func `a description beside a summary is the notes`() throws {
        let episode = try episode(#""summary": "Short", "description": "<p>Long</p>""#)
        #expect(episode.summary == "Short")
        #expect(episode.contentHTML == "<p>Long</p>")
    }

    @Test func `a bad episode costs no other`() throws {
        let feed = try parse(
            """
            {"episodes": [
              {"title": "One", "created_at": "yesterday"},
              "Two",
              {"id": 3, "status": "ready"},
              {"audio_url": "4.mp3"}]}
            """)
        #expect(feed.episodes.map(\.title) == ["One", nil])
        #expect(feed.diagnostics.map(\.code) == [.badDate, .badEpisode, .badEpisode])
        #expect(feed.diagnostics.map(\.line) == [2, 3, 4])
    }
}
