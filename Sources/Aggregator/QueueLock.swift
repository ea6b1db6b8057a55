import Glibc

/// The lock that lets one process at a time drain the download queue.
///
/// It is `flock` on a file beside the database: the system lets go of it when the process ends, however it ends.
struct QueueLock: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing gives the lock back; there is nothing to do about a failure at that point.
        _ = close(descriptor)
    }

    /// Lets the next process have the queue.
    consuming func giveBack() {}

    /// Whether a process drains the queue now.
    static func isHeld(at path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        // A failed close of a file only looked at loses nothing; it gives the shared lock back.
        defer { _ = close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Takes the lock, or returns nil where another process holds it.
    static func take(at path: String) throws(AggregatorError) -> QueueLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw systemError(path) }
        var looks = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK, looks < 5 {
                // `isHeld` of another process holds it too, for a moment.
                looks += 1
                usleep(2000)
                continue
            }
            let isHeld = errno == EWOULDBLOCK
            let error = systemError(path)
            _ = close(descriptor)
            if isHeld { return nil }
            throw error
        }
        return QueueLock(descriptor: descriptor)
    }
}
