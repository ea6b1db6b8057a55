import Glibc

/// Holds other processes off while something in a folder is read, changed and written back.
///
/// It is `flock` on the folder itself, so that nothing has to be created; the system lets go of it in any case.
struct FolderLock {
    private let descriptor: Int32

    /// Waits for the lock.
    init(_ folder: String) throws(AggregatorError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError(folder) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = systemError(folder)
                _ = close(descriptor)
                throw error
            }
        }
        self.descriptor = descriptor
    }

    func giveBack() {
        // Closing gives it back; there is nothing to do about a failure.
        _ = close(descriptor)
    }
}
