import Glibc

/// The bytes of a download that are at hand, with their record; all writing to the resume folder goes through here.
///
/// Lives on the loop's thread. Nothing of an earlier attempt is destroyed before the bytes that replace it have
/// been looked at.
struct PartialDownload {
    /// A body that starts at zero, until enough of it has come to be judged.
    private struct Opening {
        let record: ResumeRecord
        let isRestart: Bool
        var bytes: [UInt8] = []
        var isInstalled = false

        /// Whether the whole body is held back in memory: torn, it costs less than a record of it would.
        var isSmall: Bool { record.totalByteCount.map { $0 <= smallFileByteCount } ?? false }

        /// Whether there is nothing more to hold back.
        var isDue: Bool {
            isSmall ? bytes.count > smallFileByteCount : bytes.count >= openingByteCount
        }

        var isWhole: Bool { Int64(bytes.count) == record.totalByteCount }
    }

    let folder: ResumeFolder
    let key: String
    private(set) var file: PartFile?
    /// Trusted bytes in the file.
    private(set) var byteCount: Int64
    private(set) var record: ResumeRecord
    private(set) var counts: TransferCounts
    private(set) var hasRecord: Bool
    /// The size of the partial file that an earlier run left; nil where there was none.
    let foundByteCount: Int64?
    private var opening: Opening?

    /// Looks at what an earlier run left.
    init(folder: ResumeFolder, key: String, url: String) {
        self.folder = folder
        self.key = key
        let loaded = folder.loadRecord(key)
        hasRecord = loaded != nil
        record = loaded ?? ResumeRecord(originalURL: addressWithoutCredentials(url))
        counts = record.counts
        foundByteCount = regularFileByteCount(at: folder.partPath(key))
        byteCount = foundByteCount.map { folder.trustedByteCount(of: key, loaded, present: $0) } ?? 0
    }

    /// Takes note of a file that became shorter than what was written, by other hands.
    mutating func reviseByteCount() {
        guard byteCount > 0 else { return }
        let sound = file.map { try? $0.byteCountBeforeHole() } ?? soundByteCount(at: folder.partPath(key))
        if let sound { byteCount = min(byteCount, sound) }
    }

    func plan(url: String) -> RequestPlan {
        planRequest(url: url, partialByteCount: byteCount, record: hasRecord ? record : nil)
    }

    /// Whether the next attempt can go on where this one stopped.
    func canResume(url: String) -> Bool {
        switch plan(url: url) {
        case .range, .nothing: true
        case .fromStart: false
        }
    }

    mutating func countRequest() { counts.requestCount += 1 }

    /// Notes how a request for a range failed; returns whether the range is taken to be refused.
    mutating func noteRefusal(_ refusal: RangeRefusal) -> Bool {
        guard refusal != .none else {
            record.suspectedRefusalCount = nil
            return false
        }
        let count = (record.suspectedRefusalCount ?? 0) + 1
        record.suspectedRefusalCount = count
        return refusal == .certain || count >= 2
    }

    /// Prepares for a body that goes on where the file ends.
    mutating func append(_ head: ResponseHead) throws(TransferError) {
        record.finalURL = withoutSecrets(head.finalURL)
        record.totalByteCount = record.totalByteCount ?? head.exactByteCount
        record.suspectedRefusalCount = nil
        for integrity in head.integrity where !record.integrity.contains(integrity) {
            record.integrity.append(integrity)
        }
        try openExisting()
        try checkLength()
        // Bytes beyond the trusted ones may be anything.
        try file?.truncate(to: byteCount)
        try save()
    }

    /// Prepares for a body that starts at zero.
    ///
    /// With nothing to lose the record is written at once, otherwise when the new bytes have been judged. A small file
    /// comes to the disk as a whole, and without a record.
    mutating func replace(with record: ResumeRecord, isRestart: Bool) throws(TransferError) {
        opening = Opening(record: record, isRestart: isRestart)
        if byteCount == 0, opening?.isSmall != true { try installOpening(savesRecord: true) }
    }

    /// Starts an empty file for bytes that come from somewhere else than the network.
    mutating func begin(with record: ResumeRecord) throws(TransferError) {
        discard()
        opening = Opening(record: record, isRestart: false)
        try installOpening(savesRecord: true)
        opening = nil
    }

    /// Notes that the file is complete with so many bytes, which somebody else has written.
    mutating func noteCopied(_ byteCount: Int64) {
        self.byteCount = byteCount
    }

    /// The size promised for the whole file, by the body that comes now or by the record.
    var totalByteCount: Int64? {
        opening.map(\.record.totalByteCount) ?? record.totalByteCount
    }

    /// Bytes at hand of the body that comes now, those in memory included.
    var receivedByteCount: Int64 { opening.map { Int64($0.bytes.count) } ?? byteCount }

    /// Whether the whole body is here, and still in memory.
    var holdsWhole: Bool { opening.map { $0.isSmall && $0.isWhole } ?? false }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(TransferError) {
        counts.bodyByteCount += Int64(bytes.count)
        guard opening != nil else {
            try write(bytes)
            return
        }
        opening?.bytes.append(contentsOf: bytes)
        if opening?.isDue == true { try flushOpening(savesRecord: true) }
    }

