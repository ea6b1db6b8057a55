import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
    private let songs = [
        Migration(version: 1, name: "songs", sql: "CREATE TABLE song (title TEXT) STRICT"),
        Migration(version: 2, name: "singers", sql: "ALTER TABLE song ADD COLUMN singer TEXT"),
    ]

    @Test func `the versions have no gaps and only grow`() {
        #expect(Migration.all.map(\.version) == Array(1...Migration.all.count))
    }

    @Test func `steps that are missing are made in order, after a copy of the file`() throws {
        let folder = try ScratchFolder()
        let connection = try Connection(path: folder.database, access: .readWrite)
        try Migrator(connection: connection, path: folder.database, migrations: [songs[0]]).migrate()
        try connection.run("INSERT INTO song (title) VALUES (?1)", "Night train")
        #expect(!FileManager.default.fileExists(atPath: folder.database + ".v1"))

        try Migrator(connection: connection, path: folder.database, migrations: songs).migrate()
        let version: Int? = try connection.value("PRAGMA user_version")
        #expect(version == 2)
        let kept: Int? = try connection.value("SELECT count(*) FROM song WHERE singer IS NULL")
        #expect(kept == 1)

        let copy = try Connection(path: folder.database + ".v1", access: .readOnly)
        let copied: Int? = try copy.value("SELECT count(*) FROM song")
        let copiedVersion: Int? = try copy.value("PRAGMA user_version")
        #expect(copied == 1)
        #expect(copiedVersion == 1)
    }

    @Test func `a step that fails leaves the version before it`() throws {
        let folder = try ScratchFolder()
        let connection = try Connection(path: folder.database, access: .readWrite)
        let broken = Migration(
            version: 3, name: "broken", sql: "CREATE TABLE band (name TEXT); INSERT INTO nowhere VALUES (1)")
        #expect(throws: StoreError.self) {
            try Migrator(connection: connection, path: folder.database, migrations: songs + [broken])
                .migrate()
        }
        let version: Int? = try connection.value("PRAGMA user_version")
        let tables: [String] = try connection.rows("SELECT name FROM sqlite_schema ORDER BY name") {
            $0.next()
        }
        #expect(version == 2)
        #expect(tables == ["song"])
    }

    @Test func `a library of version 1 is searchable after opening`() async throws {
        let folder = try ScratchFolder()
        _ = try libraryOfVersion1(folder.database)
        // A reader brings it up to date as well.
        let library = try Library(path: folder.database, mode: .readOnly)
        #expect(try await library.search("rails").map(\.episode.title) == ["Sleepers"])
        #expect(FileManager.default.fileExists(atPath: folder.database + ".v1"))
    }

    @Test(arguments: 1..<Library.schemaVersion)
    func `a library of every earlier version becomes what a new one is, with a copy of what it was`(
        _ version: Int
    ) async throws {
        let folder = try ScratchFolder()
        do {
            let old = try Connection(path: folder.database, access: .readWrite)
            let steps = Migration.all.filter { $0.version <= version }
            try Migrator(connection: old, path: folder.database, migrations: steps).migrate()
            try old.execute(
                """
                INSERT INTO feed (id, slug, url, title, subscribed_at)
                VALUES (3, 'trains', 'https://a.example', 'Trains', 0)
                """)
        }
        let library = try Library(path: folder.database)
        #expect(try await library.feeds().map(\.title) == ["Trains"])
        #expect(try await library.integrityCheck() == [])
        let new = try ScratchFolder()
        _ = try Library(path: new.database)
        #expect(try schema(of: folder.database) == schema(of: new.database))
        #expect(try await Library(path: folder.database + ".v\(version)").feeds().count == 1)
    }

    /// Every table, index and view with its columns, by name.
    private func schema(of path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows(
            """
            SELECT type || ' ' || schema.name || ' ' || coalesce(
                (SELECT group_concat(name || ' ' || type) FROM pragma_table_info(schema.name)), '')
            FROM sqlite_schema AS schema ORDER BY schema.name
            """
        ) { $0.next() }
    }

    @Test func `a library of version 2 keeps its next checks, whose reasons are not known`() async throws {
        let folder = try ScratchFolder()
        let old = try Connection(path: folder.database, access: .readWrite)
        try Migrator(connection: old, path: folder.database, migrations: [.library, .search]).migrate()
        try old.execute(
            """
            INSERT INTO feed (id, slug, url, title, subscribed_at, next_check)
            VALUES (1, 'trains', 'https://a.example', 'Trains', 0, 86400)
            """)
        let feed = try await Library(path: folder.database).feed(1)
        #expect(feed?.nextCheck == Date(timeIntervalSince1970: 86_400))
        #expect(feed?.nextCheckReason == nil)
    }

    @Test func `power lost in a migration leaves the version before it, which migrates again`() async throws {
        let folder = try ScratchFolder()
        let old = try libraryOfVersion1(folder.database)
        try old.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        try old.execute(Migration.search.sql)
        try old.execute("PRAGMA user_version = 2")
        let crashed = try ScratchFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.database + suffix, toPath: crashed.database + suffix)
        }
        let library = try Library(path: crashed.database)
        #expect(try await library.search("rails").map(\.episode.title) == ["Sleepers"])
        #expect(try await library.integrityCheck() == [])
    }

    private func libraryOfVersion1(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, access: .readWrite)
        try Migrator(connection: connection, path: path, migrations: [.library]).migrate()
        try connection.execute(
            """
            INSERT INTO feed (id, slug, url, title, subscribed_at)
            VALUES (1, 'trains', 'https://a.example', 'Trains', 0);
            INSERT INTO episode (id, feed_id, sort_date, first_seen, content_hash, is_listed,
                is_suspected_duplicate, is_old_news, is_new, is_downloadable, identity, title)
            VALUES (7, 1, 0, 0, 0, 1, 0, 1, 0, 1, 'new', 'Sleepers');
            INSERT INTO episode_detail (episode_id, summary) VALUES (7, 'Iron rails');
            """)
        return connection
    }
}
