import Downloader
import EpisodeStore
import FoundationEssentials
import Glibc

/// Compares what is recorded with what lies on the disk, and brings the two together again.
extension Aggregator {
    /// - Parameters:
    ///   - takesForGone: Whether the files of a library that holds none of them are gone, and not elsewhere.
    ///   - readsTagged: Whether the files whose checksum is known are read and compared with it.
    func examineFiles(
        into diagnosis: inout Diagnosis, takesForGone: Bool = false, readsTagged: Bool = false
    ) async throws(AggregatorError) {
        let files = try await storedFiles()
        diagnosis.absence = takesForGone ? nil : libraryAbsence(files)
        if diagnosis.absence == nil {
            diagnosis.missing = files.filter { presence(of: $0) == .missing }.map(problem)
            diagnosis.shortened = files.compactMap { file in
                guard case .shortened(let byteCount) = presence(of: file) else { return nil }
                return (problem(file), byteCount)
            }
            if readsTagged { diagnosis.altered = try await alteredFiles(among: files) }
            diagnosis.returned = try await returnedFiles().map(problem)
            let known = Set(files.map(\.path) + diagnosis.returned.map(\.file.path))
            try await sort(mediaFiles(in: mediaFolder).filter { !known.contains($0) }, into: &diagnosis)
        }
        let wanted = try await wantedKeys()
        let folder = ResumeFolder(path: places.resumeFolder)
        diagnosis.stalePartials = folder.keys().subtracting(wanted).sorted().map {
            "\(folder.path)/\($0).part"
        }
    }

    func mendFiles(of diagnosis: Diagnosis) async throws(AggregatorError) {
        for problem in diagnosis.missing { _ = try await markMissing(problem.file) }
        for problem in diagnosis.returned { _ = try await markReturned(problem.file) }
        try await record(diagnosis.forgotten)
        let wanted = try await wantedKeys()
        do throws(TransferError) {
            try ResumeFolder(path: places.resumeFolder).removeAll(except: wanted)
        } catch {
            throw .file(places.resumeFolder, reason: error.description)
        }
        try await writePlaylists { _ in }
    }

    /// Records the files of episodes that a refresh has brought back since the library was repaired, so that none of
    /// them is downloaded once more.
    func recogniseFiles(report: SyncReport) async throws(AggregatorError) {
        guard access(places.filesUnsorted, F_OK) == 0 else { return }
        var diagnosis = Diagnosis(database: places.database)
        try await examineFiles(into: &diagnosis)
        try await record(diagnosis.forgotten)
        if !diagnosis.forgotten.isEmpty {
            let count = diagnosis.forgotten.count
            report(
                .note(
                    "\(count == 1 ? "1 file" : "\(count) files") in the library recognised after its repair"))
        }
        let feeds = try await stored { library, _ throws(StoreError) in try await library.feeds() }
        // A feed that is away may still bring the episodes of some.
        if diagnosis.absence == nil, feeds.allSatisfy({ $0.lastSucceeded != nil || $0.isGone }) {
            _ = unlink(places.filesUnsorted)
        }
    }

    private func record(_ files: [ForgottenFile]) async throws(AggregatorError) {
        for file in files {
            let stored = relativePath(file.path, from: mediaFolder)
            let result = DownloadResult(path: stored, byteCount: file.byteCount, isVerified: false)
            // One that has got another file meanwhile needs none.
            _ = try await self.stored { library, now throws(StoreError) in
                try await library.markDone(
                    EpisodeID(rawValue: file.episode.id), result,
                    reason: "its file was found in the library", now: now)
            }
        }
    }

    private func problem(_ file: StoredFile) -> FileProblem {
        FileProblem(file: file, path: absolutePath(ofStored: file.path))
    }

    /// The files that are not what they were when tags had been written into them.
    private func alteredFiles(among files: [StoredFile]) async throws(AggregatorError) -> [FileProblem] {
        let checksums = try await stored { library, _ throws(StoreError) in try await library.taggedFiles() }
        return files.filter { file in
            guard let checksum = checksums[file.id], presence(of: file) != .missing else { return false }
            // What cannot be read cannot be said to be sound.
            return (try? fileChecksum(absolutePath(ofStored: file.path))) != checksum
        }.map(problem)
    }

