import Foundation
import Testing

@testable import EpisodeStore

@Suite struct CheckpointerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "podget-test-\(UUID().uuidString)"
    ).path
    private var path: String { folder + "/podget.db" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func byteCount(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test(arguments: [(20, .max), (.max, 100)] as [(Int, Int)])
    func `the log is moved into the database, beside its writer or by it, and does not grow without end`(
        dueCount: Int, overdueCount: Int
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE page (text TEXT) STRICT")
        let checkpointer = Checkpointer(path: path, dueCount: dueCount, overdueCount: overdueCount)
        connection.checkpointBesideWriter(checkpointer)
        let text = String(repeating: "x", count: 4000)
        for _ in 0..<200 {
            _ = try connection.transaction(.normal) { () throws(StoreError) in
                for _ in 0..<5 { try connection.run("INSERT INTO page VALUES (?1)", text) }
            }
            checkpointer.finish()
        }
        // A thousand pages were written; each takes 24 bytes more in the log than in the database.
        #expect(try byteCount(path + "-wal") < 130 * 4120)
        #expect(try byteCount(path) > 900 * 4096)
        let other = try Connection(path: path, access: .readOnly)
        #expect(try other.value("SELECT count(*) FROM page") == 1000)
        #expect(try other.value("PRAGMA integrity_check") == "ok")
    }

    @Test func `a writer who does not wait for it loses nothing, and others find everything`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = String(repeating: "x", count: 4000)
        do {
            let connection = try Connection(path: path, access: .readWrite)
            try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE page (text TEXT) STRICT")
            try connection.execute("PRAGMA synchronous = NORMAL")
            connection.checkpointBesideWriter(Checkpointer(path: path, dueCount: 5, overdueCount: 50))
            let reader = try Connection(path: path, access: .readOnly)
            for count in 1...300 {
                try connection.run("INSERT INTO page VALUES (?1)", text)
                #expect(try reader.value("SELECT count(*) FROM page") == count)
            }
        }
        #expect(try byteCount(path) > 300 * 4096)
        let reader = try Connection(path: path, access: .readOnly)
        #expect(try reader.value("PRAGMA integrity_check") == "ok")
        #expect(try reader.value("SELECT count(*) FROM page") == 300)
    }

    @Test func `opening the database once more leaves the locks of this process alone`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Connection(path: path, access: .readWrite)
        try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE page (text TEXT) STRICT")
        try first.run("INSERT INTO page VALUES ('a')")
        let locks = try lockCount()
        #expect(locks > 0)
        _ = try Connection(path: path, access: .readWrite)
        #expect(try lockCount() == locks)
    }

    /// The locks that this process holds on the database, as the kernel lists them.
    private func lockCount() throws -> Int {
        let inode = try #require(
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .count { $0.contains(":\(inode) ") }
    }
}
