/// What is known about a partial file: enough to go on with it, or to know that one must not.
struct ResumeRecord: Codable, Equatable, Sendable {
    /// The enclosure's address, without credentials.
    var originalURL: String
    /// Where the redirects led, without credentials and query; for people to read, never asked again.
    var finalURL: String
    var etag: String?
    var lastModified: String?
    var lastModifiedTime: Int64?
    var date: String?
    var dateTime: Int64?
    /// The exact size, or nil while nobody has promised one.
    var totalByteCount: Int64?
    var contentType: String?
    /// The extension decided on; nil until the bytes had to tell.
    var fileExtension: String?
    /// Bytes that survive a power cut.
    var syncedByteCount: Int64 = 0
    /// The running system that wrote the record: under another one only the synced bytes are sure.
    var bootID: String?
    /// Digests that the server gave for the whole file.
    var integrity: [Integrity] = []
    var counts = TransferCounts()
    /// How often in a row a request for a range failed as if for the range's sake.
    var suspectedRefusalCount: Int?
    /// Whether the last run left the file in order: then it has the synced bytes and no others.
    var isSettled: Bool?

    init(originalURL: String) {
        self.originalURL = originalURL
        finalURL = originalURL
    }

    /// Starts the record of a body that begins at its first byte.
    init(originalURL: String, head: ResponseHead) {
        self.originalURL = originalURL
        finalURL = withoutSecrets(head.finalURL)
        etag = head.etag
        lastModified = head.lastModified
        lastModifiedTime = head.lastModifiedTime
        date = head.date
        dateTime = head.dateTime
        totalByteCount = head.exactByteCount
        contentType = head.contentType
        fileExtension = extensionBeforeBytes(contentType: head.contentType, url: originalURL)
        integrity = head.integrity
    }

    var validator: Validator? {
        strongValidator(
            etag: etag, lastModified: lastModified, lastModifiedTime: lastModifiedTime, dateTime: dateTime)
    }

    /// Tells how many bytes of a partial file can be trusted.
    ///
    /// A killed process loses nothing that was written; a power cut may lose all that was not synced. Bytes
    /// beyond the whole file, or beyond what a run left that ended in order, are somebody else's.
    func trustedByteCount(of partialByteCount: Int64, bootID: String?) -> Int64 {
        let isTooLong = totalByteCount.map { partialByteCount > $0 } ?? false
        // Without a byte that is sure, a file too long is given up aloud, as `planRequest` decides.
        if isTooLong && syncedByteCount == 0 { return partialByteCount }
        guard let bootID, bootID == self.bootID, isSettled != true, !isTooLong else {
            return min(partialByteCount, syncedByteCount)
        }
        return partialByteCount
    }
}

/// What a download has cost over its whole life, earlier runs included.
struct TransferCounts: Codable, Equatable, Sendable {
    var requestCount = 0
    /// How often bytes already received were given up.
    var restartCount = 0
    var bodyByteCount: Int64 = 0
}
