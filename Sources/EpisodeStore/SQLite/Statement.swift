internal import CSQLite

/// A prepared statement.
///
/// It must not outlive its connection; within one function it cannot.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: Connection
    private let sql: String

    /// The column that `next` reads.
    private var column: Int32 = 0

    init(_ sql: String, on connection: Connection) throws(StoreError) {
        handle = try connection.takeStatement(sql)
        self.connection = connection
        self.sql = sql
    }

    deinit {
        connection.giveBack(handle, sql)
    }

    /// Gives the parameters their values and makes the statement ready to run (again).
    mutating func bind(_ values: [any SQLValue]) throws(StoreError) {
        // It repeats the error of the last step, which has been thrown already.
        _ = sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            try connection.check(value.bind(to: handle, at: Int32(index + 1)), sql: sql)
        }
    }

    /// Moves to the next row; `false` after the last one.
    mutating func step() throws(StoreError) -> Bool {
        column = 0
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, sql: sql)
        }
    }

    /// Binds values and runs to the end.
    mutating func run(_ values: [any SQLValue]) throws(StoreError) {
        try bind(values)
        while try step() {}
    }

    /// Binds values and runs to the end, as the other `run` does, without a box for each value.
    mutating func run<each Value: SQLValue>(_ values: repeat each Value) throws(StoreError) {
        _ = sqlite3_reset(handle)
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            try connection.check(value.bind(to: handle, at: index), sql: sql)
        }
        while try step() {}
    }

    /// Reads the next column of the row.
    ///
    /// A record is built from its columns in the order of the `SELECT`.
    mutating func next<Value: SQLValue>() -> Value {
        defer { column += 1 }
        return Value(column: column, of: handle)
    }

    /// Reads the next column as a case of an enumeration; `nil` for `NULL` and for an unknown case.
    mutating func nextCase<Value: RawRepresentable>() -> Value? where Value.RawValue == String {
        let name: String? = next()
        return name.flatMap(Value.init(rawValue:))
    }
}
