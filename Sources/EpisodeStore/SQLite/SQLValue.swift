internal import CSQLite
internal import FoundationEssentials

/// A value that can stand in a column.
protocol SQLValue {
    /// Binds it to a parameter and returns SQLite's code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32

    /// Reads it from a column.
    ///
    /// The tables are `STRICT`: a column holds its declared type or, where the value is optional, `NULL`.
    init(column: Int32, of statement: OpaquePointer)
}

extension Int64: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }

    init(column: Int32, of statement: OpaquePointer) {
        self = sqlite3_column_int64(statement, column)
    }
}

extension Double: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_double(statement, index, self)
    }

    init(column: Int32, of statement: OpaquePointer) {
        self = sqlite3_column_double(statement, column)
    }
}

extension String: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            // Of an empty string Swift may give no address, and SQLite takes that for NULL.
            guard let start = bytes.baseAddress else {
                return sqlite3_bind_text(statement, index, "", 0, nil)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
                sqlite3_bind_text64(
                    statement, index, characters, UInt64(bytes.count), podget_sqlite_transient(),
                    UInt8(SQLITE_UTF8))
            }
        }
    }

    init(column: Int32, of statement: OpaquePointer) {
        // The text first, then its length: SQLite's documentation names the order that is safe.
        guard let bytes = sqlite3_column_text(statement, column) else {
            self = ""
            return
        }
        let count = Int(sqlite3_column_bytes(statement, column))
        self = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .some(let value): value.bind(to: statement, at: index)
        case .none: sqlite3_bind_null(statement, index)
        }
    }

    init(column: Int32, of statement: OpaquePointer) {
        self =
            sqlite3_column_type(statement, column) == SQLITE_NULL
            ? nil : Wrapped(column: column, of: statement)
    }
}

/// A value that is stored as another one.
protocol StoredAs: SQLValue {
    associatedtype Stored: SQLValue
    var stored: Stored { get }
    init(stored: Stored)
}

extension StoredAs {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        stored.bind(to: statement, at: index)
    }

    init(column: Int32, of statement: OpaquePointer) {
        self.init(stored: Stored(column: column, of: statement))
    }
}

extension Int: StoredAs {
    var stored: Int64 { Int64(self) }
    init(stored: Int64) { self = Int(stored) }
}

extension Int32: StoredAs {
    var stored: Int64 { Int64(self) }
    init(stored: Int64) { self = Int32(truncatingIfNeeded: stored) }
}

extension Bool: StoredAs {
    var stored: Int64 { self ? 1 : 0 }
    init(stored: Int64) { self = stored != 0 }
}

extension FeedID: StoredAs {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(rawValue: stored) }
}

extension EpisodeID: StoredAs {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(rawValue: stored) }
}

/// Stored in whole seconds since 1970, and never outside the years that a calendar can print.
extension Date: StoredAs {
    var stored: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        // Year 0 to year 9999; a feed may claim any number, also none.
        guard seconds > -62_167_219_200 else { return -62_167_219_200 }
        return seconds < 253_402_300_799 ? Int64(seconds) : 253_402_300_799
    }

    init(stored: Int64) { self.init(timeIntervalSince1970: Double(stored)) }
}

/// Stored in milliseconds.
extension Duration: StoredAs {
    var stored: Int64 {
        let (seconds, attoseconds) = components
        // Beyond 100,000 years nothing is a duration, and the product would overflow.
        guard seconds.magnitude < 3_155_760_000_000 else { return seconds.signum() * 3_155_760_000_000_000 }
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    init(stored: Int64) { self = .milliseconds(stored) }
}
