extension Library {
    /// Looks through the whole database and returns what is wrong with it, nothing if it is sound.
    public func integrityCheck() throws(StoreError) -> [String] {
        let findings: [String] = try connection.rows("PRAGMA integrity_check") { $0.next() }
        let orphans: [String] = try connection.rows("PRAGMA foreign_key_check") { row throws(StoreError) in
            let table: String = row.next()
            return "a row of \(table) refers to nothing"
        }
        return findings.filter { $0 != "ok" } + orphans + (try missingParts())
    }

    /// The tables and indexes that a new library has and this one lacks.
    private func missingParts() throws(StoreError) -> [String] {
        func parts(of connection: Connection) throws(StoreError) -> [String] {
            try connection.rows("SELECT type || ' ' || name FROM sqlite_schema ORDER BY name") { $0.next() }
        }
        let present = Set(try parts(of: connection))
        return try parts(of: Self.openForWriting(":memory:")).filter { !present.contains($0) }
            .map { "the \($0) is gone" }
    }

    /// Writes a consistent copy to a file, while others read and write.
    public func backup(to path: String) throws(StoreError) {
        try BackupCopy(of: connection).write(to: path)
    }
}
