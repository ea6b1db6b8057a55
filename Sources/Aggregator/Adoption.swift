import Downloader
public import EpisodeStore
import FoundationEssentials
import Glibc

/// Existing files to take over as downloads.
public struct Adoption: Sendable {
    /// How a file outside the library comes into it.
    public enum Way: Sendable {
        case copy

        /// A second name of the same bytes, which only works on one file system.
        case link
        case move
    }

    /// The absolute path of a folder, or of the one file.
    public var path: String

    /// Files inside the library stay where they are.
    public var way = Way.copy
    public var isDryRun = false

    /// Variables for the programs that are run.
    public var variables: [String: String]

    public init(path: String, variables: [String: String]) {
        self.path = path
        self.variables = variables
    }
}

/// What became of one file.
public struct AdoptedFile: Sendable {
    public enum Result: Sendable {
        /// It is the episode's file now, at this path; in a dry run it would be, and the path is that of its folder.
        case adopted(EpisodeReference, AdoptionReason, path: String)

        /// It is the file of an episode already.
        case known

        /// Its episode has a file, or is being downloaded.
        case taken(EpisodeReference, AdoptionReason)

        /// Another file in the folder fits the episode better.
        case secondBest(EpisodeReference, of: String)

        /// It may be any of these episodes.
        case ambiguous([EpisodeReference])
        case unmatched
        case failed(EpisodeReference, message: String)
    }

    public let path: String
    public let result: Result
}

extension Aggregator {
    /// Takes over the media files in a folder and below it that are episodes of the subscribed feeds.
    ///
    /// No file is adopted twice, none is changed or replaced, and none that is no media file is touched. Tells each
    /// result as it comes; `report` tells of playlists and of what cannot be looked at.
    public func adopt(
        _ adoption: Adoption, report: @escaping SyncReport, result: (AdoptedFile) throws -> Void
    ) async throws {
        guard let folder = realPath(adoption.path) else { throw systemError(adoption.path) }
        guard isFolder(folder) else {
            throw AggregatorError.file(
                folder, reason: "is no folder; name the one it lies in, or tell what it is with --as EPISODE")
        }
        if !adoption.isDryRun { try await requireLibrary() }
        let paths = try mediaFiles(below: folder, report: report)
        let known = try await knownFiles()
        let isNew = paths.map { path in fileIdentity(path).map { !known.contains($0) } ?? false }
        let newPaths = zip(paths, isNew).filter(\.1).map(\.0)
        for (path, isNew) in zip(paths, isNew) where !isNew {
            try result(AdoptedFile(path: path, result: .known))
        }

        let files = try await describe(newPaths, in: folder, variables: adoption.variables, report: report)
        let matches = matchFiles(files, with: try await adoptionCandidates())
        var isChanged = false
        for (file, match) in zip(files, matches) {
            try Task.checkCancellation()
            let outcome = try await settle(file, match, adoption)
            if case .adopted = outcome { isChanged = !adoption.isDryRun }
            try result(AdoptedFile(path: file.path, result: outcome))
        }
        if isChanged { try await writePlaylists(report: report) }
    }

    /// Takes over one media file as the episode that the user says it is; nothing else is different from a folder.
    public func adopt(
        _ adoption: Adoption, as episode: EpisodeRecord, report: @escaping SyncReport
    ) async throws -> AdoptedFile {
        guard let path = realPath(adoption.path) else { throw systemError(adoption.path) }
        var information = stat()
        guard stat(path, &information) == 0 else { throw systemError(path) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw AggregatorError.file(path, reason: "is no file; --as tells which episode one file is")
        }
        if !adoption.isDryRun { try await requireLibrary() }
        guard try mediaContainer(path) != nil else {
            throw AggregatorError.file(path, reason: "does not begin like audio or video")
        }
        let identity = fileIdentity(path)
        let known = try await storedFiles().first { file in
            identity != nil && fileIdentity(absolutePath(ofStored: file.path)) == identity
        }
        if let known {
            guard known.id == episode.id else {
                throw AggregatorError.file(
                    path, reason: "is the file of \(known.feedTitle): \(known.title) (\(known.id)) already")
            }
            return AdoptedFile(path: path, result: .known)
        }
        let files = try await describe(
            [path], in: folderPart(of: path), variables: adoption.variables, report: report)
        guard let file = files.first else { throw systemError(path) }
        let outcome = try await settle(file, .found(episode.id, .user), adoption)
        if case .adopted = outcome, !adoption.isDryRun { try await writePlaylists(report: report) }
        return AdoptedFile(path: path, result: outcome)
    }

