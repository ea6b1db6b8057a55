/// What can go wrong with the store.
public enum StoreError: Error, Equatable, Sendable {
    /// There is no database at this path yet: nothing has been subscribed to.
    case notFound(path: String)

    /// A newer version of the program wrote the database: use that one.
    case newerVersion(found: Int, supported: Int)

    /// The file is no intact database: restore a backup. The message begins with the path.
    case damaged(message: String)

    /// Another process kept the database locked for longer than the patience of this one: try again.
    case busy

    /// The database, its folder or this connection does not allow writing.
    case readOnly

    /// The disk is full: nothing was half-written, free some space and try again.
    case full

    /// A file beside the database could not be written, moved or removed.
    case file(message: String)

    /// No feed or episode has this number.
    case unknownIdentifier(Int64)

    /// The address belongs to another feed already.
    case addressTaken(by: FeedID)

    /// SQLite refused for another reason, which is a fault of this program or of the system.
    case sqlite(SQLiteError)
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path):
            "there is no library at \(path) yet"
        case .newerVersion(let found, let supported):
            "the library was written by a newer version (format \(found), this one reads up to \(supported))"
        case .damaged(let message):
            "the library is damaged (\(message)); 'podget doctor --repair' brings back the newest backup"
        case .busy:
            "the library is in use by another process; try again"
        case .readOnly:
            "the library cannot be written to"
        case .full:
            "the disk is full; nothing was changed"
        case .file(let message):
            message
        case .unknownIdentifier(let number):
            "nothing has the number \(number)"
        case .addressTaken(let feed):
            "the address belongs to feed \(feed)"
        case .sqlite(let error):
            error.description
        }
    }
}
