import Foundation
import TestServer

/// Leads documents and servers that were made to hurt through the whole program.
///
/// Each has a home of its own. The program ends by itself and in time, with bounded memory; nothing of the document
/// steers the terminal or reaches a file outside the library; and the library works on with a feed that is good.
func hellCampaign(_ options: Options) throws -> Report {
    var report = Report()
    let all = hellFeeds
    for (name, make) in all {
        var part = Report()
        try run(make, options, &part)
        report.faults += part.faults.map { "\(name): \($0)" }
    }
    let peak = peakOfChildren()
    report.expect(peak <= 200_000, "a run took \(peak / 1000) MB")
    report.done = "\(all.count) feeds, peak memory \(peak / 1000) MB"
    return report
}

private let secret = "the secret of another folder"

private func run(_ make: (DummyServer, Home) throws -> Void, _ options: Options, _ report: inout Report)
    throws
{
    let server = try DummyServer()
    defer { server.stop() }
    let home = try Home(podget: options.podget)
    try home.write(secret, to: "secret.txt")
    server.serve("/media.mp3", .pattern(20_000))
    try make(server, home)
    let before = Set(try files(of: home).filter { !$0.hasPrefix("data/") && !$0.hasPrefix("cache/") })
    let runs = [
        ["subscribe", "--latest", "3", server.url("/feed.xml")], ["refresh"], ["sync"], ["feeds"],
        ["episodes", "--limit", "200"], ["show", "1"], ["search", "heron"], ["playlist"], ["storage"],
    ]
    for words in runs {
        let start = ContinuousClock.now
        let outcome = try home.run(words, after: .seconds(20))
        let seconds = start.duration(to: .now) / .seconds(1)
        let name = words[0]
        report.expect(seconds < 20, "\(name) was not done after 20 s")
        report.expect(
            (0...3).contains(outcome.code),
            "\(name) ended with \(outcome.code): \(outcome.errors.suffix(300))")
        report.expect(outcome.code == 0 || !outcome.errors.isEmpty, "\(name) failed without a word")
        let text = outcome.output + outcome.errors
        report.expect(text.unicodeScalars.allSatisfy(isHarmless), "\(name) wrote a control character")
        report.expect(!text.contains(secret), "\(name) told the secret")
        report.expect(
            outcome.errors.utf8.count < 20_000, "\(name) wrote \(outcome.errors.utf8.count) bytes of errors")
    }
    for path in try files(of: home) where !path.hasPrefix("data/") && !path.hasPrefix("cache/") {
        report.expect(path.hasPrefix("Podcasts/") || before.contains(path), "wrote \(path)")
        let text = try? String(contentsOfFile: home.path + "/" + path, encoding: .utf8)
        report.expect(
            !path.hasPrefix("Podcasts/") || text?.contains(secret) != true, "copied the secret to \(path)")
    }
    // Life goes on.
    let show = Show(sizes: [30_000], name: "good")
    server.serve("/good.xml", show.feed(server))
    server.serve("/good1.mp3", Reply.pattern(30_000))
    report.expect(
        try home.run("subscribe", server.url("/good.xml")).code == 0, "a good feed is refused afterwards")
    _ = try home.run(["sync", server.url("/good.xml")], after: .seconds(30))
    let good = try home.episodes().first { $0.title == "Episode 1" }
    report.expect(
        good?.state == "done", "a good feed is not downloaded afterwards: \(good?.state ?? "not listed")")
    checkDoctor(home, &report)
}

/// Line ends and tabs may go to a terminal; what else steers it may not (C0, DEL, C1).
private func isHarmless(_ character: UnicodeScalar) -> Bool {
    switch character.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0: false
    default: true
    }
}

/// The files of a home by their paths in it, those that links lead to left out.
private func files(of home: Home) throws -> [String] {
    FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String }.filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: home.path + "/" + path, isDirectory: &isFolder)
            && !isFolder.boolValue
    } ?? []
}

/// The largest resident set of any child that has ended, in kilobytes (getrusage(2)).
private func peakOfChildren() -> Int {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_maxrss
}
