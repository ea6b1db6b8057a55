/// Why a transfer failed, told so that the caller can act or print it.
///
/// No text ever contains credentials: addresses are cut to scheme, host and path.
public enum TransferError: Error, Sendable {
    case cancelled
    /// The loop could not be set up, or was already shut down.
    case loopUnavailable(String)
    case invalidURL(String)
    /// Neither http nor https, in the request or in a redirect.
    case refusedProtocol(CurlError)
    /// No name, no route, no answer on the port: the network or the host is away.
    case unreachable(CurlError)
    /// The connection broke, or the server broke the protocol.
    case connectionLost(CurlError)
    /// No answer in time, or slower than the low-speed limit.
    case timedOut(CurlError)
    /// The certificate is not trusted, or TLS failed otherwise.
    case insecure(CurlError)
    case tooManyRedirects(CurlError)
    /// The server answered with a status that brings no body of use.
    case status(ResponseHead)
    case tooLarge(byteLimit: Int64)
    /// The body ended before the exact size.
    case incomplete(byteCount: Int64, expected: Int64)
    /// The bytes are not audio or video.
    case notMedia(RefusedContent)
    case digestMismatch(DigestAlgorithm)
    case noSpace(FileError)
    case file(FileError)
    /// A `file:` address that leads out of the feed's own folder, or to no regular file.
    case refusedFile(String)
    /// Another download with the same key is under way.
    case keyInUse(String)
    /// The receiver of a document threw.
    case receiver(any Error)
}

extension TransferError: CustomStringConvertible {
    /// One line for people, without secrets.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .loopUnavailable(let reason): "transfers are not possible: \(reason)"
        case .invalidURL(let url): "not a valid address: \(url)"
        case .refusedProtocol(let error): "only http and https are allowed: \(error.url)"
        case .unreachable(let error), .connectionLost(let error), .timedOut(let error): "\(error)"
        case .insecure(let error) where error.isUntrusted:
            "the server's certificate is not trusted (\(error.url))"
        case .insecure(let error): "no secure connection: \(error)"
        case .tooManyRedirects(let error): "too many redirects: \(error.url)"
        case .status(let head): "the server answered \(head.status) (\(withoutSecrets(head.finalURL)))"
        case .tooLarge(let limit): "larger than the limit of \(megabytes(limit)) MB"
        case .incomplete(let count, let expected):
            "transfer incomplete (\(megabytes(count)) of \(megabytes(expected)) MB)"
        case .notMedia(let content): "not audio: \(content.description)"
        case .digestMismatch(let algorithm): "the \(algorithm) checksum does not match"
        case .noSpace(let error): "\(error)"
        case .file(let error): "\(error)"
        case .refusedFile(let reason): "local file refused: \(reason)"
        case .keyInUse(let key): "a download named \(key) is already under way"
        case .receiver(let error): "\(error)"
        }
    }
}

extension TransferError {
    /// The same failure to reach a host, told of another address there.
    func asking(_ url: String) -> TransferError {
        guard case .unreachable(let error) = self else { return self }
        return .unreachable(CurlError(code: error.code, message: error.message, url: withoutSecrets(url)))
    }
}

/// Writes bytes as decimal megabytes with one digit, so that one missing byte does not look like none.
private func megabytes(_ byteCount: Int64) -> String {
    let tenths = byteCount / 100_000
    return "\(tenths / 10).\(tenths % 10)"
}

extension RefusedContent {
    /// What the server sent, in words.
    public var description: String {
        switch self {
        case .empty: "the server sent nothing"
        case .webPage: "the server sent a web page"
        case .json: "the server sent JSON"
        case .xml: "the server sent XML"
        case .playlist: "the server sent a playlist"
        case .text: "the server sent text"
        case .image: "the server sent a picture"
        case .archive: "the server sent an archive"
        case .pdf: "the server sent a PDF document"
        }
    }
}
