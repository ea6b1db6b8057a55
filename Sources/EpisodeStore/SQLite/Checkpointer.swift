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

    private let dueCount: Int
    private let overdueCount: Int

    /// - Parameters:
    ///   - dueCount: Pages in the log from which on they are moved.
    ///   - overdueCount: Pages from which on the writer waits for that: the log begins anew only when all of it has been
    ///     moved, and while the writer goes on there is always something left.
    init(path: String, dueCount: Int = 1000, overdueCount: Int = 8000) {
        self.path = path
        self.dueCount = dueCount
        self.overdueCount = overdueCount
    }

    /// Takes note of the length of the log after a commit.
    func logHasGrown(to pageCount: Int, of writer: OpaquePointer) {
        if pageCount >= overdueCount {
            Self.moveLog(of: writer)
        } else if pageCount >= dueCount,
            isRunning.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        {
            queue.async { [self] in
                if let connection = try? Connection(path: path, access: .readWrite) {
                    Self.moveLog(of: connection.handle)
                }
                isRunning.store(false, ordering: .relaxed)
            }
        }
    }

    /// Waits for what runs, so that the writer is the last to close the database.
    func finish() {
        queue.sync {}
    }

    private static func moveLog(of handle: OpaquePointer) {
        // What cannot be moved now stays in the log, where all find it, and is tried again after the next commit.
        _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}
