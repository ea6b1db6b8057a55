/// What a download tells while it runs; the last event is `finished`, `failed` or `paused`.
public enum DownloadEvent: Sendable {
    /// The response's head is known, and no byte of its body is written yet; it is recorded, but for a small file.
    case started(StartedDownload)
    case progress(TransferProgress)
    /// Nothing moves until the given time has passed or the reason is gone; for the network it is the longest time
    /// that this run waits, told once for each absence.
    case waiting(WaitReason, Duration)
    /// All bytes are here, and the file is on its way into the library: another download may take its place.
    ///
    /// Told only while few files are on that way. What comes next may still be a failure, for the file is judged and
    /// made safe first.
    case received
    case finished(FinishedDownload)
    case failed(DownloadFailure)
    /// The caller cancelled; the partial file is kept.
    case paused(byteCount: Int64, hasResume: Bool)
}

public struct StartedDownload: Sendable, Equatable {
    /// The first byte asked for; 0 for a download from the start.
    public var resumedFrom: Int64
    /// Why bytes received earlier are received again; nil where none are.
    public var restartReason: RestartReason?
    public var expected: ExpectedSize
    /// What the head says; nil where only the bytes can tell.
    public var fileExtension: String?
    public var contentType: String?
    /// Whether the file is so small that it comes to the disk as a whole.
    public var comesAtOnce = false
}

/// Why a download starts over although bytes of it were there.
public enum RestartReason: String, Sendable, Codable, CaseIterable {
    case noValidator, noRecord, otherURL, fileChanged, rangeIgnored, rangeRefused, rangeUnusable,
        digestMismatch

    /// The reason in a user's words, which stand after the episode's name.
    public var description: String {
        switch self {
        case .noValidator: "its server does not let downloads go on where they stopped"
        case .noRecord: "nothing tells what the bytes are that arrived before"
        case .otherURL: "the feed has another address for it now"
        case .fileChanged: "the file changed on the server"
        case .rangeIgnored: "the server sent the whole file again"
        case .rangeRefused: "the server refused to send only the rest"
        case .rangeUnusable: "the server sent another part than the rest"
        case .digestMismatch: "what arrived does not match the checksum"
        }
    }
}

public struct TransferProgress: Sendable, Equatable {
    /// Bytes in the partial file.
    public var byteCount: Int64
    public var expected: ExpectedSize
    /// Smoothed; nil until something has been measured.
    public var bytesPerSecond: Double?
    public var timeLeft: TimeLeft?
}

public enum WaitReason: Sendable, Equatable {
    /// The host cannot be reached; probes go on.
    case network
    /// The server asked for a pause.
    case retryAfter
    /// The last attempt failed and the next one is not yet due.
    case backoff
}

public struct FinishedDownload: Sendable, Equatable {
    public var path: String
    public var byteCount: Int64
    public var contentType: String?
    public var container: MediaContainer?
    public var fileExtension: String
    /// Over the whole life of the download, earlier runs included.
    public var requestCount: Int
    public var restartCount: Int
    public var bodyByteCount: Int64
    /// Whether an exact size or a digest vouches for the file.
    public var isVerified: Bool
    /// Whether the file was already in place from before a crash.
    public var wasAdopted: Bool
    /// Whether a resume record may stand beside what is left in the resume folder.
    public var hasRecord = true
}

public struct DownloadFailure: Sendable {
    public var error: TransferError
    /// Whether the same request may succeed later.
    public var isTemporary: Bool
    /// Whether the next attempt can go on where this one stopped.
    public var hasResume: Bool
    /// Bytes kept in the partial file.
    public var byteCount: Int64
    public var expected: ExpectedSize
}
