import EpisodeStore
import Glibc

/// How a recorded file lies on the disk.
enum FilePresence: Equatable {
    case there

    /// Gone, or left behind with no bytes by a file system that lost them.
    case missing

    /// Smaller than it was recorded: cut off, or rewritten by another program.
    case shortened(byteCount: Int64)
}

extension Aggregator {
    /// Refuses to go on where the library's disk seems not to be mounted.
    ///
    /// Then nothing may count as missing, be deleted, or be written beneath the mount point. The playlist of the whole
    /// library, which every sync leaves there, tells such a folder from one whose files were removed one by one.
    func requireLibrary() async throws(AggregatorError) {
        guard access(libraryPlaylistPath, F_OK) != 0 else { return }
        if let reason = libraryAbsence(try await storedFiles()) { throw .libraryAbsent(reason: reason) }
    }

    /// Why the library's disk seems not to be mounted; nil where it is there.
    func libraryAbsence(_ files: [StoredFile]) -> String? {
        let expected = files.filter { !$0.path.hasPrefix("/") }
        guard !expected.isEmpty, access(libraryPlaylistPath, F_OK) != 0 else { return nil }
        guard access(mediaFolder, F_OK) == 0 else { return "the library folder \(mediaFolder) is not there" }
        guard expected.allSatisfy({ presence(of: $0) == .missing }) else { return nil }
        let count = expected.count == 1 ? "its file" : "any of its \(expected.count) files"
        return "the library folder \(mediaFolder) does not hold \(count)"
    }

    func presence(of file: StoredFile) -> FilePresence {
        let path = absolutePath(ofStored: file.path)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // What cannot be looked at is not gone.
            return errno == ENOENT || errno == ENOTDIR ? .missing : .there
        }
        // A link is the user's way to keep the file elsewhere.
        guard status.st_mode & S_IFMT == S_IFREG else { return .there }
        let size = Int64(status.st_size)
        if size == 0, file.byteCount > 0 { return .missing }
        return size < file.byteCount ? .shortened(byteCount: size) : .there
    }

    /// Marks finished downloads whose file is gone as missing, and takes those back whose file is there again.
    ///
    /// What is missing is not fetched again unless somebody asks for it.
    func noticeMissingFiles(report: SyncReport) async throws(AggregatorError) {
        let files = try await storedFiles()
        if let reason = libraryAbsence(files) { throw .libraryAbsent(reason: reason) }
        for file in files where presence(of: file) == .missing {
            // Another process may have deleted it by a rule just now.
            guard try await markMissing(file) else { continue }
            report(.fileMissing(EpisodeReference(file), path: absolutePath(ofStored: file.path)))
        }
        for file in try await returnedFiles() {
            _ = try await markReturned(file)
        }
    }

    /// Records that a file is gone; an empty one is removed, so that its successor gets its name.
    func markMissing(_ file: StoredFile) async throws(AggregatorError) -> Bool {
        let isMarked = try await stored { library, now throws(StoreError) in
            try await library.markMissing(file.id, now: now)
        }
        let path = absolutePath(ofStored: file.path)
        var status = stat()
        if isMarked, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            _ = unlink(path)
        }
        return isMarked
    }

    func markReturned(_ file: StoredFile) async throws(AggregatorError) -> Bool {
        try await stored { library, now throws(StoreError) in
            try await library.markReturned(file.id, now: now)
        }
    }

    /// The files that were missing and lie in their place again, whole.
    func returnedFiles() async throws(AggregatorError) -> [StoredFile] {
        let missing = try await stored { library, _ throws(StoreError) in try await library.missingFiles() }
        return missing.filter { file in
            access(absolutePath(ofStored: file.path), F_OK) == 0 && presence(of: file) == .there
        }
    }

    func storedFiles() async throws(AggregatorError) -> [StoredFile] {
        try await stored { library, _ throws(StoreError) in try await library.storage() }
    }
}
