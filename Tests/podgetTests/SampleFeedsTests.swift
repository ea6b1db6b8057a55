import Foundation
import Testing

@testable import podget

/// The sample feeds, as `scripts/quickstart` uses them.
@Suite(.timeLimit(.minutes(5)))
struct SampleFeedsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Samples/feeds").path

    private func syncedHome() async throws -> TestHome {
        let home = try TestHome()
        for name in [
            "tea-and-trains.xml", "low-water.xml", "field-notes.atom", "workshop-letters.json",
            "morning-briefing.json", "broken.xml",
        ] {
            let outcome = await home.podget("subscribe", Self.folder + "/" + name)
            #expect(outcome.code == .done, "\(name): \(outcome.errors)")
        }
        let synced = await home.podget("sync", "--offline")
        #expect(synced.code == .done, "\(synced.errors)")
        return home
    }

    @Test func `every format yields its newest episode, whole and with its own extension`() async throws {
        let home = try await syncedHome()
        #expect(
            home.mediaFiles()
                == [
                    "Broken & Loved Radio/2026-11-24 Half the feed is missing, this is not … really.mp3",
                    "Field Notes/2026-11-22 A recording, described instead of played.ogg",
                    "Letters from the Workshop/2026-11-18 Glue.mp3",
                    "Low Water/2026-11-21 The harbour.m4a",
                    "Morning Briefing/2026-11-24 Do heat pumps work in old houses .mp3",
                    "Tea & Trains/2026-11-20 Night trains, all aboard.mp3",
                ].map { $0.replacing(" .mp3", with: ".mp3") })
        let copy = try Data(
            contentsOf: URL(filePath: home.library + "/Letters from the Workshop/2026-11-18 Glue.mp3"))
        #expect(copy == (try Data(contentsOf: URL(filePath: Self.folder + "/media/glue.mp3"))))
    }

    @Test func `the episode that is still being made is not downloadable`() async throws {
        let home = try await syncedHome()
        let listed = await home.podget("episodes", "morning-briefing", "--limit", "1")
        #expect(listed.output.contains("Why is the sea salty?"))
        #expect(listed.output.contains("no file"))
    }

    @Test func `the live item is no episode`() async throws {
        let home = try await syncedHome()
        #expect(await home.podget("episodes", "low-water").output.contains("Carols") == false)
    }

    @Test func `every playlist plays`() async throws {
        let home = try await syncedHome()
        let playlists = [home.library + "/podget.m3u8", home.library + "/Low Water/Low Water.m3u8"]
        for playlist in playlists {
            let folder = (playlist as NSString).deletingLastPathComponent
            let lines = try home.read(playlist).split(separator: "\n").map(String.init)
            let paths = lines.filter { !$0.hasPrefix("#") }
            #expect(!paths.isEmpty)
            for path in paths {
                #expect(FileManager.default.isReadableFile(atPath: folder + "/" + path), "\(path)")
                if let duration = try duration(ofFile: folder + "/" + path) { #expect(duration > 1) }
            }
        }
        let all = try home.read(playlists[0]).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(all.count == 6)
    }

    /// The length in seconds that ffprobe reads; nil where it is not installed.
    private func duration(ofFile path: String) throws -> Double? {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe") else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/ffprobe")
        process.arguments = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return Double(text.filter { !$0.isWhitespace }) ?? 0
    }
}
