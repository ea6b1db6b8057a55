public import EpisodeStore
import FoundationEssentials
import Glibc

/// What the finished downloads occupy.
public struct Storage: Sendable {
    /// The largest first; names are those of the time of the download.
    public let files: [StoredFile]
    public let totalByteCount: Int64

    /// Free bytes on the library's file system, as far as a user may take them.
    public let freeByteCount: Int64?

    /// What has arrived of downloads that are not finished.
    public var partialByteCount: Int64 = 0

    /// An empty library.
    public static let none = Storage(files: [], totalByteCount: 0, freeByteCount: nil)

    /// The files of one feed, added up.
    public struct FeedTotal: Equatable, Sendable {
        public let title: String
        public let byteCount: Int64
        public let fileCount: Int
    }

    /// The totals by feed, the largest first.
    public var byFeed: [FeedTotal] {
        Dictionary(grouping: files, by: \.feedID)
            .map { _, files in
                FeedTotal(
                    title: files[0].feedTitle, byteCount: files.reduce(0) { $0 + $1.byteCount },
                    fileCount: files.count)
            }
            .sorted { ($1.byteCount, $0.title) < ($0.byteCount, $1.title) }
    }
}

extension Aggregator {
    /// Reads what is stored, without network and whether its feeds are still subscribed or not.
    public func storage() async throws(AggregatorError) -> Storage {
        let files = try await stored { library, _ throws(StoreError) in try await library.storage() }
        return Storage(
            files: files, totalByteCount: files.reduce(0) { $0 + $1.byteCount },
            freeByteCount: fileSystemSpace(at: mediaFolder)?.free, partialByteCount: partialByteCount())
    }

    private func partialByteCount() -> Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: places.resumeFolder)) ?? []
        return byteSum(
            names.map { name in
                var status = stat()
                return lstat(places.resumeFolder + "/" + name, &status) == 0
                    ? Int64(status.st_blocks) * 512 : 0
            })
    }
}
