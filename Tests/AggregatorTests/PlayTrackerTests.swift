import Glibc
import Testing

@testable import Aggregator

@Suite struct PlayTrackerTests {
    private func tracker(_ lines: String...) -> PlayTracker {
        var tracker = PlayTracker()
        for line in lines { tracker.take(line.utf8) }
        return tracker
    }

    private func at(_ seconds: String) -> String {
        #"{"event":"property-change","id":1,"name":"time-pos","data":\#(seconds)}"#
    }

    private let length = #"{"event":"property-change","id":2,"name":"duration","data":600.0}"#
    private func end(_ reason: String) -> String { #"{"event":"end-file","reason":"\#(reason)"}"# }

    @Test func `the last position holds, whatever nonsense follows`() {
        let tracker = tracker(at("12.5"), length, "{", "", "[1]", #"{"event":7,"data":"x"}"#, at("null"))
        #expect(tracker.position == .milliseconds(12_500))
        #expect(tracker.duration == .seconds(600))
        #expect(self.tracker(at("-3")).position == .zero)
        #expect(self.tracker(at("1e300")).position == .seconds(1_000_000_000))
    }

    @Test func `the position is stored each five seconds, forwards and back`() {
        var tracker = tracker(at("10"))
        #expect(tracker.positionToStore() == nil)
        for (seconds, stored) in [(14.9, nil), (15.0, 15), (19.0, nil), (9.0, 9), (13.0, nil)]
            as [(Double, Int?)]
        {
            tracker.take(at("\(seconds)").utf8)
            #expect(tracker.positionToStore() == stored.map { .seconds($0) }, "\(seconds)")
        }
    }

    @Test(arguments: [
        ("599", "eof", true, true, true), ("100", "eof", true, true, true),
        ("100", "eof", false, false, false),
        ("545", "quit", true, true, false), ("539", "quit", true, false, false),
        ("599", "eof", false, true, true),
    ])
    func `near the end an episode counts as played, and its own end lets the next one follow`(
        _ position: String, _ reason: String, _ isWhole: Bool, _ isPlayed: Bool, _ goesOn: Bool
    ) {
        let end = playEnd(
            tracker(length, at(position), end(reason)), .exited(0), isWhole: isWhole, within: .seconds(60))
        #expect(end.isPlayed == isPlayed)
        #expect(end.wentToTheEnd == goesOn)
        #expect(end.problem == nil)
    }

    @Test func `of a short episode the last tenth counts as its end`() {
        let short = #"{"event":"property-change","id":2,"name":"duration","data":50.0}"#
        func isPlayed(_ seconds: String) -> Bool {
            playEnd(tracker(short, at(seconds)), .exited(0), isWhole: true, within: .seconds(60)).isPlayed
        }
        #expect(!isPlayed("44"))
        #expect(isPlayed("45"))
    }

    @Test func `what cannot be played is no end`() {
        let failed = playEnd(
            tracker(#"{"event":"end-file","reason":"error","file_error":"no audio"}"#), .exited(2),
            isWhole: true, within: .seconds(60))
        #expect(failed.problem == "cannot play it: no audio")
        #expect(!failed.isPlayed && !failed.wentToTheEnd)
        let interrupted = playEnd(tracker(), .interrupted, isWhole: true, within: .seconds(60))
        #expect(interrupted == PlayEnd())
        // mpv names a position before it finds that there is nothing to hear.
        let late = playEnd(
            tracker(length, at("123"), end("error")), .exited(2), isWhole: true, within: .seconds(60))
        #expect(late.problem == "cannot play it" && late.position == nil)
    }

    @Test(arguments: [ProgramEnd.signalled(SIGSEGV), .signalled(SIGKILL), .exited(128 + SIGSEGV)])
    func `a player that crashes is a problem, and what it played is kept`(_ program: ProgramEnd) {
        let crashed = playEnd(tracker(length, at("123")), program, isWhole: true, within: .seconds(60))
        #expect(crashed.problem?.hasPrefix("was killed (") == true)
        #expect(crashed.position == .seconds(123))
        #expect(!crashed.isPlayed && !crashed.wentToTheEnd)
        // One that told of the end before did its work.
        let late = playEnd(
            tracker(length, at("600"), end("eof")), program, isWhole: true, within: .seconds(60))
        #expect(late.problem == nil && late.wentToTheEnd)
    }

    @Test(arguments: [(0, 2, false), (0, 9, false), (0, 10, true), (0, 900, true), (300, 2, true)])
    func `the first seconds of an episode that was not begun are no progress`(
        _ former: Int, _ position: Int, _ counts: Bool
    ) {
        #expect(isProgress(.seconds(position), from: .seconds(former)) == counts)
    }

    @Test(arguments: ["error", "quit", "eof"])
    func `a start beyond the end plays nothing, and says so`(_ reason: String) {
        let program = ProgramEnd.exited(reason == "error" ? 2 : 0)
        let end = playEnd(
            tracker(length, at("300000"), end(reason)), program, start: .seconds(300_000), isWhole: true,
            within: .seconds(60))
        #expect(
            end
                == PlayEnd(
                    duration: .seconds(600), problem: "cannot begin at 83:20:00: the end is at 10:00"))
        // Somebody went back.
        let back = playEnd(
            tracker(length, at("123"), self.end("quit")), .exited(0), start: .seconds(700), isWhole: true,
            within: .seconds(60))
        #expect(back.problem == nil && back.position == .seconds(123))
    }

    @Test func `titles and files are arguments and never options`() {
        let request = PlayRequest(
            source: "/x/-rf --script=y.mp3", isLocal: true, title: "--script=/tmp/x",
            start: .milliseconds(1_050))
        let words = playerWords(.mpv(["mpv", "--ao=null"]), request, usesTerminal: false)
        #expect(words.first == "mpv" && words.contains("--ao=null"))
        #expect(words.suffix(2) == ["--", "/x/-rf --script=y.mp3"])
        #expect(words.contains("--force-media-title=--script=/tmp/x"))
        #expect(words.contains("--ytdl=no") && words.contains("--start=1.050"))
        #expect(!words.contains("--script=/tmp/x"))
        #expect(
            playerWords(.other(["vlc", "--at={file}", "{file}"]), request, usesTerminal: true)
                == ["vlc", "--at=\(request.source)", request.source])
        #expect(
            playerWords(.other(["vlc", "-x"]), request, usesTerminal: true) == ["vlc", "-x", request.source])
    }