    private func settle(
        _ file: FoundFile, _ match: AdoptionMatch, _ adoption: Adoption
    ) async throws(AggregatorError) -> AdoptedFile.Result {
        switch match {
        case .none: return .unmatched
        case .ambiguous(let ids):
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(ids)
            }
            return .ambiguous(episodes.map { EpisodeReference($0) })
        case .secondBest(let id, let other):
            let episode = try await stored { library, _ throws(StoreError) in try await library.episode(id) }
            return episode.map { .secondBest(EpisodeReference($0), of: other) } ?? .unmatched
        case .found(let id, let reason):
            // One whose process is gone is not being downloaded.
            let detail = try await episodeDetail(id)
            guard let episode = detail?.record else { return .unmatched }
            let reference = EpisodeReference(episode)
            let hasFile =
                episode.state == .done
                && episode.filePath.map { access(absolutePath(ofStored: $0), F_OK) == 0 } ?? false
            guard !hasFile, episode.state != .active else { return .taken(reference, reason) }
            do throws(AggregatorError) {
                guard let path = try await adopt(file, as: episode, reason, adoption) else {
                    return .taken(reference, reason)
                }
                return .adopted(reference, reason, path: path)
            } catch {
                return .failed(reference, message: error.description)
            }
        }
    }

    /// Places the file where it has to be, and records it; returns where it is then, nil where another process has given the
    /// episode a file meanwhile.
    private func adopt(
        _ file: FoundFile, as episode: EpisodeRecord, _ reason: AdoptionReason, _ adoption: Adoption
    ) async throws(AggregatorError) -> String? {
        let library = realPath(mediaFolder) ?? mediaFolder
        let isInside = file.path.hasPrefix(library + "/")
        let folder = feedFolderName(episode.feedTitle, id: episode.feedID)
        guard !adoption.isDryRun else { return isInside ? file.path : mediaFolder + "/" + folder }
        var path = isInside ? mediaFolder + file.path.dropFirst(library.count) : file.path
        if !isInside {
            let preferred = cleanFileStem(
                nameTemplate(date: episode.published, title: episode.title), byteLimit: 200)
            let stem = try await stored { library, now throws(StoreError) in
                try await library.reserveFileStem(
                    for: episode.id, folder: folder, preferredStem: preferred, now: now)
            }
            do {
                path = try placeFile(
                    file.path, in: mediaFolder + "/" + folder, stem: stem,
                    fileExtension: file.fileExtension, by: adoption.way.placement,
                    isCancelled: { Task.isCancelled })
            } catch {
                throw .file(file.path, reason: error.description)
            }
        }
        var result = DownloadResult(
            path: relativePath(path, from: mediaFolder), byteCount: file.byteCount, isVerified: false,
            container: (try? mediaContainer(path))?.rawValue)
        result.duration = file.tags.duration
        let done = result
        let former = episode.state == .done ? episode.filePath : nil
        let isRecorded = try await stored { library, now throws(StoreError) in
            try await library.markDone(
                episode.id, done, former: former, reason: "adopted by \(reason): \(file.path)", now: now)
        }
        guard !isRecorded else { return path }
        if !isInside { _ = adoption.way == .move ? rename(path, file.path) : unlink(path) }
        return nil
    }

    /// The media files, judged by their first bytes, in the order of their paths; hidden ones and links are left out.
    private func mediaFiles(below folder: String, report: SyncReport) throws -> [String] {
        var found: [String] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            guard let names = folderNames(folder) else {
                report(.note("\(folder) cannot be read, and is left out"))
                continue
            }
            for bytes in names where bytes.first != UInt8(ascii: ".") {
                guard let name = String(validating: bytes, as: UTF8.self) else {
                    let shown = String(decoding: bytes, as: UTF8.self)
                    report(.note("\(folder)/\(shown) is left out, for its name is not UTF-8; rename it"))
                    continue
                }
                let path = folder == "/" ? "/" + name : folder + "/" + name
                var information = stat()
                guard lstat(path, &information) == 0 else { continue }
                switch information.st_mode & S_IFMT {
                case S_IFDIR: folders.append(path)
                case S_IFREG:
                    switch Result(catching: { try mediaContainer(path) }) {
                    case .success(_?): found.append(path)
                    case .success(nil) where isNamedAsMedia(name):
                        report(.note("\(path) does not begin like audio or video, and is left out"))
                    case .success(nil): break
                    case .failure(let error): report(.note("\(error); the file is left out"))
                    }
                default: break
                }
            }
        }
        return found.sorted()
    }

    /// The finished files that exist, by what tells a file from all others.
    private func knownFiles() async throws(AggregatorError) -> Set<FileIdentity> {
        let files = try await stored { library, _ throws(StoreError) in try await library.storage() }
        return Set(files.compactMap { fileIdentity(absolutePath(ofStored: $0.path)) })
    }

    private func describe(
        _ paths: [String], in root: String, variables: [String: String], report: SyncReport
    ) async throws -> [FoundFile] {
        let reader = MediaTagReader(variables: variables)
        let canReadTags = paths.isEmpty ? false : await reader.isUsable()
        if !canReadTags, !paths.isEmpty {
            report(.note("\(reader.missingProgram) cannot be run; files are known by name and size only"))
        }
        let parent = folderPart(of: root)
        var files: [FoundFile] = []
        for path in paths {
            try Task.checkCancellation()
            var information = stat()
            guard stat(path, &information) == 0 else { continue }
            files.append(
                FoundFile(
                    path: path, byteCount: Int64(information.st_size),
                    folders: relativePath(folderPart(of: path), from: parent).split(separator: "/").map(
                        String.init),
                    tags: canReadTags ? await reader.tags(ofFile: path) ?? MediaTags() : MediaTags()))
        }
        return files
    }

    private func adoptionCandidates() async throws(AggregatorError) -> [AdoptionCandidate] {
        var candidates: [AdoptionCandidate] = []
        for feed in try await stored({ library, _ throws(StoreError) in try await library.feeds() }) {
            let episodes = try await stored { library, _ throws(StoreError) in
                try await library.episodes(EpisodeQuery(feed: feed.id))
            }
            candidates += episodes.map { episode in
                AdoptionCandidate(
                    id: episode.id, feedTitle: episode.feedTitle, title: episode.title,
                    url: episode.enclosureURL, byteCount: episode.enclosureLength,
                    day: episode.published.map { String($0.ISO8601Format().prefix(10)) })
            }
        }
        return candidates
    }
}

