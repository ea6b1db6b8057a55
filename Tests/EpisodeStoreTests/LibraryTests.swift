import Foundation
import Testing

@testable import EpisodeStore

/// Opening, closing and sharing real files.
@Suite(.timeLimit(.minutes(5))) struct LibraryTests {
    @Test func `a reader finds no library where there is none`() throws {
        let folder = try ScratchFolder()
        #expect(throws: StoreError.notFound(path: folder.database)) {
            try Library(path: folder.database, mode: .readOnly)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.database))
    }

    @Test func `an empty file is a library that nobody has written to yet`() throws {
        let folder = try ScratchFolder()
        try Data().write(to: URL(filePath: folder.database))
        #expect(throws: StoreError.notFound(path: folder.database)) {
            try Library(path: folder.database, mode: .readOnly)
        }
    }

    @Test func `what was stored is there after opening again`() async throws {
        let folder = try ScratchFolder()
        do {
            let library = try Library(path: folder.database)
            let feed = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
            _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(1))
        }
        let reader = try Library(path: folder.database, mode: .readOnly)
        #expect(try await reader.episodes(EpisodeQuery()).map(\.title) == ["Part 1"])
        #expect(try await reader.integrityCheck() == [])
    }

    @Test func `only the owner may read the file`() throws {
        let folder = try ScratchFolder()
        _ = try Library(path: folder.database)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.database)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `a database of a newer version is refused and left alone`() throws {
        let folder = try ScratchFolder()
        _ = try Library(path: folder.database)
        let newer = Library.schemaVersion + 1
        try Connection(path: folder.database, access: .readWrite).execute("PRAGMA user_version = \(newer)")
        for mode in [Library.Mode.readWrite, .readOnly] {
            #expect(throws: StoreError.newerVersion(found: newer, supported: Library.schemaVersion)) {
                try Library(path: folder.database, mode: mode)
            }
        }
    }

    @Test func `the database of another program is refused`() throws {
        let folder = try ScratchFolder()
        try Connection(path: folder.database, access: .readWrite).execute("CREATE TABLE song (title TEXT)")
        #expect(throws: StoreError.self) { try Library(path: folder.database) }
    }

    @Test(arguments: ["PRAGMA user_version = 0", "PRAGMA user_version = -1", "PRAGMA application_id = 7"])
    func `a library that lost its mark or number is refused, not taken for an empty one`(_ change: String)
        throws
    {
        let folder = try ScratchFolder()
        _ = try Library(path: folder.database)
        try Connection(path: folder.database, access: .readWrite).execute(change)
        for mode in [Library.Mode.readWrite, .readOnly] {
            #expect {
                try Library(path: folder.database, mode: mode)
            } throws: { error in
                guard case .damaged(let message) = error as? StoreError else { return false }
                return message.hasPrefix(folder.database)
            }
        }
    }

    @Test func `a table that somebody took away is damage`() async throws {
        let folder = try ScratchFolder()
        let library = try Library(path: folder.database)
        let feed = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(1))
        try Connection(path: folder.database, access: .readWrite).execute("DROP TABLE journal")
        await #expect {
            try await library.journal(of: 1)
        } throws: { error in
            guard case .damaged(let message) = error as? StoreError else { return false }
            return message.contains("no such table")
        }
        #expect(try await library.integrityCheck().contains("the table journal is gone"))
    }

    @Test func `a library that may be written again has its log files follow`() throws {
        let folder = try ScratchFolder()
        _ = try Library(path: folder.database)
        let files = ["", "-wal", "-shm"].map { folder.database + $0 }
        for file in files {
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.database)
        _ = try Library(path: folder.database)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
        }
    }

    @Test func `a file that is no database is reported as damaged`() throws {
        let folder = try ScratchFolder()
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: folder.database))
        #expect(throws: StoreError.damaged(message: "\(folder.database): file is not a database")) {
            try Library(path: folder.database)
        }
        #expect(throws: StoreError.damaged(message: "\(folder.database): file is not a database")) {
            try Library(path: folder.database, mode: .readOnly)
        }
    }

    @Test func `a truncated database is reported as damaged`() async throws {
        let folder = try ScratchFolder()
        do {
            let library = try Library(path: folder.database)
            let feed = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
            _ = try await library.recordRefresh(of: feed, document((1...500).map { item($0) }), now: day(1))
        }
        let bytes = try Data(contentsOf: URL(filePath: folder.database))
        try bytes[..<(bytes.count / 2)].write(to: URL(filePath: folder.database))
        #expect(await damage(of: folder.database) != [])
    }

    /// What an integrity check finds; `nil` where the library cannot even be opened.
    private func damage(of path: String) async -> [String]? {
        try? await Library(path: path).integrityCheck()
    }

    @Test func `a writer does not disturb a reader, who sees what was committed`() async throws {
        let folder = try ScratchFolder()
        let writer = try Library(path: folder.database)
        _ = try await writer.addFeed(NewFeed(url: "https://a.example"), now: day(0))
        let reader = try Library(path: folder.database, mode: .readOnly)
        let other = try Connection(path: folder.database, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE; UPDATE feed SET title = 'half-written'")
        #expect(try await reader.feeds().map(\.title) == ["a.example"])
        try other.execute("COMMIT")
        #expect(try await reader.feeds().map(\.title) == ["half-written"])
    }

    @Test func `a reader does not disturb a writer`() async throws {
        let folder = try ScratchFolder()
        let writer = try Library(path: folder.database)
        let reader = try Connection(path: folder.database, access: .readOnly)
        try reader.execute("BEGIN; SELECT * FROM feed")
        _ = try await writer.addFeed(NewFeed(url: "https://a.example"), now: day(0))
        #expect(try await writer.feeds().count == 1)
        try reader.execute("COMMIT")
    }

    @Test func `a reader cannot write`() async throws {
        let folder = try ScratchFolder()
        _ = try Library(path: folder.database)
        let reader = try Library(path: folder.database, mode: .readOnly)
        await #expect(throws: StoreError.readOnly) {
            try await reader.addFeed(NewFeed(url: "https://a.example"), now: day(0))
        }
    }

    @Test func `a library is read where there is no place for the shared memory`() async throws {
        let folder = try ScratchFolder()
        do {
            _ = try await Library(path: folder.database).addFeed(
                NewFeed(url: "https://a.example"), now: day(0))
        }
        try folder.removeLogFiles()
        // SQLite follows no link: it cannot make the file, as on a read-only file system.
        try FileManager.default.createSymbolicLink(
            atPath: folder.database + "-wal", withDestinationPath: "/nowhere")
        let reader = try Library(path: folder.database, mode: .readOnly)
        #expect(try await reader.feeds().map(\.title) == ["a.example"])
    }

    @Test func `a log that cannot be read with the library is not passed over`() async throws {
        let folder = try ScratchFolder()
        do {
            _ = try await Library(path: folder.database).addFeed(
                NewFeed(url: "https://a.example"), now: day(0))
        }
        try folder.removeLogFiles()
        try Data(count: 10).write(to: URL(filePath: folder.database + "-wal"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.database + "-shm", withDestinationPath: "/nowhere")
        #expect(throws: StoreError.readOnly) { try Library(path: folder.database, mode: .readOnly) }
    }

    @Test func `the log's files stay, the log empty, so that a full disk does not lock the library`()
        async throws
    {
        let folder = try ScratchFolder()
        do {
            _ = try await Library(path: folder.database).addFeed(
                NewFeed(url: "https://a.example"), now: day(0))
        }
        let log = try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")
        #expect((log[.size] as? NSNumber)?.intValue == 0)
        let memory = try FileManager.default.attributesOfItem(atPath: folder.database + "-shm")
        #expect((memory[.size] as? NSNumber)?.intValue ?? 0 > 0)
    }

    @Test func `two processes that open a new library at once both get it`() async throws {
        let folder = try ScratchFolder()
        let path = folder.database
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let library = try Library(path: path)
                    let feed = try await library.addFeed(
                        NewFeed(url: "https://\(number).example"), now: day(0)
                    ).id
                    let outcome = try await library.recordRefresh(
                        of: feed, document([item(2), item(1)]), now: day(3))
                    return outcome.newEpisodes.count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 2, count: 8))
        let library = try Library(path: path)
        #expect(try await library.feeds().count == 8)
        #expect(try await library.episodes(EpisodeQuery()).count == 16)
        #expect(try await library.integrityCheck() == [])
    }

    @Test func `two processes that sync at once store each episode once`() async throws {
        let folder = try ScratchFolder()
        let path = folder.database
        let first = try Library(path: path)
        let feed = try await first.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let library = try Library(path: path)
                    let news = document((1...40).reversed().map { item($0) })
                    return try await library.recordRefresh(of: feed, news, now: day(50)).newEpisodes.count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(added == 40)
        #expect(try await first.feed(feed)?.episodeCount == 40)
    }

    @Test func `each download is claimed by one of two processes`() async throws {
        let folder = try ScratchFolder()
        let path = folder.database
        let first = try Library(path: path)
        let feed = try await first.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
        _ = try await first.recordRefresh(of: feed, document((1...20).map { item($0) }), now: day(30))
        let ids = try await first.episodes(EpisodeQuery()).map(\.id)
        _ = try await first.enqueue(ids, origin: .user, now: day(30))
        let claims = try await withThrowingTaskGroup(of: Int.self) { group in
            for owner in 1...4 as ClosedRange<Int32> {
                group.addTask {
                    let library = try Library(path: path)
                    var claimed = 0
                    for id in ids where try await library.markActive(id, owner: owner, now: day(31)) {
                        claimed += 1
                    }
                    return claimed
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(claims == 20)
    }

    @Test func `a crash in the middle of a transaction leaves the last committed state`() async throws {
        let folder = try ScratchFolder()
        let library = try Library(path: folder.database)
        _ = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0))
        let crashing = try Connection(path: folder.database, access: .readWrite)
        // A cache of few pages makes SQLite write to the log before the commit.
        try crashing.execute(
            """
            PRAGMA cache_size = 4; BEGIN IMMEDIATE;
            WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 2000)
            INSERT INTO feed (slug, url, title, subscribed_at)
            SELECT 'slug' || value, 'url' || value, printf('%200d', value), 0 FROM number
            """)
        let crashed = try ScratchFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.database + suffix, toPath: crashed.database + suffix)
        }
        let wal = try FileManager.default.attributesOfItem(atPath: crashed.database + "-wal")
        #expect((wal[.size] as? NSNumber)?.intValue ?? 0 > 400_000, "the log holds what was not committed")
        let survivor = try Library(path: crashed.database)
        #expect(try await survivor.feeds().map(\.title) == ["a.example"])
        #expect(try await survivor.integrityCheck() == [])
        try crashing.execute("ROLLBACK")
    }

    @Test func `a copy of a library in use is whole`() async throws {
        let folder = try ScratchFolder()
        let library = try Library(path: folder.database)
        let feed = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(1))
        try await library.backup(to: folder.path + "/copy.db")
        let copy = try Library(path: folder.path + "/copy.db", mode: .readOnly)
        #expect(try await copy.episodes(EpisodeQuery()).map(\.title) == ["Part 1"])
    }

    @Test func `a full disk changes nothing`() async throws {
        let folder = try ScratchFolder()
        let library = try Library(path: folder.database)
        let feed = try await library.addFeed(NewFeed(url: "https://a.example"), now: day(0)).id
        try await library.limitPages()
        await #expect(throws: StoreError.full) {
            try await library.recordRefresh(of: feed, document((1...2000).map { item($0) }), now: day(1))
        }
        #expect(try await library.episodes(EpisodeQuery()) == [])
        #expect(try await library.feed(feed)?.lastSucceeded == nil)
    }
}

extension Library {
    /// Lets the file grow no further, as if the disk were full.
    fileprivate func limitPages() throws {
        let count: Int? = try connection.value("PRAGMA page_count")
        try connection.execute("PRAGMA max_page_count = \(count ?? 1)")
    }
}
