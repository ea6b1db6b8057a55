/// The folders and files that podget keeps.
///
/// Everything that must survive stands in `data`; everything in `cache` may be deleted at any time.
public struct Places: Equatable, Sendable {
    public let data: String
    public let cache: String
    public let configFile: String
    public let defaultLibrary: String

    /// Finds the places by the XDG base directory specification, or under one folder if `home` is given.
    ///
    /// `variables` are those of the process: `PODGET_HOME`, `HOME` and the `XDG_*` ones. A relative `XDG_*` path is
    /// ignored, as that specification demands. Returns nil where no home folder is known.
    public init?(variables: [String: String], home: String?, workingDirectory: String) {
        if let root = home ?? variables["PODGET_HOME"], !root.isEmpty {
            let root = absolutePath(root, in: workingDirectory)
            data = root + "/data"
            cache = root + "/cache"
            configFile = root + "/config.json5"
            defaultLibrary = root + "/Podcasts"
            return
        }
        guard let user = variables["HOME"], user.hasPrefix("/") else { return nil }
        func base(_ variable: String, _ fallback: String) -> String {
            if let path = variables[variable], path.hasPrefix("/") { return path }
            return user + "/" + fallback
        }
        data = base("XDG_DATA_HOME", ".local/share") + "/podget"
        cache = base("XDG_CACHE_HOME", ".cache") + "/podget"
        configFile = base("XDG_CONFIG_HOME", ".config") + "/podget/config.json5"
        defaultLibrary = user + "/Podcasts"
    }

    public var database: String { data + "/podget.db" }
    public var backups: String { data + "/backups" }

    /// The subscribed feeds with their settings, as of the last change.
    public var keptFeeds: String { backups + "/feeds.json" }
    /// Stands there as long as a repaired library may not know all of its files.
    var filesUnsorted: String { data + "/files-unsorted" }
    public var queueLock: String { data + "/queue.lock" }
    public var backgroundLog: String { data + "/background.log" }

    /// Pictures that were fetched with downloads.
    public var extrasFolder: String { data + "/media" }
    var extrasLock: String { data + "/extras.lock" }
    public var resumeFolder: String { cache + "/resume" }
}

/// Makes a path absolute, and plain: without `.`, `..`, double and trailing slashes.
public func absolutePath(_ path: String, in workingDirectory: String) -> String {
    let full = path.hasPrefix("/") ? path : workingDirectory + "/" + path
    var parts: [Substring] = []
    for part in full.split(separator: "/") {
        switch part {
        case ".": continue
        case "..": _ = parts.popLast()
        default: parts.append(part)
        }
    }
    return "/" + parts.joined(separator: "/")
}
