import Testing

@testable import Aggregator
@testable import EpisodeStore

@Suite struct ExtrasPlanTests {
    private static func link(_ name: String, _ type: String? = nil, _ language: String? = nil)
        -> TranscriptLink
    {
        TranscriptLink(url: "https://a.example/\(name)", type: type, language: language)
    }

    @Test(arguments: [
        ([link("t.txt", "text/plain"), link("t.html", "text/html"), link("t.vtt", "text/vtt")], "t.vtt"),
        ([link("t.json", "application/json"), link("t.srt", "application/x-subrip")], "t.srt"),
        ([link("t.html"), link("t.json?key=a.vtt")], "t.json?key=a.vtt"),
        ([link("t", "text/html; charset=utf-8"), link("u")], "t"),
        ([link("es.vtt", "text/vtt", "es"), link("en.txt", "text/plain", "en-GB")], "en.txt"),
        ([link("es.vtt", "text/vtt", "es")], "es.vtt"),
        ([link("a.vtt"), link("b.vtt")], "a.vtt"),
    ])
    func `the feed's language and a form with times are best`(_ links: [TranscriptLink], _ best: String) {
        #expect(transcriptOrder(links, language: "en-us").first?.url == "https://a.example/" + best)
    }

    private func detail(
        chapters: [Chapter] = [], link: String? = "https://a.example/c.json",
        transcript: [TranscriptSegment] = [],
        links: [TranscriptLink] = [Self.link("t.vtt"), Self.link("t.txt")]
    ) -> EpisodeDetail {
        EpisodeDetail(
            record: EpisodeFixture(1).record, updated: nil, summary: nil, contentHTML: nil, author: nil,
            isExplicit: nil, enclosures: [], alternateEnclosures: [], chapters: chapters,
            chaptersURL: link.map { ChaptersLink(url: $0) }, transcripts: links, transcript: transcript,
            persons: [], categories: [], status: nil, identity: .new, artwork: nil, codec: nil,
            contentType: nil, isVerified: false, checksums: nil)
    }

    private func plan(
        _ episode: EpisodeDetail, _ stored: OfflineExtras = OfflineExtras(), hasArtwork: Bool = false
    ) -> ExtrasPlan {
        planExtras(
            episode, image: "https://a.example/i.jpg", language: nil, stored: stored, hasArtwork: hasArtwork)
    }

    @Test func `a new download wants all that the feed links to`() {
        let plan = plan(detail())
        #expect(plan.chapters == "https://a.example/c.json")
        #expect(plan.transcripts.map(\.url) == ["https://a.example/t.vtt", "https://a.example/t.txt"])
        #expect(plan.artwork == "https://a.example/i.jpg")
    }

    @Test func `a transcript without times gives way only to one in its language`() {
        var stored = OfflineExtras()
        stored.transcript = [TranscriptSegment(text: "Hello")]
        stored.settledLinks = ["https://a.example/en.html"]
        let links = [
            Self.link("en.html", "text/html", "en"), Self.link("de.vtt", "text/vtt", "de"),
            Self.link("en.vtt", "text/vtt", "en-GB"),
        ]
        func wanted(_ links: [TranscriptLink], _ language: String?) -> [String] {
            planExtras(
                detail(links: links), image: nil, language: language, stored: stored, hasArtwork: false
            ).transcripts.map(\.url)
        }
        #expect(wanted(links, "en") == ["https://a.example/en.vtt"])
        #expect(wanted(Array(links.prefix(2)), "en") == [])
        #expect(wanted(Array(links.prefix(2)), nil) == [])
    }

    @Test func `what the feed says itself is not fetched`() {
        let plan = plan(
            detail(
                chapters: [Chapter(start: .zero, title: "One")],
                transcript: [TranscriptSegment(text: "Hello")]))
        #expect(plan == ExtrasPlan(chapters: nil, transcripts: [], artwork: "https://a.example/i.jpg"))
    }

    @Test func `what was fetched or refused is not fetched again`() {
        var stored = OfflineExtras()
        stored.transcript = [TranscriptSegment(text: "Hello", start: .zero)]
        stored.settledLinks = ["https://a.example/c.json", "https://a.example/t.vtt"]
        #expect(plan(detail(transcript: stored.transcript), stored, hasArtwork: true).isEmpty)
        stored.settledLinks.append("https://a.example/i.jpg")
        #expect(plan(detail(transcript: stored.transcript), stored).isEmpty)
    }

    @Test
    func `chapters from the file give way to a new link, and a transcript without times to one with them`() {
        var stored = OfflineExtras()
        stored.chapters = [Chapter(start: .zero, title: "One")]
        stored.transcript = [TranscriptSegment(text: "Hello")]
        stored.settledLinks = ["https://a.example/t.txt"]
        let plan = plan(
            detail(chapters: stored.chapters, transcript: stored.transcript), stored, hasArtwork: true)
        #expect(plan.chapters == "https://a.example/c.json")
        #expect(plan.transcripts.map(\.url) == ["https://a.example/t.vtt"])
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "jpg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D], "png"),
            (Array("GIF89a".utf8), "gif"), (Array("RIFF1234WEBPVP8 ".utf8), "webp"),
            (Array("<svg xmlns=".utf8), nil), (Array("<html>".utf8), nil), ([], nil),
        ] as [([UInt8], String?)])
    func `a picture is known by its first bytes`(_ bytes: [UInt8], _ name: String?) {
        #expect(pictureExtension(bytes) == name)
    }
}