    /// Judges and writes a body that is over, where it is still held back.
    mutating func finishOpening() throws(TransferError) {
        if let opening { try flushOpening(savesRecord: !(opening.isSmall && opening.isWhole)) }
    }

    /// Writes the record of a small file that cannot be published now.
    mutating func keepRecord() {
        guard file != nil, !hasRecord, byteCount > 0 else { return }
        // Without it the small file is fetched once more.
        hasRecord = (try? save()) != nil
    }

    /// Keeps what has come of a body that broke off, unless it would cost better bytes.
    mutating func keepOpening() {
        guard let bytes = opening?.bytes else { return }
        if case .refused = sniffContent(bytes) {
            opening = nil
        } else {
            // A full disk shows again at the next attempt; these few bytes are no loss.
            try? flushOpening(savesRecord: true)
        }
    }

    /// Notes that so many bytes survive a power cut.
    mutating func noteSynced(_ byteCount: Int64) {
        guard opening == nil, byteCount <= self.byteCount else { return }
        record.syncedByteCount = byteCount
        // Without it a power cut costs more bytes, and nothing else.
        try? save()
    }

    mutating func openExisting() throws(TransferError) {
        if file == nil { file = try PartFile.openExisting(at: folder.partPath(key)) }
    }

    /// Removes the bytes and the record; the counts go on.
    mutating func discard() {
        file = nil
        opening = nil
        byteCount = 0
        hasRecord = false
        record = ResumeRecord(originalURL: record.originalURL)
        // What cannot be removed now is replaced by the next attempt.
        try? folder.remove(key)
    }

    /// Closes the file and hands out the work of leaving everything safe on the disk.
    mutating func settle() -> @Sendable () -> DiskResult {
        defer { file = nil }
        guard byteCount > 0, hasRecord else {
            // A partial without a record stays: it is the user's to restart. Nothing at all needs no files.
            if byteCount == 0 { discard() }
            return { .settled }
        }
        var record = record
        record.counts = counts
        record.syncedByteCount = file == nil ? record.syncedByteCount : byteCount
        record.isSettled = record.syncedByteCount == byteCount
        return { [file, folder, key, record] in
            // Both only shorten what a power cut costs, and the download is over either way.
            var record = record
            if (try? file?.sync()) == nil { record.isSettled = false }
            try? folder.save(record, key, isDurable: true)
            return .settled
        }
    }

    // MARK: Effects

    private mutating func flushOpening(savesRecord: Bool) throws(TransferError) {
        guard let bytes = opening?.bytes else { return }
        if case .refused(let content) = sniffContent(bytes) {
            if opening?.isInstalled == true { discard() }
            opening = nil
            throw .notMedia(content)
        }
        try installOpening(savesRecord: savesRecord)
        opening = nil
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(TransferError) in try write(bytes) }
        }
        try written.get()
    }

    /// Makes the opening's record the record, and an empty file the file.
    private mutating func installOpening(savesRecord: Bool) throws(TransferError) {
        guard let opening, !opening.isInstalled else { return }
        self.opening?.isInstalled = true
        file = nil
        if opening.isRestart { counts.restartCount += 1 }
        if byteCount > 0 { try folder.remove(key) }
        byteCount = 0
        record = opening.record
        hasRecord = false
        if savesRecord {
            try save()
            hasRecord = true
        }
        do {
            file = try PartFile.create(at: folder.partPath(key))
        } catch .file(let error) where error.code == ENOENT {
            // Somebody deleted the cache.
            try folder.prepare()
            file = try PartFile.create(at: folder.partPath(key))
        } catch .file(let error) where error.code == EEXIST {
            // Worthless bytes of an earlier run. What is no file, such as a folder, makes this fail again.
            unlink(folder.partPath(key))
            file = try PartFile.create(at: folder.partPath(key))
        }
    }

    /// Writing beyond the end of a file that was cut would leave a hole in it.
    private func checkLength() throws(TransferError) {
        guard byteCount > 0, let present = try file?.byteCount(), present < byteCount else { return }
        throw .incomplete(byteCount: present, expected: byteCount)
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(TransferError) {
        try checkLength()
        try file?.write(bytes, at: byteCount)
        byteCount += Int64(bytes.count)
    }

    private mutating func save() throws(TransferError) {
        record.counts = counts
        record.bootID = currentBootID
        record.isSettled = nil
        // A small file is fetched again sooner than it is synced.
        let isDurable = record.totalByteCount.map { $0 >= 1 << 20 } ?? true
        do {
            try folder.save(record, key, isDurable: isDurable)
        } catch .file(let error) where error.code == ENOENT {
            // Somebody deleted the cache.
            try folder.prepare()
            try folder.save(record, key, isDurable: isDurable)
        }
    }
}

/// Up to this size a file is held in memory until it is whole.
let smallFileByteCount: Int64 = 256 << 10
