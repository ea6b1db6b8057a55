import Foundation
import Testing

@testable import Aggregator

@Suite struct PlaylistTests {
    @Test func `an entry is one line of facts and one path`() {
        let entry = PlaylistEntry(
            path: "Show/One.mp3", title: "One, two", feedTitle: "Show", duration: .milliseconds(61_600))
        #expect(
            playlistText([entry], title: "Mine", isKept: true)
                == "#EXTM3U\n# Written by podget; changes are lost at the next sync\n#PLAYLIST:Mine\n"
                + "#EXTINF:62,Show - One, two\nShow/One.mp3\n")
    }

    @Test func `no title can begin a line of its own, and no path a comment`() {
        let entry = PlaylistEntry(path: "#1.mp3", title: "A\nB\r\u{2028}#EXTINF", feedTitle: "Ü")
        let lines = playlistText([entry], title: "x\ny").split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "#EXTM3U", "# Written by podget", "#PLAYLIST:x y", "#EXTINF:-1,Ü - A B  #EXTINF", "./#1.mp3",
            ])
    }

    @Test(arguments: [
        ("/a/b", "/a/b/c.mp3", "c.mp3"), ("/a/b", "/a/c/d.mp3", "../c/d.mp3"), ("/", "/a.mp3", "a.mp3"),
        ("/a/b", "/x.mp3", "../../x.mp3"), ("/a", "/ab/c.mp3", "../ab/c.mp3"),
    ])
    func `paths are written as seen from the playlist`(_ folder: String, _ file: String, _ path: String) {
        #expect(pathFrom(folder, to: file) == path)
    }

    @Test func `a file is replaced whole and not touched where nothing changed`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/podget-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/list.m3u8"
        func number() throws -> UInt64? {
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        }
        try replaceFile(at: path, with: "one\n")
        let first = try number()
        try replaceFile(at: path, with: "one\n")
        #expect(try number() == first)
        try replaceFile(at: path, with: "two\n")
        #expect(try number() != first)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "two\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["list.m3u8"])
    }

    @Test func `a folder that takes no file is named`() {
        #expect(throws: AggregatorError.self) { try replaceFile(at: "/nowhere/list.m3u8", with: "x") }
    }
}

@Suite struct NameTemplateTests {
    @Test func `a name begins with the day in UTC`() {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(nameTemplate(date: date, title: "One") == "2023-11-14 One")
        #expect(nameTemplate(date: nil, title: "One") == "One")
    }
}
