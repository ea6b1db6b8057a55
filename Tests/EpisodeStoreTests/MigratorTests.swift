import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite(.timeLimit(.minutes(1))) struct MigratorTests {
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
}
