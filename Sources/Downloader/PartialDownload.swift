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
    /// A whole small body, which the thread that publishes it writes to the disk.
    private var held: [UInt8]?

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
        if byteCount == 0, opening?.isSmall != true {
            try installOpening()
            try createFile()
        }
    }

    /// Starts an empty file for bytes that come from somewhere else than the network.
    mutating func begin(with record: ResumeRecord) throws(TransferError) {
        discard()
        opening = Opening(record: record, isRestart: false)
        try installOpening()
        try createFile()
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

    /// Whether the body that comes now stays in memory until it is whole.
    var isHeldBack: Bool { opening?.isSmall ?? false }

    /// Whether the whole body is here, and still in memory.
    var holdsWhole: Bool { opening.map { $0.isSmall && $0.isWhole } ?? false }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(TransferError) {
        counts.bodyByteCount += Int64(bytes.count)
        guard opening != nil else {
            try write(bytes)
            return
        }
        opening?.bytes.append(contentsOf: bytes)
        if opening?.isDue == true { try flushOpening() }
    }

    /// Judges a body that is over, where it is still held back, and writes all but a small one.
    mutating func finishOpening() throws(TransferError) {
        guard let opening else { return }
        guard opening.isSmall, opening.isWhole else { return try flushOpening() }
        try judgeOpening()
        try installOpening()
        held = opening.bytes
        byteCount = Int64(opening.bytes.count)
        self.opening = nil
    }

    /// The bytes of a body that is over.
    mutating func finishedBytes() throws(TransferError) -> FinishedBytes {
        if let held { return .held(held) }
        return .file(try openExisting())
    }

    /// Keeps a small file that cannot be published now, with its record.
    mutating func keepFinished() {
        guard !hasRecord, byteCount > 0 else { return }
        do throws(TransferError) {
            if let held, regularFileByteCount(at: folder.partPath(key)) != byteCount {
                file = try FinishedBytes.held(held).open(in: folder, key)
            }
            held = nil
            try openExisting()
            try save()
            hasRecord = true
        } catch {
            // The small file is fetched once more.
            discard()
        }
    }

    /// Keeps what has come of a body that broke off, unless it would cost better bytes.
    mutating func keepOpening() {
        guard let bytes = opening?.bytes else { return }
        if case .refused = sniffContent(bytes) {
            opening = nil
        } else {
            // A full disk shows again at the next attempt; these few bytes are no loss.
            try? flushOpening()
        }
    }

    /// Notes that so many bytes survive a power cut.
    mutating func noteSynced(_ byteCount: Int64) {
        guard opening == nil, byteCount <= self.byteCount else { return }
        record.syncedByteCount = byteCount
        // Without it a power cut costs more bytes, and nothing else.
        try? save()
    }

    @discardableResult
    private mutating func openExisting() throws(TransferError) -> PartFile {
        if let file { return file }
        let opened = try PartFile.openExisting(at: folder.partPath(key))
        file = opened
        return opened
    }

    /// Removes the bytes and the record; the counts go on.
    mutating func discard() {
        file = nil
        opening = nil
        held = nil
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

    private mutating func flushOpening() throws(TransferError) {
        guard let opening else { return }
        try judgeOpening()
        if !opening.isInstalled {
            try installOpening()
            try createFile()
        }
        self.opening = nil
        let bytes = opening.bytes
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(TransferError) in try write(bytes) }
        }
        try written.get()
    }

    private mutating func judgeOpening() throws(TransferError) {
        guard let opening, case .refused(let content) = sniffContent(opening.bytes) else { return }
        if opening.isInstalled { discard() }
        self.opening = nil
        throw .notMedia(content)
    }

    /// Makes the opening's record the record, in place of whatever was there.
    private mutating func installOpening() throws(TransferError) {
        guard let opening else { return }
        self.opening?.isInstalled = true
        file = nil
        if opening.isRestart { counts.restartCount += 1 }
        if byteCount > 0 { try folder.remove(key) }
        byteCount = 0
        record = opening.record
        hasRecord = false
    }

    /// Writes the record, and an empty file after it.
    private mutating func createFile() throws(TransferError) {
        try save()
        hasRecord = true
        file = try folder.createPart(key)
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

/// All bytes of a file that has come, and is not in the library yet.
enum FinishedBytes: Sendable {
    case file(PartFile)
    /// A small file that is still in memory only.
    case held([UInt8])

    var heldByteCount: Int {
        switch self {
        case .file: 0
        case .held(let bytes): bytes.count
        }
    }

    /// Returns the partial file, written if need be.
    func open(in folder: ResumeFolder, _ key: String) throws(TransferError) -> PartFile {
        switch self {
        case .file(let file): return file
        case .held(let bytes):
            let file = try folder.createPart(key)
            try file.write(bytes, at: 0)
            return file
        }
    }
}