    /// Removes the partial files of downloads that nobody wants any more.
    ///
    /// A process that downloads removes them itself, once it has stopped writing them; the next drain what stays here.
    func removeUnwantedPartials() async throws(AggregatorError) {
        guard let lock = try QueueLock.take(at: places.queueLock) else { return }
        let wanted = try await wantedKeys()
        try? ResumeFolder(path: places.resumeFolder).removeAll(except: wanted)
        lock.giveBack()
    }

    private func wantedKeys() async throws(AggregatorError) -> Set<String> {
        let status = try await stored { library, _ throws(StoreError) in try await library.downloadsStatus() }
        let wanted = status.active + status.queued + status.waiting + status.paused + status.failed
        return Set(wanted.map { $0.id.description })
    }

    /// Tells the files of episodes from those of others, by the names that podget gives.
    private func sort(_ paths: [String], into diagnosis: inout Diagnosis) async throws(AggregatorError) {
        guard !paths.isEmpty else { return }
        let owners = try await owners(ofFoldersOf: paths)
        for path in paths.sorted() {
            let full = mediaFolder + "/" + path
            if let episode = owners[withoutExtension(path)] ?? nil, let size = regularFileSize(full), size > 0
            {
                diagnosis.forgotten.append(
                    ForgottenFile(episode: EpisodeReference(episode), path: full, byteCount: size))
            } else {
                diagnosis.strangers.append(full)
            }
        }
    }

    /// The episodes without a file by the name that their file would have; nil where two would have one name.
    private func owners(ofFoldersOf paths: [String]) async throws(AggregatorError) -> [String: EpisodeRecord?]
    {
        let folders = Set(paths.map { String($0.prefix { $0 != "/" }) })
        let (feeds, reserved) = try await stored { library, _ throws(StoreError) in
            (try await library.feeds(includingUnsubscribed: true), try await library.reservedNames())
        }
        let names = Dictionary(uniqueKeysWithValues: reserved.map { ($0.id, "\($0.folder)/\($0.stem)") })
        let feedsOfFolders = Set(reserved.filter { folders.contains($0.folder) }.map(\.feedID))
        var owners: [String: EpisodeRecord?] = [:]
        for feed in feeds {
            let folder = feedFolderName(feed.title, id: feed.id)
            guard folders.contains(folder) || feedsOfFolders.contains(feed.id) else { continue }
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(EpisodeQuery(feed: feed.id))
            }
            for episode in episodes where episode.state.mayBeForgotten {
                let stem = cleanFileStem(
                    nameTemplate(date: episode.published, title: episode.title), byteLimit: 200)
                let name = names[episode.id] ?? "\(folder)/\(stem)"
                owners.updateValue(owners[name] == nil ? episode : nil, forKey: name)
            }
        }
        return owners
    }
}

extension DownloadState {
    /// Whether a file found under an episode's name is its own: not one that runs, or that a rule or the user deleted.
    fileprivate var mayBeForgotten: Bool {
        switch self {
        case .none, .queued, .waiting, .paused, .failed, .missing, .skipped: true
        case .active, .done, .deleted: false
        }
    }
}

/// The files below a folder that may be somebody's media, by their paths from there; playlists and hidden files are not.
private func mediaFiles(in folder: String) -> [String] {
    // What cannot be listed cannot be told of.
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { path in
        let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
        let isPlaylist = [".m3u8", ".m3u", ".pls", ".xspf"].contains { path.lowercased().hasSuffix($0) }
        return !isHidden && !isPlaylist && regularFileSize(folder + "/" + path) != nil
    }
}

private func withoutExtension(_ path: String) -> String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
    return String(path[..<dot])
}

/// The size of a regular file; nil for what is none, a link included.
private func regularFileSize(_ path: String) -> Int64? {
    var information = stat()
    guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(information.st_size)
}
