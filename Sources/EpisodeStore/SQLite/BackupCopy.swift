internal import CSQLite

/// Copies a database that is in use, in a consistent state.
struct BackupCopy {
    private let source: Connection

    init(of source: Connection) {
        self.source = source
    }

    /// Writes the copy to a file, which is replaced if it exists.
    func write(to path: String) throws(StoreError) {
        let target = try Connection(path: path, access: .readWrite)
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_errcode(target.handle), sql: nil)
        }
        // All pages in one step: a reader's lock is held, and in WAL mode it stops no writer.
        let copied = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard copied == SQLITE_DONE else { throw target.error(copied, sql: nil) }
        try target.check(finished)
    }
}
