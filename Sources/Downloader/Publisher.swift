internal import CCurl
import Glibc

/// All that is needed to make a library file of what has come.
struct PublishOrder: Sendable {
    let bytes: FinishedBytes
    let byteCount: Int64
    let folder: ResumeFolder
    let key: String
    let record: ResumeRecord
    /// Whether the record stands beside the file; a small file has none.
    let hasRecord: Bool
    let targetFolder: String
    let fileStem: String
    let url: String
    let declaredType: String?
    let demanded: [Integrity]
}

/// A file that now stands in the library.
struct PublishedFile: Sendable {
    var path: String
    let byteCount: Int64
    let container: MediaContainer?
    let fileExtension: String
    let record: ResumeRecord
    /// Whether the record stands in the resume folder.
    var hasRecord: Bool
}

/// A finished partial file on its way into the library.
struct Publication {
    let order: PublishOrder
    let part: PartFile
    /// Has no path before the last step.
    private(set) var file: PublishedFile

    init(_ order: PublishOrder) throws(TransferError) {
        self.order = order
        part = try order.bytes.open(in: order.folder, order.key)
        file = PublishedFile(
            path: "", byteCount: order.byteCount, container: nil, fileExtension: "", record: order.record,
            hasRecord: order.hasRecord)
    }
}

/// Judges the content and moves the file into the library: check, flush, rename, sync the folder, in that order.
///
/// Nothing that stands in the library is ever replaced. Runs on a thread of its own, for a sync takes its time.
func publish(_ order: PublishOrder) throws(TransferError) -> PublishedFile {
    var publication = try Publication(order)
    try publication.judge()
    try publication.part.sync()
    try createFolders(order.targetFolder)
    try publication.move()
    try syncFolder(order.targetFolder)
    return publication.file
}

extension Publication {
    /// Checks size, content and digests, and finds out what the file will be.
    mutating func judge() throws(TransferError) {
        try judgeLength()
        let container = try judgeContent()
        try checkDigests()
        let fileExtension = chooseFileExtension(
            contentType: order.record.contentType, url: order.url, container: container,
            declaredType: order.declaredType)
        var record = order.record
        record.fileExtension = fileExtension
        record.totalByteCount = order.byteCount
        file = PublishedFile(
            path: "", byteCount: order.byteCount, container: container, fileExtension: fileExtension,
            record: record, hasRecord: order.hasRecord)
    }

    /// Gives a judged and synced file its place in the library's folder, which is there and not synced yet.
    mutating func move() throws(TransferError) {
        if !order.hasRecord, let path = try linkIntoLibrary() {
            file.path = path
            return
        }
        // What the next run needs to recognise the file, should this one end right after the rename.
        if file.record != order.record || !order.hasRecord {
            try order.folder.save(file.record, order.key, isDurable: true)
            file.hasRecord = true
        }
        file.path = try moveIntoLibrary()
    }

    private func judgeLength() throws(TransferError) {
        // A hole proves nothing here: some file systems make them of the zeros at the end of a recording.
        let present =
            switch order.bytes {
            // Written just now.
            case .held(let bytes): Int64(bytes.count)
            case .file: try part.byteCount()
            }
        guard present >= order.byteCount else {
            throw .incomplete(byteCount: present, expected: order.byteCount)
        }
        // Bytes that somebody else added.
        if present > order.byteCount { try part.truncate(to: order.byteCount) }
    }

    private func judgeContent() throws(TransferError) -> MediaContainer? {
        switch sniffContent(try opening()) {
        case .media(let container): return container
        case .unknown: return nil
        case .refused(let content): throw .notMedia(content)
        }
    }

    /// The first bytes of the file.
    private func opening() throws(TransferError) -> ArraySlice<UInt8> {
        if case .held(let bytes) = order.bytes { return bytes.prefix(openingByteCount) }
        var opening = [UInt8](repeating: 0, count: openingByteCount)
        let count = try part.read(at: 0, into: &opening)
        return opening.prefix(count)
    }

    private func checkDigests() throws(TransferError) {
        var computed: [DigestAlgorithm: [UInt8]] = [:]
        for algorithm in Set(order.demanded.map(\.algorithm)) {
            computed[algorithm] = try digest(of: part, algorithm)
        }
        if let algorithm = failingAlgorithm(computed: computed, demanded: order.demanded) {
            throw .digestMismatch(algorithm)
        }
    }

    /// The names that the file may have, in the order of preference.
    private var paths: some Sequence<String> {
        (1..<1000).lazy.map { number in
            let stem = number == 1 ? order.fileStem : numbered(order.fileStem, number)
            return "\(order.targetFolder)/\(stem).\(file.fileExtension)"
        }
    }

    /// Gives a file without a record its place by a second name; nil where the file system, or a lost cache, allows none.
    ///
    /// The first name stays until the key is removed: it is what the next run recognises the file by, see `findOtherName`.
    private func linkIntoLibrary() throws(TransferError) -> String? {
        guard part.isUnderItsName else { return nil }
        for path in paths {
            if link(part.path, path) == 0 { return path }
            switch errno {
            case EEXIST: continue
            case EXDEV, EPERM, EOPNOTSUPP, EMLINK, ENOSYS, ENOENT, EACCES: return nil
            case let code: throw .failed("link", path, code)
            }
        }
        return nil
    }

