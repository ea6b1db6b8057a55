import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite struct ConnectionTests {
    @Test func `values come back as they went in`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try connection.execute("CREATE TABLE value (text TEXT, number INTEGER, real REAL) STRICT")
        for text in ["", "a\0b", "Zug 🚂", nil] {
            try connection.run("DELETE FROM value")
            try connection.run("INSERT INTO value VALUES (?1, ?2, ?3)", text, Int64.min, 0.5)
            let row = try connection.first("SELECT text, number, real FROM value") { row throws(StoreError) in
                (text: row.next() as String?, number: row.next() as Int64, real: row.next() as Double)
            }
            #expect(row?.text == text)
            #expect(row?.number == .min)
            #expect(row?.real == 0.5)
        }
    }

    @Test func `dates and durations are kept to the second and the millisecond`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        let date: Date? = try connection.value("SELECT ?1", Date(timeIntervalSince1970: 1_700_000_000.9))
        #expect(date == Date(timeIntervalSince1970: 1_700_000_000))
        let duration: Duration? = try connection.value("SELECT ?1", Duration.microseconds(1_234_567))
        #expect(duration == .milliseconds(1234))
        let endless: Duration? = try connection.value("SELECT ?1", Duration.seconds(Int64.min))
        #expect(endless == .seconds(-3_155_760_000_000))
    }

    @Test func `an error tells the code, the words and the statement`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        #expect(
            throws: StoreError.sqlite(
                SQLiteError(code: 1, message: "near \"here\": syntax error", sql: "SELECT 1 FRM here"))
        ) {
            try connection.run("SELECT 1 FRM here")
        }
    }

    @Test func `a transaction that throws leaves nothing behind`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try connection.execute("CREATE TABLE value (number INTEGER UNIQUE) STRICT")
        #expect(throws: StoreError.self) {
            try connection.transaction(.full) { () throws(StoreError) in
                try connection.run("INSERT INTO value VALUES (1)")
                try connection.run("INSERT INTO value VALUES (1)")
            }
        }
        let count: Int? = try connection.value("SELECT count(*) FROM value")
        #expect(count == 0)
        try connection.transaction(.normal) { () throws(StoreError) in
            _ = try connection.run("INSERT INTO value VALUES (1)")
        }
    }

    @Test func `a locked database is busy, not broken`() throws {
        let folder = try ScratchFolder()
        let first = try Connection(path: folder.database, access: .readWrite)
        let second = try Connection(path: folder.database, access: .readWrite)
        try second.setBusyTimeout(milliseconds: 1)
        try first.execute("BEGIN IMMEDIATE")
        #expect(throws: StoreError.busy) {
            try second.transaction(.full) { () throws(StoreError) in }
        }
        try first.execute("COMMIT")
    }

    @Test func `the file can neither change its schema nor be read with functions of its own`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: StoreError.self) { try connection.execute("DELETE FROM sqlite_schema") }
        #expect(throws: StoreError.self) { try connection.execute("SELECT \"no such column\"") }
    }

    @Test func `a read-only file is read without a place for locks`() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/odd name?%#ü.db"
        do {
            let writer = try Connection(path: path, access: .readWrite)
            try writer.execute(
                "PRAGMA journal_mode = WAL; CREATE TABLE value (number INTEGER); INSERT INTO value VALUES (7)"
            )
        }
        let reader = try Connection(path: path, access: .immutable)
        let number: Int? = try reader.value("SELECT number FROM value")
        #expect(number == 7)
    }
}
