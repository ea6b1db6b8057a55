internal import CSQLite
internal import Glibc

/// One connection to one SQLite database.
///
/// It belongs to whoever opened it and is not `Sendable`: SQLite's own locks are switched off (`NOMUTEX`).
final class Connection {
    enum Access { case readWrite, readOnly, immutable }

    /// How much a commit may lose when the power fails.
    enum Durability: String {
        /// The last commits may be lost, never more: for what a server can tell again.
        case normal = "NORMAL"

        /// Nothing: for what a user would miss.
        case full = "FULL"
    }

    let handle: OpaquePointer
    private var durability: Durability?
    private var checkpointer: Checkpointer?

    /// Statements that nobody uses now, by their text: preparing one takes longer than running most of them.
    private var idleStatements: [String: OpaquePointer] = [:]
    private static let idleLimit = 100

    /// SQLite takes a lock at every allocation to count its memory, which nobody asks for.
    ///
    /// Refused where SQLite is in use already, and then it counts.
    private static let countsNoMemory = podget_sqlite_count_no_memory() == SQLITE_OK

    init(path: String, access: Access) throws(StoreError) {
        _ = Self.countsNoMemory
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly, .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        if access == .readWrite, path != ":memory:" {
            Self.createPrivateFile(path)
        }
        let name = access == .immutable ? Self.immutableURI(path) : path
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(code: code, message: Self.message(of: opened, code), sql: nil)
            // SQLite hands out a handle even when opening fails; closing a handle without statements cannot fail.
            _ = sqlite3_close_v2(opened)
            throw StoreError(error)
        }
        handle = opened
        try configure()
        if access == .readWrite { keepLogFiles() }
    }

    deinit {
        for statement in idleStatements.values { _ = sqlite3_finalize(statement) }
        checkpointer?.finish()
        // Only a misused handle makes this fail, and open statements merely delay it.
        _ = sqlite3_close_v2(handle)
    }

    /// Creates the file readable by its owner only: addresses of private feeds hold secrets.
    private static func createPrivateFile(_ path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            // A failure shows again, with its reason, when SQLite opens the file.
            guard descriptor >= 0 else { return }
            // Of a file that was there, closing it would end the locks of all connections of this process (POSIX).
            _ = close(descriptor)
            guard stat(path, &status) == 0 else { return }
        }
        guard status.st_mode & S_IWUSR != 0 else { return }
        // SQLite gives the files beside it the mode it had then: one that may be written again has them follow.
        for other in [path + "-wal", path + "-shm"] {
            var otherStatus = stat()
            guard lstat(other, &otherStatus) == 0, otherStatus.st_mode & S_IFMT == S_IFREG,
                otherStatus.st_mode & S_IWUSR == 0
            else { continue }
            _ = chmod(other, status.st_mode & 0o777)
        }
    }

    /// Distrusts the file: nothing in it can call functions, change the schema or be read beyond its cells.
    private func configure() throws(StoreError) {
        let flags: [(option: Int32, value: Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ]
        for flag in flags {
            try check(podget_sqlite_set_flag(handle, flag.option, flag.value))
        }
        try addSearchFunctions()
        try setBusyTimeout(milliseconds: 5000)
    }

    /// Lets the files beside the database stay when the last connection closes.
    ///
    /// Made anew they need space, and without any the library could not be opened, not even to delete something.
    private func keepLogFiles() {
        var isOn: Int32 = 1
        // Refused by databases in memory, which have no such files.
        _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    /// Has the pages of the log moved into the database by another thread.
    func checkpointBesideWriter(_ checkpointer: Checkpointer) {
        self.checkpointer = checkpointer
        // It takes the place of SQLite's own, and is called within this connection's commits only.
        let context = Unmanaged.passUnretained(checkpointer).toOpaque()
        _ = sqlite3_wal_hook(
            handle,
            { context, handle, _, pageCount in
                if let context, let handle {
                    let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
                    checkpointer.logHasGrown(to: Int(pageCount), of: handle)
                }
                return SQLITE_OK
            }, context)
    }

    func setBusyTimeout(milliseconds: Int32) throws(StoreError) {
        try check(sqlite3_busy_timeout(handle, milliseconds))
    }

    /// Runs statements without values, one after the other.
    func execute(_ script: String) throws(StoreError) {
        try check(sqlite3_exec(handle, script, nil, nil, nil), sql: script)
    }

    /// Prepares a statement, or takes one of this text that is idle.
    func takeStatement(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let idle = idleStatements.removeValue(forKey: sql) { return idle }
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil), sql: sql)
        guard let prepared else {
            throw .sqlite(SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql))
        }
        return prepared
    }

    /// Takes a statement back when its user is done with it.
    func giveBack(_ statement: OpaquePointer, _ sql: String) {
        // It repeats the error of the last step, which has been thrown already.
        _ = sqlite3_reset(statement)
        guard idleStatements.count < Self.idleLimit, idleStatements[sql] == nil else {
            _ = sqlite3_finalize(statement)
            return
        }
        // Long texts are not to be held until the next use.
        _ = sqlite3_clear_bindings(statement)
        idleStatements[sql] = statement
    }

    func prepare(_ sql: String) throws(StoreError) -> Statement {
        try Statement(sql, on: self)
    }

    /// Runs one statement to its end and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: any SQLValue...) throws(StoreError) -> Int {
        var statement = try prepare(sql)
        try statement.run(values)
        return changedRowCount
    }

    /// Returns what a closure makes of each row.
    func rows<Element>(
        _ sql: String, _ values: any SQLValue..., read: (inout Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        try rows(sql, values, read: read)
    }

    /// Returns what a closure makes of each row.
    func rows<Element>(
        _ sql: String, _ values: [any SQLValue], read: (inout Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        var statement = try prepare(sql)
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() {
            elements.append(try read(&statement))
        }
        return elements
    }

    /// Returns what a closure makes of the first row.
    func first<Element>(
        _ sql: String, _ values: any SQLValue..., read: (inout Statement) throws(StoreError) -> Element
    ) throws(StoreError) -> Element? {
        var statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? try read(&statement) : nil
    }

    /// Returns the first column of the first row.
    func value<Element: SQLValue>(_ sql: String, _ values: any SQLValue...) throws(StoreError) -> Element? {
        var statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.next() : nil
    }

    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

    var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

    /// Runs a closure in a write transaction, of which all or nothing remains.
    ///
    /// The closure is synchronous, so that no statement lives across a suspension. `IMMEDIATE` takes the write
    /// lock at once: a transaction that began by reading could not wait for it.
    func transaction<Result>(
        _ durability: Durability, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if self.durability != durability {
            try execute("PRAGMA synchronous = \(durability.rawValue)")
            self.durability = durability
        }
        return try enclosed(by: "BEGIN IMMEDIATE", body)
    }

    /// Runs a closure that reads more than once and must see one state of the database.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try enclosed(by: "BEGIN", body)
    }

    private func enclosed<Result>(
        by begin: String, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try execute(begin)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some errors (disk full, I/O) have rolled back already, and then there is nothing to roll back.
            if sqlite3_get_autocommit(handle) == 0 {
                _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            }
            throw error
        }
    }

    func check(_ code: Int32, sql: String? = nil) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw error(code, sql: sql)
    }

    func error(_ code: Int32, sql: String?) -> StoreError {
        // SQLite knows a full disk, and takes a full share of one for a broken disk.
        if code & 0xFF == SQLITE_IOERR, isBeyondQuota { return .full }
        let error = StoreError(SQLiteError(code: code, message: Self.message(of: handle, code), sql: sql))
        guard case .damaged(let message) = error, let path = sqlite3_db_filename(handle, "main") else {
            return error
        }
        return .damaged(message: "\(String(cString: path)): \(message)")
    }

    /// Whether the system refused the last write to the database or to its log because of the user's quota.
    private var isBeyondQuota: Bool {
        [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].contains { which in
            var file: UnsafeMutablePointer<sqlite3_file>?
            var code: Int32 = 0
            guard sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK,
                let file, let methods = file.pointee.pMethods,
                methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK
            else { return false }
            return code == EDQUOT
        }
    }

    private static func message(of handle: OpaquePointer?, _ code: Int32) -> String {
        // Without a handle (no memory for one) only the code speaks.
        guard let words = handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle) else { return "" }
        return String(cString: words)
    }

    /// The form in which SQLite reads a file that nobody changes, without a lock or a shared-memory file.
    private static func immutableURI(_ path: String) -> String {
        let plain = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let escaped = path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
        return "file:\(escaped)?immutable=1"
    }
}

extension StoreError {
    /// Turns SQLite's code into what the user can do about it.
    init(_ error: SQLiteError) {
        // The file of the shared memory cannot grow: a full disk, whatever else it is called.
        if error.code == sharedMemoryTooSmall {
            self = .full
            return
        }
        switch error.code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(message: error.message)
        // The statements are ours and name what every library has: somebody took it away.
        case SQLITE_ERROR where error.message.hasPrefix("no such "): self = .damaged(message: error.message)
        default: self = .sqlite(error)
        }
    }
}

/// `SQLITE_IOERR_SHMSIZE`, a macro that Swift does not import.
private let sharedMemoryTooSmall = SQLITE_IOERR | (19 << 8)
