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

/// A libcurl failure: its code, its words, and the address without secrets.
public struct CurlError: Error, Sendable, Equatable, CustomStringConvertible {
    public let code: Int
    public let message: String
    public let url: String

    public init(code: Int, message: String, url: String) {
        self.code = code
        self.message = message
        self.url = url
    }

    public var description: String { "\(message) (\(url))" }
}

/// A failed call of the file system: what was tried, on which path, and `errno`.
public struct FileError: Error, Sendable, Equatable {
    public let operation: String
    public let path: String
    public let code: Int32

    public init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}
