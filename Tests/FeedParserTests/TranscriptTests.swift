import Testing

@testable import FeedParser

/// Transcripts in every form that feeds link to, and back.
@Suite struct TranscriptTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: [TranscriptSegment]

        init(_ description: String, _ text: String, _ expected: TranscriptSegment...) {
            testDescription = description
            self.text = text
            self.expected = expected
        }
    }

    private static func segment(
        _ text: String, by speaker: String? = nil, _ start: Double? = nil, _ end: Double? = nil
    ) -> TranscriptSegment {
        TranscriptSegment(speaker: speaker, text: text, start: start, end: end)
    }

    @Test(arguments: [
        Case(
            "WebVTT",
            """
            WEBVTT - a title

            NOTE not a --- cue

            STYLE
            ::cue { color: red }

            intro
            00:01.500 --> 00:04.000 align:start position:0%
            <v.loud Ada Byron>Good <b>morning</b> &amp; welcome.
            A second line.

            01:00:00.000 --> 01:00:02.250
            <v Bob>Bye.</v>
            """,
            segment("Good morning & welcome. A second line.", by: "Ada Byron", 1.5, 4),
            segment("Bye.", by: "Bob", 3600, 3602.25)),
        Case(
            "SubRip with a mark and its line ends",
            "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\ntwo\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nThree\r\n",
            segment("One two", 1, 2.5), segment("Three", 3, 4)),
        Case(
            "cues that are damaged",
            "WEBVTT\n\nxx --> yy\nlost\n\n00:05.000 -->\nno end\n\n00:06.000 --> 00:07.000\n\n00:08.000 --> 00:09.000\nlast",
            segment("no end", 5, nil), segment("last", 8, 9)),
        Case(
            "JSON of the podcast namespace",
            #"{"version": "1.0.0", "segments": [{"speaker": "Ada", "startTime": 0.5, "endTime": "2", "body": "Hi"}, {"x": 1}, 7]}"#,
            segment("Hi", by: "Ada", 0.5, 2)),
        Case("a bare JSON list", #"[{"text": "Hi", "start": 1}]"#, segment("Hi", 1, nil)),
        Case(
            "HTML of the podcast namespace",
            """
            <!DOCTYPE html><html><head><title>x</title></head><body><cite>Ada:</cite><time>0:01</time>
            <p>Good &amp; morning</p><p>and more</p><cite>Bob</cite><time>1:02:03</time><p>Bye</p></body></html>
            """,
            segment("Good & morning", by: "Ada", 1, nil), segment("and more", by: "Ada"),
            segment("Bye", by: "Bob", 3723, nil)),
        Case("a web page", "<div>One<br>two</div><ul><li>three</ul>", segment("One two"), segment("three")),
        Case("plain text", "One\ntwo\n\n \n\nThree", segment("One two"), segment("Three")),
        Case("nothing", " \n"), Case("WebVTT without cues", "WEBVTT\n\nNOTE nothing yet\n"),
        Case(
            "the message of a server",
            "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code><Message>Denied</Message></Error>"),
        Case(
            "a page in XHTML", "<?xml version=\"1.0\"?><!DOCTYPE html><html><body><p>Words</p></body></html>",
            segment("Words")),
    ])
    func `it is read`(_ test: Case) throws {
        #expect(try readTranscript(Array(test.text.utf8)) == test.expected)
    }

    private static let dialogue = [
        segment("Good -->morning & <welcome>", by: "Ada", 1.5, 4), segment("And more", by: "Ada", 4, nil),
        segment("Bye", by: "Bob", 3600, 3602.25),
    ]

    @Test(arguments: [
        (TranscriptFormat.text, "Ada: Good -->morning & <welcome> And more\n\nBob: Bye\n"),
        (
            .vtt,
            """
            WEBVTT

            1
            00:00:01.500 --> 00:00:04.000
            <v Ada>Good --&gt;morning &amp; &lt;welcome&gt;

            2
            00:00:04.000 --> 01:00:00.000
            <v Ada>And more

            3
            01:00:00.000 --> 01:00:02.250
            <v Bob>Bye


            """
        ),
        (
            .srt,
            """
            1
            00:00:01,500 --> 00:00:04,000
            Ada: Good -->morning & <welcome>

            2
            00:00:04,000 --> 01:00:00,000
            Ada: And more

            3
            01:00:00,000 --> 01:00:02,250
            Bob: Bye


            """
        ),
    ])
    func `it is written`(_ format: TranscriptFormat, _ expected: String) {
        #expect(writeTranscript(Self.dialogue, as: format) == expected)
    }

    @Test(arguments: [
        [UInt8]("ID3\u{4}\0\0\0\0\0\0".utf8) + (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) },
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1],
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3],
    ])
    func `what is no text holds no words`(_ bytes: [UInt8]) {
        #expect(throws: FeedError.undecodable(encoding: "text")) { try readTranscript(bytes) }
    }

    @Test func `a stray character does not make a text unreadable`() throws {
        let words = String(repeating: "All aboard the night train. ", count: 4)
        #expect(try readTranscript(Array((words + "\u{C}\u{1}").utf8)).count == 1)
    }

    @Test func `WebVTT and JSON are read again as they were written`() throws {
        for format in [TranscriptFormat.vtt, .json] {
            let text = try #require(writeTranscript(Self.dialogue, as: format))
            let again = try readTranscript(Array(text.utf8))
            #expect(again.map(\.text) == Self.dialogue.map(\.text))
            #expect(again.map(\.speaker) == Self.dialogue.map(\.speaker))
            #expect(again.map(\.start) == Self.dialogue.map(\.start))
        }
    }

    @Test(arguments: [
        #"[{"text": "c", "start": 9, "end": 9}, {"text": "b", "start": 4, "end": 2}, {"text": "a", "start": -1, "end": -1}]"#,
        "00:09.000 --> 00:09.000\nc\n\n00:04.000 --> 00:02.000\nb\n\n00:00.000 --> 00:00.000\na",
    ])
    func `cues are in order of their start, and each ends after it`(_ text: String) throws {
        let segments = try readTranscript(Array(text.utf8))
        #expect(
            writeTranscript(segments, as: .vtt)
                == """
                WEBVTT

                1
                00:00:00.000 --> 00:00:04.000
                a

                2
                00:00:04.000 --> 00:00:09.000
                b

                3
                00:00:09.000 --> 00:00:14.000
                c


                """)
        let absurd = [TranscriptSegment(text: "x", start: 1e300, end: 1e301)]
        #expect(writeTranscript(absurd, as: .srt)?.contains("1000:00:00,000 --> 1000:00:05,000") == true)
    }

    @Test func `what has no time stays behind what it follows`() throws {
        let text =
            #"[{"text": "c", "start": 9}, {"text": "and c"}, {"text": "a", "start": 1}, {"text": "and a"}]"#
        #expect(try readTranscript(Array(text.utf8)).map(\.text) == ["a", "and a", "c", "and c"])
    }

    @Test func `cues need times`() {
        let segments = [TranscriptSegment(text: "Hi")]
        #expect(writeTranscript(segments, as: .vtt) == nil)
        #expect(writeTranscript(segments, as: .text) == "Hi\n")
    }

    @Test func `chapters are read in order, those for no list left out`() throws {
        let text = """
            {"version": "1.2.0", "chapters": [
              {"startTime": 60, "title": "Two &amp; more", "img": "/2.jpg"}, {"startTime": "0", "title": "One"},
              {"startTime": 30, "title": "Hidden", "toc": false}, {"title": "No start"}, {"startTime": -1}, null]}
            """
        let chapters = try readChapters(Array(text.utf8), baseURL: "https://a.example/c/1.json")
        #expect(
            chapters == [
                Chapter(start: 0, title: "One"),
                Chapter(start: 60, title: "Two & more", image: "https://a.example/2.jpg"),
            ])
    }
}
