internal import CSQLite
internal import Dispatch
internal import Synchronization

/// Moves the pages of the log into the database beside its writer.
///
/// SQLite by itself does so within the commit that makes the log long, and the writer waits for the disk.
final class Checkpointer: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "checkpoint")
    private let isRunning = Atomic(false)
    /// The pages in the log when they were last begun to be moved.
    private let begunCount = Atomic(0)
    private let dueCount: Int
    private let overdueCount: Int

    /// - Parameters:
    ///   - dueCount: So many further pages in the log, of 16 KB each, have them moved.
    ///   - overdueCount: Pages in the log from which on the writer waits for that: the log begins anew only when all of it
    ///     has been moved, and while the writer goes on there is always something left.
    init(path: String, dueCount: Int = 500, overdueCount: Int = 2000) {
        self.path = path
        self.dueCount = dueCount
        self.overdueCount = overdueCount
    }

    /// Takes note of the length of the log after a commit.
    func logHasGrown(to pageCount: Int, of writer: OpaquePointer) {
        if pageCount >= overdueCount {
            // What cannot be moved now stays in the log, where all find it, and is tried again after the next commit.
            _ = sqlite3_wal_checkpoint_v2(writer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            return
        }
        // A log that has begun anew is shorter than it was.
        let begun = begunCount.load(ordering: .relaxed)
        guard pageCount - (pageCount < begun ? 0 : begun) >= dueCount,
            isRunning.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        else { return }
        begunCount.store(pageCount, ordering: .relaxed)
        queue.async { [self] in
            if let connection = try? Connection(path: path, access: .readWrite) {
                // As a statement, for a connection that has read nothing yet knows of no log.
                try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                // SQLite does so only when all of the log has been moved, and the writer would wait for everything then.
                _ = podget_sqlite_sync_database(connection.handle)
            }
            isRunning.store(false, ordering: .relaxed)
        }
    }

    /// Waits for what runs, so that the writer is the last to close the database.
    func finish() {
        queue.sync {}
    }
}
