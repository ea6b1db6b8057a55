/// How sure the size of a file is.
public enum ExpectedSize: Sendable, Equatable {
    /// From `Content-Length` of a 200 or the total of `Content-Range`: judges completeness to the byte.
    case exact(Int64)
    /// From the feed or from bitrate × duration: shown, never a judge.
    case estimated(Int64)
    case unknown

    public var byteCount: Int64? {
        switch self {
        case .exact(let count), .estimated(let count): count
        case .unknown: nil
        }
    }
}