    @Test func `options of podget stand before the dashes of the user, and the file is put into every word`()
    {
        let request = PlayRequest(source: "/x/1.mp3", isLocal: true, title: "One")
        let setting = ["mpv", "--sub-file={file}.srt", "--", "{file}"]
        let words = playerWords(PlayerProgram(setting: setting) { _ in false }, request, usesTerminal: false)
        #expect(words.contains("--sub-file=/x/1.mp3.srt"))
        #expect(words.filter { $0 == "--" }.count == 1)
        #expect(words.suffix(2) == ["--", "/x/1.mp3"])
        #expect(words.contains("--idle=no") && words.contains("--terminal=no"))
    }

    @Test(arguments: [
        (["mpv", "--length=60"], true), (["mpv", "--end", "1:00"], true), (["mpv", "--no-video"], false),
        (["vlc", "--end=3"], false),
    ])
    func `mpv may be told by its user to stop early`(_ words: [String], _ mayStop: Bool) {
        #expect(PlayerProgram(setting: words, isInstalled: { _ in true }).mayStopEarly == mayStop)
    }

    @Test func `the player is the one of the setting, else mpv, else the desktop's`() {
        #expect(PlayerProgram(setting: nil) { $0 == "mpv" } == .mpv(["mpv"]))
        #expect(PlayerProgram(setting: nil) { _ in false } == .desktop)
        #expect(
            PlayerProgram(setting: ["/opt/mpv", "--no-video", "{file}"]) { _ in false }
                == .mpv(["/opt/mpv", "--no-video"]))
        #expect(PlayerProgram(setting: ["vlc", "{file}"]) { _ in true } == .other(["vlc", "{file}"]))
    }

    @Test(arguments: [
        ("https://a.example/1.mp3", true), ("HTTP://a.example/1", true), ("file:///etc/passwd", false),
        ("--script=x", false), ("https://a.example/ x", false), ("edl://x", false), ("", false),
    ])
    func `only addresses of the web are given to a player`(_ url: String, _ isPlayable: Bool) {
        #expect((playableAddress(url) != nil) == isPlayable)
    }
}
