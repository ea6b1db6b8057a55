public import EpisodeStore
import FoundationEssentials
import Glibc

extension Aggregator {
    /// The finished files as playlist entries, the newest first, with paths as seen from `folder`.
    ///
    /// With `folder` nil the paths are absolute. Files that are gone are left out.
    public func playlistEntries(
        of feed: FeedID? = nil, relativeTo folder: String?
    ) async throws(AggregatorError) -> [PlaylistEntry] {
        let files = try await stored { library, _ throws(StoreError) in try await library.storage() }
        return playlistEntries(files.filter { feed == nil || $0.feedID == feed }, relativeTo: folder)
    }

    /// Rewrites `podget.m3u8` in the library folder and one playlist in each feed's folder.
    func writePlaylists(report: SyncReport) async throws(AggregatorError) {
        guard access(mediaFolder, F_OK) == 0 else { return }
        let files = try await stored { library, _ throws(StoreError) in try await library.storage() }
        try writePlaylist(mediaFolder + "/podget.m3u8", title: "podget", files, report: report)

        var current: Set<String> = []
        for (folder, files) in Dictionary(
            grouping: files, by: { folderPart(of: absolutePath(ofStored: $0.path)) })
        {
            guard folder != mediaFolder else { continue }
            let path = playlistPath(inFolder: folder)
            current.insert(path)
            try writePlaylist(path, title: files[0].feedTitle, files, report: report)
        }
        removeStalePlaylists(except: current)
    }

    private func writePlaylist(
        _ path: String, title: String, _ files: [StoredFile], report: SyncReport
    ) throws(AggregatorError) {
        guard isOursOrFree(path) else {
            report(.note("\(path) is somebody else's file; the playlist was not written"))
            return
        }
        let entries = playlistEntries(files, relativeTo: folderPart(of: path))
        try replaceFile(at: path, with: m3u8Playlist(entries, title: title))
        report(.playlistWritten(path: path, entries: entries.count))
    }

    private func playlistEntries(_ files: [StoredFile], relativeTo folder: String?) -> [PlaylistEntry] {
        let newestFirst = files.sorted { left, right in
            (left.published ?? left.downloadedAt, left.id) > (right.published ?? right.downloadedAt, right.id)
        }
        return newestFirst.compactMap { file in
            let path = absolutePath(ofStored: file.path)
            guard access(path, R_OK) == 0 else { return nil }
            return PlaylistEntry(
                path: folder.map { pathFrom($0, to: path) } ?? path, title: file.title,
                feedTitle: file.feedTitle, duration: file.duration)
        }
    }

    /// Removes our playlists of feeds that have no file any more.
    private func removeStalePlaylists(except current: Set<String>) {
        // A folder that cannot be listed keeps its playlist; the next sync tries again.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: mediaFolder)) ?? []
        for folder in folders {
            let path = playlistPath(inFolder: mediaFolder + "/" + folder)
            if !current.contains(path), access(path, F_OK) == 0, isOursOrFree(path) {
                _ = unlink(path)
            }
        }
    }
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
