import EpisodeStore
import FoundationEssentials
import Glibc

extension Aggregator {
    /// Rewrites `podget.m3u8` in the library folder and one playlist for each feed that has files.
    func writePlaylists(report: SyncReport) async throws(AggregatorError) {
        guard access(mediaFolder, F_OK) == 0 else { return }
        let files = try await storedFiles()
        // A playlist beneath the mount point would make it look like a library.
        guard libraryAbsence(files) == nil else { return }
        writePlaylist(libraryPlaylistPath, title: "podget", files, report: report)

        var lists: [String: [StoredFile]] = [:]
        for files in Dictionary(grouping: files, by: \.feedID).values {
            if let path = feedPlaylistPath(files) { lists[path, default: []] += files }
        }
        for (path, files) in lists {
            writePlaylist(path, title: nil, files, report: report)
        }
        removeStalePlaylists(except: Set(lists.keys))
    }

    /// The playlist of the whole library.
    var libraryPlaylistPath: String { mediaFolder + "/" + libraryPlaylistName }

    /// Writes files, the newest first; without a title under the name of their show.
    private func writePlaylist(
        _ path: String, title: String?, _ files: [StoredFile], report: SyncReport
    ) {
        guard isOursOrFree(path) else {
            report(.note("\(path) is somebody else's file; the playlist was not written"))
            return
        }
        let entries = playlistEntries(playlistOrder(files, .newest), relativeTo: folderPart(of: path))
        let title = title ?? entries.first?.feedTitle ?? ""
        do throws(AggregatorError) {
            try replaceFile(at: path, with: playlistText(entries, title: title, isKept: true))
            report(.playlistWritten(path: path, entries: entries.count))
        } catch {
            // The files are there; for want of a list of them nothing has failed.
            report(.note("the playlist was not written: \(error)"))
        }
    }

    /// The files as playlist entries, with paths as seen from `folder`, or absolute ones where it is nil.
    ///
    /// `library` is the media folder as `folder` is to see it. Files that are gone are left out.
    func playlistEntries(
        _ files: [StoredFile], relativeTo folder: String?, library: String? = nil, hasChapters: Bool = false
    ) -> [PlaylistEntry] {
        let library = library ?? mediaFolder
        return files.compactMap { file in
            let path = file.path.hasPrefix("/") ? file.path : library + "/" + file.path
            guard access(path, R_OK) == 0 else { return nil }
            return PlaylistEntry(
                path: folder.map { pathFrom($0, to: path) } ?? path, title: file.title,
                feedTitle: file.feedTitle, duration: file.duration, image: file.image,
                chapters: hasChapters
                    ? playlistChapters(
                        file.chapters.map { ($0.start, $0.title) }, title: file.title, duration: file.duration
                    )
                    : [])
        }
    }

    /// Where the playlist of a feed stands, given all its files: in that folder of the library into which its latest
    /// file went, under the folder's name.
    ///
    /// Thus a feed that was renamed has one playlist, in its new folder. Nil where the file lies in no folder.
    private func feedPlaylistPath(_ files: [StoredFile]) -> String? {
        let latest = files.max { ($0.downloadedAt, $0.id) < ($1.downloadedAt, $1.id) }
        guard let path = latest?.path, !path.hasPrefix("/") else { return nil }
        let parts = path.split(separator: "/")
        return parts.count > 1 ? playlistPath(inFolder: mediaFolder + "/" + parts[0]) : nil
    }

    /// Removes our playlists of feeds that have no file any more, or have them elsewhere.
    private func removeStalePlaylists(except current: Set<String>) {
        // A folder that cannot be listed keeps its playlist; the next sync tries again.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: mediaFolder)) ?? []
        for name in folders {
            let folder = mediaFolder + "/" + name
            let path = playlistPath(inFolder: folder)
            guard !current.contains(path), access(path, F_OK) == 0, isOursOrFree(path) else { continue }
            _ = unlink(path)
            // Where files are left in it, this fails and is meant to.
            _ = rmdir(folder)
        }
    }
}

/// The playlist of the whole library.
private let libraryPlaylistName = "podget.m3u8"

/// The name of a feed's folder in the library, which is not that of the library's playlist.
func unreservedFolderName(_ name: String) -> String {
    name.lowercased() == libraryPlaylistName ? name + "_" : name
}

/// The playlist of a feed's folder bears the folder's name.
private func playlistPath(inFolder folder: String) -> String {
    folder + "/" + folder.dropFirst(folderPart(of: folder).count + 1) + ".m3u8"
}

/// The path of `file` as seen from `folder`, with `..` where it lies elsewhere; both are absolute and plain.
public func pathFrom(_ folder: String, to file: String) -> String {
    let from = folder.split(separator: "/")
    let to = file.split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: from.count - shared)
    return (up + to[shared...].map(String.init)).joined(separator: "/")
}
