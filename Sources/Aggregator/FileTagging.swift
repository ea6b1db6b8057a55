import Downloader
import EpisodeStore
import FoundationEssentials
import Glibc

/// How the writing of tags ended.
enum TaggingEnd {
    case done(problem: String?)

    /// The run was: it is to be done another time.
    case interrupted
}

extension Aggregator {
    /// Whether tags are to be written into the files of a feed.
    func writesTags(_ feed: FeedRecord) -> Bool {
        feed.settings.writeTags ?? settings.forFeeds.writeTags ?? false
    }

    /// Writes the tags of a finished download into its file, which stays whole at every moment.
    ///
    /// A copy gets them and then takes the file's place. The checksum of what the server sent is recorded before, that
    /// of the tagged file after it. Files that the user brought along are not touched.
    func tagFile(of episode: EpisodeDetail, in feed: FeedRecord) async throws(AggregatorError) -> TaggingEnd {
        let record = episode.record
        guard record.state == .done, let stored = record.filePath, !stored.hasPrefix("/"), episode.isFetched
        else { return .done(problem: nil) }
        let path = absolutePath(ofStored: stored)
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .done(problem: nil)
        }
        let tags = FileTags(episode, feed: feed, picture: picture(of: episode))
        if let free = fileSystemSpace(at: folderPart(of: path))?.free,
            free < byteSum([Int64(status.st_size), settings.reserve])
        {
            return .done(problem: "no tags were written: there is no room for a copy of the file")
        }
        // One name for one episode, so that what a crash leaves is gone with the next attempt.
        let copy = copyForTags(of: record.id, at: path)
        _ = unlink(copy)
        defer { _ = unlink(copy) }
        do {
            guard try tagFormat(ofFile: path) != nil else { return .done(problem: nil) }
            let present = try fileChecksum(path)
            guard
                try await self.stored({ library, _ throws(StoreError) in
                    try await library.prepareTags(record.id, original: present)
                })
            else { return .done(problem: nil) }
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let leftOut: TagOmissions
            switch await TagProcess(program: program, variables: variables).write(tags, into: copy) {
            case .written(let omissions): leftOut = omissions
            case .unreadable:
                return .done(
                    problem:
                        "no tags were written: they cannot be written into this kind of file, or it is damaged"
                )
            case .notSaved: return .done(problem: "no tags were written: there may be no space for them")
            case .damaging:
                return .done(
                    problem:
                        "no tags were written: the file would not be whole with them, for want of space or by its shape"
                )
            case .failed(let reason): return .done(problem: "no tags were written: \(reason)")
            case .interrupted: return .interrupted
            }
            let checksum = try fileChecksum(copy)
            let byteCount = try syncedByteCount(copy)
            // Where the tags are there already, a crash may have come before they were recorded.
            guard checksum == present || rename(copy, path) == 0 else { throw systemError(path) }
            let isRecorded = try await self.stored { library, _ throws(StoreError) in
                try await library.recordTags(record.id, byteCount: byteCount, checksum: checksum)
            }
            // Somebody deleted it meanwhile.
            if !isRecorded { _ = unlink(path) }
            return .done(problem: leftOut.description)
        } catch let error as AggregatorError {
            if case .store = error { throw error }
            return .done(problem: "no tags were written: \(error)")
        } catch let error as TransferError {
            return .done(problem: "no tags were written: \(error.description)")
        } catch {
            return .done(problem: "no tags were written: \(error)")
        }
    }

    private func picture(of episode: EpisodeDetail) -> FileTags.Picture? {
        guard let path = artworkPath(of: episode), let bytes = readWholeFile(path, atMost: pictureLimit),
            let fileExtension = pictureExtension(bytes)
        else { return nil }
        return FileTags.Picture(
            path: path, type: "image/" + (fileExtension == "jpg" ? "jpeg" : fileExtension))
    }
}

/// The file that gets the tags before it takes the place of the one at `path`; hidden, and beside it.
func copyForTags(of id: EpisodeID, at path: String) -> String {
    "\(folderPart(of: path))/.podget-tags-\(id)"
}

extension EpisodeDetail {
    /// Whether the file came from a server, and not from the user.
    fileprivate var isFetched: Bool { contentType != nil || isVerified }
}

extension FileTags {
    init(_ episode: EpisodeDetail, feed: FeedRecord, picture: Picture?) {
        let record = episode.record
        title = record.title
        album = record.feedTitle
        artist = episode.author ?? feed.author ?? record.feedTitle
        date = record.published?.formatted(.iso8601.year().month().day())
        genre = episode.categories.first ?? "Podcast"
        track = record.episode
        disc = record.season
        self.picture = picture
        let starts = episode.chapters.map(\.start)
        chapters = zip(
            episode.chapters, starts.dropFirst() + [max(record.duration ?? .zero, starts.last ?? .zero)]
        )
        .map { Chapter(start: $0.start, end: $1, title: $0.title) }
    }
}

/// Syncs a file to the disk, and tells its size.
private func syncedByteCount(_ path: String) throws(AggregatorError) -> Int64 {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(path) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw systemError(path) }
    return Int64(status.st_size)
}
