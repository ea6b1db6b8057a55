/// What the server does with one request, faults included.
///
/// The default is a well-behaved server: `Content-Length`, no validator, ranges honoured.
public struct Reply: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        case pattern(Pattern)

        var byteCount: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .pattern(let pattern): pattern.byteCount
            }
        }
    }

    /// How the client learns where the body ends.
    public enum Framing: Sendable, Equatable {
        case contentLength
        /// `Content-Length` says this, whatever is sent.
        case claimedLength(Int64)
        case chunked
        /// Chunks, and the connection closed where the last one should be.
        case chunkedWithoutEnd
        case untilClose
    }

    /// What becomes of a `Range` header.
    public enum Ranges: Sendable, Equatable {
        case honoured
        /// A 200 with the whole body.
        case ignored
        /// A 206 that begins this many bytes beside the start asked for.
        case shifted(by: Int64)
        /// A 206 whose `Content-Range` tells this total.
        case total(Int64)
        /// A 206 whose `Content-Range` tells `*` as total.
        case unknownTotal
        /// A 206 that ends early, in the header and in the body.
        case shortened(to: Int64)
        case withoutContentRange
        case multipart
        /// A 416 with the total of the body, another one, or none.
        case refused(total: Int64?)
        /// This status, without a body.
        case status(Int)
        /// The connection closed without a word.
        case closed
    }

    public var status = 200
    public var body: Body = .bytes([])
    public var contentType: String? = "audio/mpeg"
    public var etag: String?
    public var lastModified: String?
    /// Whether `If-None-Match` and `If-Modified-Since` are answered with 304.
    public var honoursConditions = true
    /// Whether a stale `If-Range` brings the whole body.
    public var honoursIfRange = true
    public var headers: [(String, String)] = []
    public var framing: Framing = .contentLength
    public var ranges: Ranges = .honoured
    /// The connection is closed after this many body bytes of this reply.
    public var tearAfter: Int64?
    /// The connection is reset, not closed, at the tear.
    public var tearsWithReset = false
    /// The connection is reset after this many bytes of the head.
    public var resetAfterHeadBytes: Int?
    /// The connection is closed after this many bytes of the head.
    public var closesAfterHeadBytes: Int?
    /// Nothing more is sent after this many body bytes until `DummyServer.release` or the client leaves.
    public var stallAfter: Int64?
    /// Nothing is sent at all, until the client leaves.
    public var neverAnswers = false
    public var bytesPerSecond: Int64?
    /// `user:password` asked for with Basic authentication.
    public var basicAuth: String?
    /// Whether HEAD is answered with 405.
    public var refusesHead = false

    public init() {}

    public static func pattern(_ byteCount: Int64, etag: String? = nil) -> Reply {
        var reply = Reply()
        reply.body = .pattern(Pattern(byteCount: byteCount))
        reply.etag = etag
        return reply
    }

    public static func bytes(_ bytes: [UInt8], type: String?) -> Reply {
        var reply = Reply()
        reply.body = .bytes(bytes)
        reply.contentType = type
        return reply
    }

    public static func text(_ text: String, type: String? = "text/plain") -> Reply {
        bytes(Array(text.utf8), type: type)
    }

    public static func status(_ status: Int, headers: [(String, String)] = [], text: String = "") -> Reply {
        var reply = Reply.text(text)
        reply.status = status
        reply.headers = headers
        return reply
    }

    public static func redirect(_ status: Int = 302, to location: String) -> Reply {
        .status(status, headers: [("Location", location)])
    }

    /// Returns a copy changed by `change`.
    public func with(_ change: (inout Reply) -> Void) -> Reply {
        var copy = self
        change(&copy)
        return copy
    }
}
