/// The status and the header fields of the last response of a transfer, redirects followed.
public struct ResponseHead: Sendable, Equatable {
    public var status: Int
    /// The address that answered, without credentials.
    public var finalURL: String
    /// The address after the leading run of 301 and 308 hops; nil if the first hop was no permanent one.
    public var permanentURL: String?
    public var contentType: String?
    public var contentEncoding: String?
    public var etag: String?
    public var lastModified: String?
    /// `Last-Modified` in seconds since 1970.
    public var lastModifiedTime: Int64?
    /// `Date` in seconds since 1970.
    public var dateTime: Int64?
    public var date: String?
    /// `Content-Length`; nil where `Transfer-Encoding` overrules it (RFC 9112 §6.3).
    public var contentLength: Int64?
    public var isChunked = false
    public var contentRange: String?
    public var acceptRanges: String?
    public var cacheControl: String?
    public var expires: String?
    /// `Expires` in seconds since 1970.
    public var expiresTime: Int64?
    public var retryAfter: Duration?
    public var contentDisposition: String?
    public var reprDigest: String?
    public var contentDigest: String?
    public var contentMD5: String?

    public init(status: Int, finalURL: String) {
        self.status = status
        self.finalURL = finalURL
    }
}

extension ResponseHead {
    /// How long the answer is fresh by `Cache-Control: max-age`, else by `Expires` (RFC 9111 §4.2.1).
    ///
    /// nil where neither says so, or the answer is to be asked for again each time.
    public var freshness: Duration? {
        let directives = (cacheControl ?? "").lowercased().split(separator: ",").map(\.trimmingWhitespace)
        if directives.contains(where: { $0.hasPrefix("no-cache") || $0 == "no-store" }) { return nil }
        for directive in directives where directive.hasPrefix("max-age=") {
            let text = directive.dropFirst("max-age=".count).filter { $0 != "\"" }
            guard let seconds = decimal(text), seconds > 0 else { return nil }
            // A longer time than a year means "for ever" (RFC 9111 §1.2.2), and an absurd one must not overflow.
            return .seconds(min(seconds, 366 * 86_400))
        }
        guard let expiresTime, let dateTime, expiresTime > dateTime else { return nil }
        return .seconds(min(expiresTime - dateTime, 366 * 86_400))
    }

    /// The size that the head promises for the whole file; nil where it promises none.
    var exactByteCount: Int64? {
        status == 206 ? contentRange.flatMap { ContentRange($0) }?.total : contentLength
    }

    /// The digests that the head gives for the whole file.
    ///
    /// `Repr-Digest` always speaks of the whole file, the other two of the body (RFC 9530 §2 and §3).
    var integrity: [Integrity] {
        var all = reprDigest.map { Integrity.parse(digestField: $0) } ?? []
        if status != 206 {
            all += contentDigest.map { Integrity.parse(digestField: $0) } ?? []
            all += contentMD5.map { Integrity.parse(contentMD5: $0) } ?? []
        }
        return all
    }
}
