import Testing

@testable import Aggregator

@Suite struct PlaylistChaptersTests {
    private static let entry = PlaylistEntry(
        path: "Show/Ü, one.mp3", title: "One", feedTitle: "Show", duration: .seconds(60),
        chapters: [
            PlaylistChapter(start: .zero, end: .milliseconds(12_500), title: "Intro, #1"),
            PlaylistChapter(start: .milliseconds(12_500), title: "A\nB"),
        ])

    @Test func `an EDL has a segment for each chapter, with counted texts`() {
        let plain = PlaylistEntry(path: "#2.mp3", title: "Two", feedTitle: "Show")
        #expect(
            playlistText([Self.entry, plain], title: "Mine", format: .edl) == """
                # mpv EDL v0
                # Written by podget
                %16%Show/Ü, one.mp3,start=0.000,length=12.500,title=%9%Intro, #1
                %16%Show/Ü, one.mp3,start=12.500,title=%3%A B
                %8%./#2.mp3,title=%10%Show - Two

                """)
    }

    @Test func `XSPF has a track for each chapter, which VLC starts and stops there`() {
        let text = playlistText([Self.entry], title: "Mine", format: .xspf)
        #expect(text.contains("xmlns:vlc=\"http://www.videolan.org/vlc/playlist/ns/0/\""))
        #expect(text.contains("<title>One: Intro, #1</title>"))
        #expect(text.contains("<duration>12500</duration>"))
        #expect(text.contains("<duration>47500</duration>"))
        #expect(
            text.contains(
                "<vlc:option>start-time=0.000</vlc:option><vlc:option>stop-time=12.500</vlc:option></extension>"
            ))
        #expect(text.contains("<vlc:option>start-time=12.500</vlc:option></extension>"))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let marks: [Double]
        let parts: [[Double?]]

        init(_ name: String, _ marks: [Double], _ parts: [[Double?]]) {
            testDescription = name
            self.marks = marks
            self.parts = parts
        }
    }

    @Test(arguments: [
        Case("none", [], []),
        Case("two", [0, 30], [[0, 30], [30, nil]]),
        Case("a late first", [10, 30], [[0, 10], [10, 30], [30, nil]]),
        Case("in disorder, and one twice", [30, 0, 30], [[0, 30], [30, nil]]),
        Case("behind the end", [0, 30, 60, 900], [[0, 30], [30, nil]]),
    ])
    func `chapters part the whole file`(_ test: Case) {
        let parts = playlistChapters(
            test.marks.map { (.seconds($0), nil) }, title: "One", duration: .seconds(60))
        #expect(parts.map { [$0.start / .seconds(1), $0.end.map { $0 / .seconds(1) }] } == test.parts)
    }
}
