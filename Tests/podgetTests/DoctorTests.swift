import EpisodeStore
import Foundation
import TestServer
import Testing

@testable import podget

/// A library after an accident: what the commands say, and what `doctor` mends.
@Suite(.timeLimit(.minutes(5)))
struct DoctorTests {
    private struct Diagnosis: Decodable {
        struct File: Decodable {
            let file: String
        }
        let damage: [String]
        let newestBackup: String?
        let setAside: String?
        let missing: [File]
        let returned: [File]
        let notRecorded: [File]
        let notOurs: [String]
        let stalePartials: [String]
        let repaired: Bool
    }

    /// A library with two episodes downloaded, and a copy of the day it was made on.
    private func library() async throws -> (DummyServer, TestHome) {
        let server = try DummyServer()
        let items = [2, 1].map {
            FeedItem(title: "Part \($0)", guid: "part-\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...3 { server.serve("/\(number).mp3", .pattern(100_000, etag: "\"\(number)\"")) }
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .done)
        return (server, home)
    }

    private func damage(_ home: TestHome) throws {
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: home.database))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: home.database + suffix) }
    }

    private func diagnosis(of home: TestHome, _ words: String...) async throws -> Diagnosis {
        try await home.run(["doctor", "--json"] + words).json(Diagnosis.self)
    }

    @Test func `a sound library is sound, and one that is not there is no fault`() async throws {
        let empty = try TestHome()
        #expect(await empty.podget("doctor").code == .done)
        #expect(await empty.podget("doctor", "--repair").code == .done)
        #expect(!FileManager.default.fileExists(atPath: empty.path + "/data"))
        let (server, home) = try await library()
        defer { server.stop() }
        let outcome = await home.podget("doctor")
        #expect(outcome.output == "\(home.database) is sound\n")
        #expect(outcome.code == .done)
    }

    @Test func `a damaged library is named with the way out, set aside, and the backup brought back`()
        async throws
    {
        let (server, home) = try await library()
        defer { server.stop() }
        try damage(home)
        for words in [["feeds"], ["sync"], ["storage"], ["subscribe", server.url("/feed.xml")]] {
            let outcome = await home.run(words)
            #expect(outcome.code == .failed)
            #expect(
                outcome.errors
                    == "podget: the library is damaged (\(home.database): file is not a database); "
                    + "'podget doctor --repair' brings back the newest backup\n")
        }
        let found = await home.podget("doctor")
        #expect(found.code == .failed)
        #expect(
            found.output.contains("\(home.database) is damaged: file is not a database\n"))
        #expect(found.output.contains("The newest sound backup is \(home.path)/data/backups/podget-"))

        let repaired = await home.podget("doctor", "--repair")
        #expect(repaired.code == .done)
        #expect(repaired.output.contains("It was set aside as \(home.database).damaged-"))
        let aside = try FileManager.default.contentsOfDirectory(atPath: home.path + "/data")
            .first { $0.hasPrefix("podget.db.damaged-") }
        let bytes = try Data(contentsOf: URL(filePath: home.path + "/data/" + (aside ?? "")))
        #expect(bytes == Data(repeating: 7, count: 100_000))
        #expect(await home.podget("storage").output.contains("Part 2"))
        #expect(await home.podget("doctor").code == .done)
        server.clearLog()
        #expect(await home.podget("sync").code == .done)
        #expect(server.requests.map(\.path) == ["/feed.xml"], "nothing is downloaded again")
    }

    @Test func `files that came after the backup are recorded again by their names`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        // After the copy of the day: one episode that the copy knows is fetched again, and one that it does not know.
        let items = [3, 2, 1].map {
            FeedItem(title: "Part \($0)", guid: "part-\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        await home.podget("sync")
        try home.write("mine", to: "Podcasts/Show/my notes.txt")
        #expect(home.mediaFiles().filter { $0.hasSuffix(".mp3") }.count == 3)
        try damage(home)

        let first = try await diagnosis(of: home, "--repair")
        #expect(first.repaired)
        #expect(first.notRecorded.isEmpty, "the copy does not know the third episode")
        #expect(first.notOurs.count == 2)
        await home.podget("refresh")
        let second = try await diagnosis(of: home, "--repair")
        #expect(second.notRecorded.map(\.file) == [home.library + "/Show/2026-11-03 Part 3.mp3"])
        #expect(second.notOurs == [home.library + "/Show/my notes.txt"])
        server.clearLog()
        await home.podget("sync")
        #expect(server.requests.map(\.path) == ["/feed.xml"], "nothing is downloaded again")
        #expect(try home.read(home.library + "/Show/my notes.txt") == "mine")
        #expect(await home.podget("why", "3").output.contains("its file was found in the library"))
        #expect(try home.read(home.library + "/podget.m3u8").contains("Part 3"))
    }

    @Test func `a library that vanished is brought back from its copy`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: home.database + suffix)
        }
        for words in [["feeds"], ["sync"]] {
            let outcome = await home.run(words)
            #expect(outcome.code == .failed)
            #expect(
                outcome.errors.hasPrefix("podget: \(home.database) is gone; 'podget doctor --repair' brings"))
        }
        #expect(await home.podget("doctor").code == .failed)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(await home.podget("episodes", "--state", "done").output.contains("Part 1"))
    }

    @Test func `where every copy is damaged too, a new library is begun all the same`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        let backups = home.path + "/data/backups"
        for name in try FileManager.default.contentsOfDirectory(atPath: backups) {
            try Data(repeating: 7, count: 50_000).write(to: URL(filePath: backups + "/" + name))
        }
        try damage(home)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(await home.podget("feeds").code == .done)
        #expect(home.mediaFiles().count == 2)
    }

    @Test func `without any copy a new library is begun, and the files stay`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        try FileManager.default.removeItem(atPath: home.path + "/data/backups")
        try damage(home)
        let repaired = await home.podget("doctor", "--repair")
        #expect(repaired.output.contains("There is no sound backup; an empty library was begun\n"))
        #expect(home.mediaFiles().count == 2)
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        #expect(try await diagnosis(of: home, "--repair").notRecorded.count == 2)
        server.clearLog()
        await home.podget("sync")
        #expect(server.requests.map(\.path) == ["/feed.xml"])
    }

    @Test func `after a repair without any copy the next sync finds the files again`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        let files = home.mediaFiles()
        let backups = home.path + "/data/backups"
        for name in try FileManager.default.contentsOfDirectory(atPath: backups) where name.hasSuffix(".db") {
            try FileManager.default.removeItem(atPath: backups + "/" + name)
        }
        try damage(home)
        #expect(await home.podget("doctor", "--repair").output.contains("Subscribed again"))
        server.clearLog()
        let sync = await home.podget("sync")
        #expect(sync.errors.contains("2 files in the library recognised after its repair"))
        #expect(server.requests.map(\.path) == ["/feed.xml"], "nothing is fetched a second time")
        #expect(home.mediaFiles() == files)
        #expect(await home.podget("sync").errors.isEmpty)
        #expect(await home.podget("doctor").code == .done)
    }

    @Test func `missing files and partial downloads that nobody wants are found and mended`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        try FileManager.default.removeItem(atPath: home.library + "/Show/2026-11-01 Part 1.mp3")
        try home.write("half", to: "cache/resume/77.part")
        let found = try await diagnosis(of: home)
        #expect(found.missing.map(\.file) == [home.library + "/Show/2026-11-01 Part 1.mp3"])
        #expect(found.stalePartials == [home.resumeFolder + "/77.part"])
        #expect(!found.repaired)
        #expect(FileManager.default.fileExists(atPath: home.resumeFolder + "/77.part"))
        #expect(await home.podget("doctor").code == .failed)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(!FileManager.default.fileExists(atPath: home.resumeFolder + "/77.part"))
        #expect(await home.podget("episodes", "--state", "missing").output.contains("Part 1"))
        #expect(await home.podget("doctor").code == .done)
    }

    @Test(arguments: [false, true])
    func `where the library's disk is not mounted, nothing is missing, fetched or deleted`(
        hasMountPoint: Bool
    ) async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        try FileManager.default.moveItem(atPath: home.library, toPath: home.path + "/elsewhere")
        if hasMountPoint {
            try FileManager.default.createDirectory(atPath: home.library, withIntermediateDirectories: false)
        }
        let words =
            hasMountPoint
            ? "The library folder \(home.library) does not hold any of its 2 files"
            : "The library folder \(home.library) is not there"
        let outcome = await home.podget("doctor", "--repair")
        #expect(outcome.code == .failed)
        #expect(outcome.output.contains(words))
        #expect(outcome.output.contains("is its disk mounted?"))

        let items = [3, 2, 1].map {
            FeedItem(title: "Part \($0)", guid: "part-\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        await home.podget("set", "show", "keep", "1")
        server.clearLog()
        let sync = await home.podget("sync")
        #expect(sync.code == .partly)
        #expect((sync.output + sync.errors).contains("is its disk mounted?"))
        #expect(server.requests.map(\.path) == ["/feed.xml"], "the news are known, and not downloaded")
        for refused in [
            ["download", "3"], ["delete", "1"], ["clean"], ["unsubscribe", "show", "--delete-files"],
            ["adopt", home.path + "/elsewhere"],
        ] {
            let outcome = await home.run(refused)
            #expect(outcome.code == .failed, "\(refused)")
            #expect(outcome.errors.contains("is its disk mounted?"), "\(refused)")
        }
        #expect(FileManager.default.fileExists(atPath: home.library) == hasMountPoint)
        #expect(home.mediaFiles() == [])

        try? FileManager.default.removeItem(atPath: home.library)
        try FileManager.default.moveItem(atPath: home.path + "/elsewhere", toPath: home.library)
        #expect(await home.podget("doctor").code == .done)
        #expect(await home.podget("episodes", "--state", "done").output.contains("Part 1"))
        #expect(await home.podget("sync").code == .done)
        #expect(home.mediaFiles().map { $0.suffix(10) } == ["Part 3.mp3"], "the rules hold again")
    }

    @Test func `files that are gone with their whole library can be told to be gone`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        try FileManager.default.removeItem(atPath: home.library)
        #expect(await home.podget("doctor", "--files-gone").code == .usage)
        let outcome = await home.podget("doctor", "--repair", "--files-gone")
        #expect(outcome.code == .done)
        #expect(outcome.output.contains("Marked as missing: Show: Part 1"))
        #expect(await home.podget("sync").code == .done)
        #expect(await home.podget("download", "1").code == .done)
        #expect(home.mediaFiles() == ["Show/2026-11-01 Part 1.mp3"])
    }

    @Test func `a missing file that is back, whole, counts again, and half of it does not`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        let file = home.library + "/Show/2026-11-02 Part 2.mp3"
        let whole = try Data(contentsOf: URL(filePath: file))
        try FileManager.default.removeItem(atPath: file)
        #expect(await home.podget("sync").output.contains("Part 2"))
        #expect(await home.podget("episodes", "--state", "missing").output.contains("Part 2"))
        try whole.prefix(50_000).write(to: URL(filePath: file))
        await home.podget("sync")
        #expect(await home.podget("episodes", "--state", "missing").output.contains("Part 2"))
        try whole.write(to: URL(filePath: file))
        let found = try await diagnosis(of: home)
        #expect(found.returned.map(\.file) == [file])
        await home.podget("sync")
        #expect(await home.podget("episodes", "--state", "done").output.contains("Part 2"))
        #expect(await home.podget("why", "2").output.contains("the file is back"))
    }

    @Test func `an empty file is a missing one, and is fetched again under its name when asked for`()
        async throws
    {
        let (server, home) = try await library()
        defer { server.stop() }
        let file = home.library + "/Show/2026-11-02 Part 2.mp3"
        try Data().write(to: URL(filePath: file))
        #expect(try await diagnosis(of: home).missing.map(\.file) == [file])
        let id = try #require(try await home.podget("episodes", "--json").json([Listed].self).first?.id)
        #expect(await home.podget("download", "\(id)").code == .done)
        #expect(try Data(contentsOf: URL(filePath: file)).count == 100_000)
        #expect(home.mediaFiles().count == 2)
    }

    private struct Listed: Decodable { let id: Int }

    @Test func `a file that lost its end is told of and left alone`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        let file = home.library + "/Show/2026-11-02 Part 2.mp3"
        let part = try Data(contentsOf: URL(filePath: file)).prefix(40_000)
        try part.write(to: URL(filePath: file))
        for words in [["doctor"], ["doctor", "--repair"]] {
            let outcome = await home.run(words)
            #expect(outcome.code == .failed)
            #expect(outcome.output.contains("Smaller than it was: Show: Part 2, 40 kB of 100 kB"))
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == part)
    }

    @Test func `feeds and settings that came after the copy are brought back too`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        server.serve("/other.xml", .feed(feed("Other", [])))
        await home.podget("subscribe", server.url("/other.xml"))
        await home.podget("set", "show", "keep", "7")
        let list = home.path + "/data/backups/feeds.json"
        let mode = try FileManager.default.attributesOfItem(atPath: list)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try damage(home)
        let outcome = await home.podget("doctor", "--repair")
        #expect(outcome.output.contains("Subscribed again, as the backup did not know them: Other\n"))
        #expect(
            try await home.podget("feeds", "--json").json([Subscribed].self).map(\.slug) == ["other", "show"])
        #expect(await home.podget("set", "show", "keep").output.contains("7"))
    }

    private struct Subscribed: Decodable { let slug: String }

    @Test func `a library without any copy is begun anew with the feeds it had`() async throws {
        let server = try DummyServer()
        defer { server.stop() }
        server.serve("/feed.xml", .feed(feed("Show", [])))
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        try damage(home)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(await home.podget("feeds").output.contains("Show"))
    }

    @Test func `a copy without feeds is never made, and never preferred`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        // A copy of a later day without any feed, as an older version made one.
        let empty = try TestHome()
        try FileManager.default.createDirectory(
            atPath: empty.path + "/data", withIntermediateDirectories: true)
        _ = try Library(path: empty.database)
        try FileManager.default.moveItem(
            atPath: empty.database, toPath: home.path + "/data/backups/podget-2999-01-01.db")
        try damage(home)
        let outcome = await home.podget("doctor", "--repair")
        #expect(outcome.code == .done)
        #expect(!outcome.output.contains("2999"))
        #expect(await home.podget("storage").output.contains("Part 2"))
    }

    @Test func `a damaged page within the library is found`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        var bytes = try Data(contentsOf: URL(filePath: home.database))
        // The pages behind the first hold the tables; the file itself still opens.
        bytes.replaceSubrange(20_000..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 20_000))
        try bytes.write(to: URL(filePath: home.database))
        let found = try await diagnosis(of: home)
        #expect(!found.damage.isEmpty)
        #expect(found.newestBackup != nil)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(await home.podget("storage").output.contains("Part 2"))
    }

    @Test func `a library of a newer version is refused in one line and left alone`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        var bytes = try Data(contentsOf: URL(filePath: home.database))
        // The user version stands at byte 60 of the header (SQLite file format, section 1.3).
        bytes.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
        try bytes.write(to: URL(filePath: home.database))
        for words in [["feeds"], ["sync"], ["doctor"], ["doctor", "--repair"]] {
            let outcome = await home.run(words)
            #expect(outcome.code == .failed)
            #expect(
                outcome.errors.hasPrefix("podget: the library was written by a newer version (format 999,"))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try Data(contentsOf: URL(filePath: home.database)) == bytes)
    }

    @Test func `a library cut short is damaged, not empty`() async throws {
        let (server, home) = try await library()
        defer { server.stop() }
        let bytes = try Data(contentsOf: URL(filePath: home.database))
        try bytes[..<(bytes.count / 2)].write(to: URL(filePath: home.database))
        #expect(await home.podget("doctor").code == .failed)
        #expect(await home.podget("doctor", "--repair").code == .done)
        #expect(await home.podget("storage").output.contains("Part 2"))
    }
}
