import EpisodeStore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct BackupsTests {
    private func library(in folder: ScratchFolder) async throws -> Library {
        let library = try Library(path: folder.database)
        _ = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0))
        return library
    }

    @Test func `one copy a day is made and three are kept`() async throws {
        let folder = try ScratchFolder()
        let library = try await library(in: folder)
        let backups = Backups(folder: folder.path + "/backups")
        for hour in stride(from: 0.0, to: 5, by: 0.25) {
            try await backups.makeDaily(of: library, now: day(hour))
        }
        let names = backups.all().map { $0.split(separator: "/").last ?? "" }
        #expect(names == ["podget-2024-01-06.db", "podget-2024-01-05.db", "podget-2024-01-04.db"])
    }

    @Test func `a copy that was cut short is never offered`() async throws {
        let folder = try ScratchFolder()
        let library = try await library(in: folder)
        let backups = Backups(folder: folder.path)
        try Data(count: 100).write(to: URL(filePath: folder.path + "/podget-2024-01-02.db.part"))
        #expect(backups.all() == [])
        #expect(
            try await backups.makeDaily(of: library, now: day(1)) == folder.path + "/podget-2024-01-02.db")
        #expect(await backups.newestSound() == folder.path + "/podget-2024-01-02.db")
    }

    @Test func `a damaged library is set aside and the newest sound copy restored`() async throws {
        let folder = try ScratchFolder()
        let backups = Backups(folder: folder.path)
        do {
            let library = try await library(in: folder)
            try await backups.makeDaily(of: library, now: day(1))
            try await backups.makeDaily(of: library, now: day(2))
        }
        let garbage = Data(repeating: 7, count: 50_000)
        try garbage.write(to: URL(filePath: folder.path + "/podget-2024-01-03.db"))
        try garbage.write(to: URL(filePath: folder.database))
        #expect(throws: StoreError.self) { try Library(path: folder.database) }

        let aside = try Library.setAside(folder.database, now: day(3))
        #expect(try Data(contentsOf: URL(filePath: aside)) == garbage)
        let sound = try #require(await backups.newestSound())
        #expect(sound == folder.path + "/podget-2024-01-02.db")
        try Library.restore(from: sound, to: folder.database)
        #expect(try await Library(path: folder.database).feeds().map(\.title) == ["a.example"])
    }

    @Test func `a restored copy never replaces a library`() async throws {
        let folder = try ScratchFolder()
        let library = try await library(in: folder)
        let copy = folder.path + "/copy.db"
        try await library.backup(to: copy)
        #expect(throws: StoreError.self) { try Library.restore(from: copy, to: folder.database) }
    }
}
