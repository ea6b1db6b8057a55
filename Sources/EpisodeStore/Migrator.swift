internal import CSQLite
internal import Glibc

/// Brings a database to the version of this program.
struct Migrator {
    /// Marks the file as ours: "podg" in `file`'s and SQLite's `application_id`.
    static let applicationID: Int64 = 0x706F_6467

    let connection: Connection
    let path: String
    var migrations = Migration.all

    private var supported: Int { migrations.last?.version ?? 0 }

    /// Refuses a file of a newer version or of another program; 0 is that of a file without any content.
    func check() throws(StoreError) -> Int {
        let found: Int = try connection.value("PRAGMA user_version") ?? 0
        let applicationID: Int64? = try connection.value("PRAGMA application_id")
        if applicationID == Self.applicationID {
            guard found <= supported else { throw .newerVersion(found: found, supported: supported) }
            if found > 0 { return found }
        }
        let tableCount: Int = try connection.value("SELECT count(*) FROM sqlite_schema") ?? 0
        guard tableCount == 0, found == 0 else {
            throw .damaged(
                message: applicationID == Self.applicationID
                    ? "\(path): its format has the number \(found), which no podget writes"
                    : "\(path) is the database of another program")
        }
        return found
    }

    func migrate() throws(StoreError) {
        let found = try check()
        guard found < supported else { return }
        if found == 0 {
            try prepareNewFile()
        } else {
            try BackupCopy(of: connection).write(to: "\(path).v\(found)")
        }
        for migration in migrations where migration.version > found {
            try apply(migration)
        }
    }

    private func apply(_ migration: Migration) throws(StoreError) {
        try connection.transaction(.full) { () throws(StoreError) in
            // Another process may have done it while this one waited for the lock.
            guard try check() < migration.version else { return }
            try connection.execute(migration.sql)
            try connection.execute("PRAGMA user_version = \(migration.version)")
        }
    }

    /// Sets what only an empty file can be given.
    ///
    /// Episodes with their notes measure one to three kilobytes: in pages of four, half the file would be air.
    private func prepareNewFile() throws(StoreError) {
        try connection.execute("PRAGMA page_size = 16384")
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
    }
}
