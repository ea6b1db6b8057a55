/// The file names that are taken in the folders of a library, in lower case.
///
/// Reading them for each of a thousand downloads would take a thousand times a thousand steps.
struct FileStemCache {
    private static let folderLimit = 32

    private var stems: [String: Set<String>] = [:]

    /// The state of the database that they were read from: other connections may have changed it since.
    private var version: Int64?

    /// Has the names of a folder ready; `except` counts only where they have to be read.
    mutating func prepare(
        _ folder: String, except id: EpisodeID, _ connection: Connection
    ) throws(StoreError) {
        let version: Int64? = try connection.value("PRAGMA data_version")
        if version != self.version || stems.count > Self.folderLimit { stems = [:] }
        self.version = version
        if stems[folder] != nil { return }
        let names: [String] = try connection.rows(
            "SELECT file_stem FROM download WHERE folder = ?1 AND episode_id <> ?2", folder, id
        ) { $0.next() }
        stems[folder] = Set(names.map { $0.lowercased() })
    }

    /// Whether a name in lower case is taken in a folder that was prepared.
    func isTaken(_ name: String, in folder: String) -> Bool { stems[folder]?.contains(name) == true }

    mutating func add(_ stem: String, in folder: String) {
        stems[folder]?.insert(stem.lowercased())
    }

    /// Forgets everything; the next question reads it anew.
    mutating func forget() {
        stems = [:]
    }
}
