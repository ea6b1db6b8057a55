internal import CSQLite
internal import Glibc

/// Everything that is remembered: feeds, episodes, downloads and their history.
///
/// It owns one connection. Readers that must not wait for a transaction of this one open a second library,
/// `readOnly`: it sees the last committed state at any time, also while another process writes.
public actor Library {
    public enum Mode: Sendable { case readWrite, readOnly }

    /// The version of the schema that this program writes.
    public static let schemaVersion = Migration.all.last?.version ?? 0

    let connection: Connection
    let path: String
    let isReadOnly: Bool

    /// The names that downloads have reserved.
    var fileStems = FileStemCache()

    /// The feed documents that the next transaction stores, and who waits for that.
    var waitingDocuments: [(FeedDocument, CheckedContinuation<Result<RefreshOutcome, StoreError>, Never>)] =
        []

    /// The steps of downloads that the next transaction takes.
    var waitingSteps: [SharedStep] = []

    /// With this many episodes a transaction takes no more documents, so that no other writer waits for long.
    static let groupEpisodeCount = 2000

    /// Opens the library at a path; `:memory:` is one that dies with the actor.
    ///
    /// `readWrite` creates the file (not its folder) and brings it to the present version, after a copy to
    /// `PATH.vN`; `readOnly` throws `notFound` where there is none.
    public init(path: String, mode: Mode = .readWrite) throws(StoreError) {
        self.path = path
        isReadOnly = mode == .readOnly
        switch mode {
        case .readWrite: connection = try Self.openForWriting(path)
        case .readOnly: connection = try Self.openForReading(path)
        }
    }

    static func openForWriting(_ path: String) throws(StoreError) -> Connection {
        let connection = try Connection(path: path, access: .readWrite)
        try Migrator(connection: connection, path: path).migrate()
        try connection.execute("PRAGMA foreign_keys = ON")
        // Room for what a refresh writes in one transaction: 5 MB, in units of 1024 bytes.
        try connection.execute("PRAGMA cache_size = -5120")
        // With any limit the log is emptied when the last connection closes: a reader in a folder that cannot be
        // written must find it so. One of zero would cut the file again and again while it is in use.
        try connection.execute("PRAGMA journal_size_limit = 33554432")
        connection.checkpointBesideWriter(Checkpointer(path: path))
        return connection
    }

    private static func openForReading(_ path: String) throws(StoreError) -> Connection {
        guard access(path, F_OK) == 0 else { throw .notFound(path: path) }
        do {
            return try checked(Connection(path: path, access: .readOnly), path)
        } catch  where Self.lacksSharedMemory(error) {
            // A read-only folder has no place for the shared memory that readers and writers meet in, and then
            // there is no writer either. A log that was left behind cannot be read without it.
            guard isEmptyOrAbsent(path + "-wal") else { throw .readOnly }
            return try checked(Connection(path: path, access: .immutable), path)
        }
    }

    private static func lacksSharedMemory(_ error: StoreError) -> Bool {
        switch error {
        case .readOnly: true
        case .sqlite(let error): error.code & 0xFF == SQLITE_CANTOPEN
        default: false
        }
    }

    private static func checked(_ connection: Connection, _ path: String) throws(StoreError) -> Connection {
        let version = try Migrator(connection: connection, path: path).check()
        guard version > 0 else { throw .notFound(path: path) }
        if version < schemaVersion {
            // A reader cannot migrate; a writer that comes and goes can.
            _ = try openForWriting(path)
        }
        return connection
    }

    private static func isEmptyOrAbsent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_size == 0
    }
}
