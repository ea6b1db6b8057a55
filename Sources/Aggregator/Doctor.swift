public import FoundationEssentials
public import EpisodeStore
import Glibc

/// Looks whether the library is sound, and mends what can be mended.
public struct Doctor: Sendable {
    private let places: Places
    private let version: String
    private let homeFolder: String?
    private let now: @Sendable () -> Date

    public init(
        places: Places, version: String, homeFolder: String?, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.places = places
        self.version = version
        self.homeFolder = homeFolder
        self.now = now
    }

    /// Looks at everything and changes nothing.
    ///
    /// - Parameter readsTagged: Whether the files whose checksum is known are read and compared with it.
    public func examine(readsTagged: Bool = false) async throws(AggregatorError) -> Diagnosis {
        try refuseFolderAsDatabase(places)
        var diagnosis = Diagnosis(database: places.database)
        diagnosis.damage = try await damage()
        guard diagnosis.damage.isEmpty else {
            diagnosis.newestBackup = await backups.newestSound()
            return diagnosis
        }
        let aggregator = try Aggregator.reading(
            places: places, version: version, homeFolder: homeFolder, now: now)
        try await aggregator?.examineFiles(into: &diagnosis, readsTagged: readsTagged)
        return diagnosis
    }

    /// Mends what `examine` finds, as the only process that downloads; the result tells what was found and done.
    ///
    /// - Parameter takesForGone: Whether the files of a library that holds none of them are gone, and not elsewhere.
    public func repair(takesForGone: Bool = false, readsTagged: Bool = false) async throws(AggregatorError)
        -> Diagnosis
    {
        try refuseFolderAsDatabase(places)
        var diagnosis = Diagnosis(database: places.database)
        guard access(places.data, F_OK) == 0 else { return diagnosis }
        guard let lock = try QueueLock.take(at: places.queueLock) else {
            throw .store(reason: "another podget is downloading; repair when it has ended")
        }
        diagnosis.damage = try await damage()
        if !diagnosis.damage.isEmpty {
            diagnosis.newestBackup = await backups.newestSound()
            try replaceDatabase(&diagnosis)
        }
        let aggregator = try Aggregator(
            places: places, version: version, homeFolder: homeFolder, isOffline: true, now: now)
        if !diagnosis.damage.isEmpty {
            diagnosis.subscribedAgain = try await aggregator.subscribeToKeptFeeds()
            // The files of episodes that only a refresh will bring.
            try replaceFile(at: places.filesUnsorted, with: [])
        }
        try await aggregator.examineFiles(
            into: &diagnosis, takesForGone: takesForGone, readsTagged: readsTagged)
        try await aggregator.mendFiles(of: diagnosis)
        diagnosis.isRepaired = true
        lock.giveBack()
        return diagnosis
    }

    private var backups: Backups { Backups(folder: places.backups) }

    /// What is wrong with the database; nothing where there is none, unless copies show that there was one.
    private func damage() async throws(AggregatorError) -> [String] {
        do throws(StoreError) {
            return try await Library(path: places.database, mode: .readOnly).integrityCheck()
        } catch .notFound {
            return places.hasRemains ? ["it is gone, and there are copies of it or of its feeds"] : []
        } catch .damaged(let message) {
            let path = places.database + ": "
            return [message.hasPrefix(path) ? String(message.dropFirst(path.count)) : message]
        } catch {
            throw .store(reason: error.description)
        }
    }

    /// Puts the damaged file aside, so that nothing of it is lost, and the newest sound copy into its place.
    private func replaceDatabase(_ diagnosis: inout Diagnosis) throws(AggregatorError) {
        do {
            if access(places.database, F_OK) == 0 {
                diagnosis.setAside = try Library.setAside(places.database, now: now())
            }
            if let backup = diagnosis.newestBackup {
                try Library.restore(from: backup, to: places.database)
            } else {
                _ = try Library(path: places.database)
            }
        } catch {
            throw .store(reason: error.description)
        }
    }
}

/// What a look at the library found.
public struct Diagnosis: Sendable {
    public let database: String

    /// What is wrong with the database; with damage, nothing else was looked at.
    public var damage: [String] = []

    /// The copy to bring back where the database is damaged.
    public var newestBackup: String?

    /// Feeds that the copy does not know, and the kept list of feeds does.
    public var subscribedAgain: [FeedRecord] = []

    /// Where the damaged database is now.
    public var setAside: String?

    /// Why the library's disk seems not to be mounted; then its files were not looked at.
    public var absence: String?

    /// Recorded files that are gone, or empty.
    public var missing: [FileProblem] = []

    /// Files that were missing, and are there again.
    public var returned: [FileProblem] = []

    /// Files that are smaller than they were recorded, with their size now: nothing is done about them.
    public var shortened: [(problem: FileProblem, byteCount: Int64)] = []

    /// Files that are those of episodes, and are not recorded.
    public var forgotten: [ForgottenFile] = []

    /// Files in the library that belong to no episode: nothing is done about them, they may be the user's own.
    public var strangers: [String] = []

    /// Partial downloads that nobody wants any more, by their files.
    public var stalePartials: [String] = []

    /// Files that are not what they were when tags had been written into them: nothing is done about them.
    public var altered: [FileProblem] = []

    /// Whether all that can be mended was mended.
    public var isRepaired = false

    init(database: String) {
        self.database = database
    }

    public var hasProblems: Bool {
        !damage.isEmpty || hasLasting
            || !(missing.isEmpty && returned.isEmpty && forgotten.isEmpty && stalePartials.isEmpty)
    }

    /// Whether something is wrong that no repair mends.
    public var hasLasting: Bool { absence != nil || !(shortened.isEmpty && altered.isEmpty) }
}

/// A recorded file with which something is wrong.
public struct FileProblem: Sendable {
    public let file: StoredFile
    public var episode: EpisodeReference { EpisodeReference(file) }

    /// Absolute.
    public let path: String
}

/// A finished file that lost its row, as after a backup was brought back.
public struct ForgottenFile: Sendable {
    public let episode: EpisodeReference
    public let path: String
    public let byteCount: Int64
}
