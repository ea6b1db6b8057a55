import Glibc

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

    /// The system's words for the code.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        if operation == "mkdir" && code == ENOTDIR {
            return "\(path) is a file where a folder is needed; move it away"
        }
        return "\(operation) \(path): \(reason)"
    }
}
