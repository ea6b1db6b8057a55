/// An error that SQLite reported.
public struct SQLiteError: Error, Equatable, Sendable {
    /// The extended result code; its low byte is the primary one.
    public let code: Int32
    public let message: String
    public let sql: String?

    public init(code: Int32, message: String, sql: String?) {
        self.code = code
        self.message = message
        self.sql = sql
    }
}

extension SQLiteError: CustomStringConvertible {
    public var description: String {
        guard let sql else { return "\(message) (SQLite \(code))" }
        return "\(message) (SQLite \(code)) in \(sql)"
    }
}
