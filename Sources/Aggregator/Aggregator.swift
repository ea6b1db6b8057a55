public import EpisodeStore
public import FoundationEssentials
import Downloader
import Glibc

/// The use cases of podget, on one library: subscribe, refresh, sync, download, storage, playlists.
///
/// It prints nothing and reads no arguments: what happens is told through `SyncEvent`s and results.
public final class Aggregator: Sendable {
    public let library: Library
    public let places: Places
    public let settings: Settings

    /// Where finished files go.
    public let mediaFolder: String

    /// The certificates to trust instead of the system's.
    let caBundle: String?
    let isOffline: Bool

    /// Variables for the programs that are run.
    let variables: [String: String]

    /// The path of podget itself, which writes tags in a process of its own.
    let program: String
    let now: @Sendable () -> Date

    /// The version of the program, for the name it gives itself to servers.
    private let version: String

    /// The program that runs, also where its file was replaced meanwhile.
    public static let runningProgram = "/proc/self/exe"

    /// Opens the library of `places`, creating its folder and database where they do not exist.
    ///
    /// - Parameters:
    ///   - caBundle: A file of certificates to trust, unless the settings name one.
    ///   - program: The path of podget, which writes tags in a process of its own; by default this program.
    public init(
        places: Places, version: String, homeFolder: String?, caBundle: String? = nil,
        isOffline: Bool = false, variables: [String: String] = [:],
        program: String = Aggregator.runningProgram,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(AggregatorError) {
        settings = try readSettings(places)
        mediaFolder = try Self.mediaFolder(settings, places, homeFolder: homeFolder)
        try refuseIfVanished(places)
        self.caBundle =
            try settings.caBundle.map { path throws(AggregatorError) in
                try Self.absolute(path, "caBundle", places, homeFolder: homeFolder)
            } ?? caBundle
        try createFolders(places.data)
        try refuseFolderAsDatabase(places)
        library = try explained { () throws(StoreError) in try Library(path: places.database) }
        self.places = places
        self.version = version
        self.isOffline = isOffline
        self.variables = variables
        self.program = program
        self.now = now
    }

    /// Opens the library for reading only; nothing is created and no writer is waited for.
    ///
    /// Returns nil where there is no library yet.
    public static func reading(
        places: Places, version: String, homeFolder: String?, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(AggregatorError) -> Aggregator? {
        try refuseFolderAsDatabase(places)
        let library: Library
        do {
            library = try Library(path: places.database, mode: .readOnly)
        } catch .notFound {
            try refuseIfVanished(places)
            return nil
        } catch {
            throw AggregatorError(error)
        }
        return try Aggregator(
            library: library, places: places, version: version, homeFolder: homeFolder, now: now)
    }

    private init(
        library: Library, places: Places, version: String, homeFolder: String?,
        now: @escaping @Sendable () -> Date
    ) throws(AggregatorError) {
        settings = try readSettings(places)
        mediaFolder = try Self.mediaFolder(settings, places, homeFolder: homeFolder)
        self.library = library
        self.places = places
        self.version = version
        self.now = now
        isOffline = true
        variables = [:]
        program = Self.runningProgram
        caBundle = nil
    }

    /// The absolute path of a stored file, whose path is kept relative to the media folder.
    public func absolutePath(ofStored path: String) -> String {
        path.hasPrefix("/") ? path : mediaFolder + "/" + path
    }

    /// The absolute path of the stored picture of an episode, else of its show; nil where its file is gone.
    public func artworkPath(of episode: EpisodeDetail) -> String? {
        episode.artwork.map { places.extrasFolder + "/" + $0 }.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }

    /// Opens the engine that moves bytes; the caller shuts it down.
    func openTransferLoop() throws(AggregatorError) -> TransferLoop {
        var configuration = TransferConfiguration()
        configuration.userAgent = settings.userAgent ?? "podget/\(version)"
        configuration.caBundlePath = caBundle
        configuration.usesNetrc = true
        configuration.bandwidthLimit = settings.bandwidthLimit
        configuration.maximumConnectionsPerHost = settings.transfersPerHost
        do {
            return try TransferLoop(configuration)
        } catch {
            throw .unreachable("the network", reason: error.description)
        }
    }

    private static func mediaFolder(
        _ settings: Settings, _ places: Places, homeFolder: String?
    ) throws(AggregatorError) -> String {
        guard let wanted = settings.library else { return places.defaultLibrary }
        return try absolute(wanted, "library", places, homeFolder: homeFolder)
    }

    private static func absolute(
        _ wanted: String, _ key: String, _ places: Places, homeFolder: String?
    ) throws(AggregatorError) -> String {
        if wanted.hasPrefix("/") { return wanted }
        if wanted == "~" || wanted.hasPrefix("~/"), let homeFolder {
            return homeFolder + wanted.dropFirst()
        }
        throw .settings(
            places.configFile, reason: "'\(key)' must be an absolute path or begin with ~/")
    }
}

/// Refuses to begin a new library where one has vanished: its copies would be replaced by those of the empty one.
private func refuseIfVanished(_ places: Places) throws(AggregatorError) {
    var status = stat()
    let isThere = stat(places.database, &status) == 0
    let isGone = !isThere && errno == ENOENT
    guard isGone || (isThere && status.st_size == 0), places.hasRemains else { return }
    throw .store(
        reason:
            "\(places.database) is \(isGone ? "gone" : "empty"); 'podget doctor --repair' brings back what "
            + "\(places.backups) holds of it. To begin anew, remove that folder too"
    )
}

extension Places {
    /// Whether there are copies of the library, or feeds that it knew.
    var hasRemains: Bool { !Backups(folder: backups).all().isEmpty || !KeptFeed.read(keptFeeds).isEmpty }
}

/// SQLite would call it an error of the disk.
func refuseFolderAsDatabase(_ places: Places) throws(AggregatorError) {
    var status = stat()
    guard stat(places.database, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw .store(
        reason: "\(places.database) is no file, and the library's database belongs there; move it away")
}

private func readSettings(_ places: Places) throws(AggregatorError) -> Settings {
    do {
        return try Settings(file: places.configFile)
    } catch {
        throw .settings(places.configFile, reason: error.message)
    }
}

/// Runs work of the store and turns its errors into ours.
func explained<Result>(_ work: () throws(StoreError) -> Result) throws(AggregatorError) -> Result {
    do {
        return try work()
    } catch {
        throw AggregatorError(error)
    }
}
