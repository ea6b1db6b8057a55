/// The file names that are taken in the folders of a library, in lower case.
///
/// Reading them for each of a thousand downloads would take a thousand times a thousand steps.
struct FileStemCache {
    private static let folderLimit = 32

    private var stems: [String: Set<String>] = [:]

    /// The state of the database that they were read from: other connections may have changed it since.
    private var version: Int64?

    /// Returns the names in a folder; `except` counts only where they have to be read.
    mutating func taken(
        in folder: String, except id: EpisodeID, _ connection: Connection
    ) throws(StoreError) -> Set<String> {
        let version: Int64? = try connection.value("PRAGMA data_version")
        if version != self.version || stems.count > Self.folderLimit { stems = [:] }
        self.version = version
        if let known = stems[folder] { return known }
        let names: [String] = try connection.rows(
            "SELECT file_stem FROM download WHERE folder = ?1 AND episode_id <> ?2", folder, id
        ) { $0.next() }
        let read = Set(names.map { $0.lowercased() })
        stems[folder] = read
        return read
    }

    mutating func add(_ stem: String, in folder: String) {
        stems[folder]?.insert(stem.lowercased())
    }

    /// Forgets everything; the next question reads it anew.
    mutating func forget() {
        stems = [:]
    }
}
