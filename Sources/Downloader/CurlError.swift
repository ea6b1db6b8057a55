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