    /// Gives the file its name; a name that is taken is somebody else's, so the next one is tried.
    private func moveIntoLibrary() throws(TransferError) -> String {
        var source = part.path
        var temporary: String?
        defer { if let temporary { unlink(temporary) } }
        /// Copies the bytes beside their place: from another file system, or from a file that lost its name.
        func copyBeside() throws(TransferError) {
            source = "\(order.targetFolder)/\(temporaryPrefix)\(order.key)\(temporarySuffix)"
            temporary = source
            // Left over from a crash, if it is there at all.
            unlink(source)
            let copy = try PartFile.create(at: source)
            try copyBytes(from: part, to: copy, byteCount: order.byteCount) { false }
            try copy.sync()
        }
        // Deleted or replaced while it was written: what was written is still open.
        if !part.isUnderItsName { try copyBeside() }
        for path in paths {
            var code = rename(source, withoutReplacing: path)
            // Another file system, or the cache was deleted while the file was open.
            if code == EXDEV || code == ENOENT, temporary == nil {
                try copyBeside()
                code = rename(source, withoutReplacing: path)
            }
            switch code {
            case 0:
                temporary = nil
                // The copy has taken its place; a partial that stays costs space only until the key is removed.
                if source != part.path { unlink(part.path) }
                return path
            case EEXIST: continue
            default: throw .failed("rename", path, code)
            }
        }
        throw .failed("rename", "\(order.targetFolder)/\(order.fileStem).\(file.fileExtension)", EEXIST)
    }
}

/// Finds a file that was published just before a crash: under the reserved name, with exactly the right size.
///
/// A partial file of another size next to it proves that it is somebody else's.
func findPublished(
    targetFolder: String, fileStem: String, fileExtension: String?, exactByteCount: Int64?,
    partialByteCount: Int64?
) -> String? {
    guard let fileExtension, let exactByteCount, exactByteCount > 0 else { return nil }
    guard partialByteCount == nil || partialByteCount == exactByteCount else { return nil }
    let path = "\(targetFolder)/\(fileStem).\(fileExtension)"
    return regularFileByteCount(at: path) == exactByteCount ? path : nil
}

/// Removes hidden temporary files that a crash left in a library folder; returns how many.
@discardableResult
public func removeTemporaryFiles(in folder: String) -> Int {
    (folderNames(folder) ?? []).map { String(decoding: $0, as: UTF8.self) }
        .filter { $0.hasPrefix(temporaryPrefix) && $0.hasSuffix(temporarySuffix) }
        .count { unlink("\(folder)/\($0)") == 0 }
}

let temporaryPrefix = ".podget-"
let temporarySuffix = ".tmp"

/// Finds the name in a folder under which a partial file was published just before a crash.
func findOtherName(of part: String, in folder: String) -> String? {
    var ours = stat()
    guard lstat(part, &ours) == 0, ours.st_mode & S_IFMT == S_IFREG, ours.st_nlink > 1,
        let entries = opendir(folder)
    else { return nil }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
        guard entry.pointee.d_ino == ours.st_ino else { continue }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        var theirs = stat()
        let path = "\(folder)/\(name)"
        if lstat(path, &theirs) == 0, theirs.st_ino == ours.st_ino, theirs.st_dev == ours.st_dev {
            return path
        }
    }
    return nil
}

/// Renames unless the new name is taken; returns 0 or `errno`.
func rename(_ path: String, withoutReplacing newPath: String) -> Int32 {
    if podget_rename_without_replacing(path, newPath) == 0 { return 0 }
    guard errno == EINVAL || errno == ENOSYS else { return errno }
    // A file system without that flag: a second name fails in the same way if the name is taken.
    guard link(path, newPath) == 0 else { return errno }
    // The file stands under its new name; the old one is removed with the key at the latest.
    unlink(path)
    return 0
}

/// Copies so many bytes from the start, or fewer if `isCancelled` says so.
func copyBytes(
    from source: PartFile, to target: PartFile, byteCount: Int64, isCancelled: () -> Bool
) throws(TransferError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    while offset < byteCount {
        if isCancelled() { throw .cancelled }
        let count = try source.read(at: offset, into: &buffer)
        if count == 0 { throw .incomplete(byteCount: offset, expected: byteCount) }
        try target.write(buffer.prefix(min(count, Int(clamping: byteCount - offset))), at: offset)
        offset += Int64(count)
    }
}

/// Adds a number to a stem and keeps it within the length of a name.
func numbered(_ stem: String, _ number: Int) -> String {
    let suffix = " (\(number))"
    var stem = stem
    while stem.utf8.count + suffix.utf8.count > longestFileNameByteCount - 8 { stem.removeLast() }
    return stem + suffix
}