/// What tells a file from all others, whatever it is called.
private struct FileIdentity: Hashable {
    let device: UInt
    let number: UInt
}

private func fileIdentity(_ path: String) -> FileIdentity? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    return FileIdentity(device: UInt(information.st_dev), number: UInt(information.st_ino))
}

/// Whether somebody would take a file for audio or video by its name.
private func isNamedAsMedia(_ name: String) -> Bool {
    let known = [
        "mp3", "m4a", "m4b", "mp4", "aac", "ogg", "oga", "opus", "flac", "wav", "wma", "mkv", "webm", "mov",
        "avi",
    ]
    return name.lastIndex(of: ".").map { known.contains(name[name.index(after: $0)...].lowercased()) }
        ?? false
}

extension Adoption.Way {
    fileprivate var placement: Placement {
        switch self {
        case .copy: .copy
        case .link: .link
        case .move: .move
        }
    }
}

extension FoundFile {
    /// The extension, made safe; `mp3` for a file without.
    fileprivate var fileExtension: String {
        let text = name.lastIndex(of: ".").map { String(name[$0...].dropFirst()).lowercased() } ?? ""
        let isPlain = !text.isEmpty && text.utf8.count <= 8 && text.allSatisfy { $0.isLetter || $0.isNumber }
        return isPlain ? text : "mp3"
    }
}
