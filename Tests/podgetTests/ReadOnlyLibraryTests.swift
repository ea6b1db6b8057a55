import Foundation
import Testing

@testable import podget

/// A library that may be looked at and not changed, as on a backup disk or in another user's home.
@Suite(.timeLimit(.minutes(5)))
struct ReadOnlyLibraryTests {
    private static let mayTry = geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0

    /// Runs the real program as somebody who may only read the home; root may write anywhere, so it becomes nobody.
    private func run(_ words: [String], in home: TestHome) async throws -> (code: Int32, output: String) {
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/podget"
        let process = Process()
        let isRoot = geteuid() == 0
        process.executableURL = URL(filePath: isRoot ? "/usr/bin/setpriv" : built)
        process.arguments =
            (isRoot ? ["--reuid=65534", "--regid=65534", "--clear-groups", home.path + "/podget"] : [])
            + words
        process.environment = ["PODGET_HOME": home.path + "/home", "HOME": home.path, "LANG": "C"]
        let output = home.path + "/output"
        try Data().write(to: URL(filePath: output))
        let file = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        try process.run()
        let code = await ends.first { _ in true } ?? -1
        return (code, try home.read(output))
    }

    @Test(.enabled(if: mayTry, "root without setpriv cannot give up its rights"))
    func `a library on a read-only disk is read, and a change is refused in one line`() async throws {
        let home = try TestHome()
        let feedFile = try home.write(
            feed("Show", [FeedItem(title: "Part 1", guid: "1", url: "1.mp3", day: 1)]), to: "feed.xml")
        #expect(await home.run(["--home", home.path + "/home", "subscribe", feedFile]).code == .done)
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/podget"
        try FileManager.default.copyItem(atPath: built, toPath: home.path + "/podget")
        let data = home.path + "/home/data"
        if geteuid() == 0 {
            #expect(chown(data, 65534, 65534) == 0)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: data)
        where name.hasPrefix("podget.db") {
            let path = data + "/" + name
            if geteuid() == 0 { #expect(chown(path, 65534, 65534) == 0) }
            #expect(chmod(path, 0o400) == 0)
        }
        #expect(chmod(data, 0o555) == 0)
        defer { _ = chmod(data, 0o755) }

        for words in [["feeds"], ["episodes"], ["why", "1"], ["doctor"], ["sync", "--dry-run"]] {
            let outcome = try await run(words, in: home)
            #expect(outcome.code == 0, "\(words): \(outcome.output)")
            #expect(outcome.output.contains("Show") || words == ["doctor"], "\(words): \(outcome.output)")
        }
        for words in [["mark", "played", "1"], ["sync"], ["set", "show", "latest", "3"]] {
            let outcome = try await run(words, in: home)
            #expect(outcome.code == 1)
            #expect(outcome.output == "podget: the library cannot be written to\n")
        }
    }
}
