/// How the transport said that the body is over.
public enum BodyEnding: Sendable, Equatable {
    /// As many bytes as `Content-Length` said.
    case lengthReached
    /// The last chunk, or the end of an HTTP/2 stream.
    case lastChunk
    /// The connection was closed, which is also what a broken one looks like.
    case closed
}

/// Whether the bytes received are the whole file.
public enum Completeness: Sendable, Equatable {
    case complete
    /// Accepted, and nothing vouches for it.
    case unverified
    case incomplete(missing: Int64)
    /// More bytes than the file has: they cannot be this file.
    case excessive(by: Int64)
}

/// Decides whether the bytes received so far are the whole file.
///
/// Only an exact size is a promise: a feed's `length` or bitrate × duration never judges.
public func judgeCompleteness(written: Int64, expected: ExpectedSize, ending: BodyEnding) -> Completeness {
    if case .exact(let byteCount) = expected {
        if written < byteCount { return .incomplete(missing: byteCount - written) }
        if written > byteCount { return .excessive(by: written - byteCount) }
        return .complete
    }
    return ending == .closed ? .unverified : .complete
}
