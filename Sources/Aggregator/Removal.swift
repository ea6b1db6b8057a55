public import EpisodeStore
import Glibc

extension Aggregator {
    /// Ends a subscription; its files stay, with their names, unless they are to be deleted too.
    ///
    /// Returns how many files were deleted.
    public func unsubscribe(_ feed: FeedRecord, deletingFiles: Bool) async throws(AggregatorError) -> Int {
        var deleted = 0
        if deletingFiles {
            try await requireLibrary()
            for file in try await storedFiles() where file.feedID == feed.id {
                try await deleteFile(of: file.id, at: file.path, reason: Library.deletedWithFeed)
                deleted += 1
            }
        }
        try await stored { library, now throws(StoreError) in try await library.removeFeed(feed.id, now: now)
        }
        await noteFeedsChanged()
        try await removeUnwantedPartials()
        try await writePlaylists { _ in }
        return deleted
    }

    /// Deletes episodes by the user's wish: their files, and their place in the queue; no refresh brings them back.
    ///
    /// A transfer that runs stops at its next progress. Returns the files that were deleted.
    public func delete(_ episodes: [EpisodeRecord]) async throws(AggregatorError) -> [StoredFile] {
        let wanted = Set(episodes.map(\.id))
        let files = try await storedFiles().filter { wanted.contains($0.id) }
        if !files.isEmpty { try await requireLibrary() }
        for file in files {
            try await deleteFile(of: file.id, at: file.path, reason: "deleted by the user")
        }
        let withFile = Set(files.map(\.id))
        for episode in episodes where !withFile.contains(episode.id) && episode.state != .deleted {
            try await stored { library, now throws(StoreError) in
                try await library.markDeleted(episode.id, reason: "deleted by the user", now: now)
            }
        }
        try await removeUnwantedPartials()
        if !files.isEmpty { try await writePlaylists { _ in } }
        return files
    }

    /// The one place where a finished file is deleted, with its reason in the journal.
    ///
    /// With `comesAgain` the rules may fetch it once more when its turn comes. Returns whether there still was a file.
    @discardableResult
    func deleteFile(
        of id: EpisodeID, at stored: String, reason: String, comesAgain: Bool = false
    ) async throws(AggregatorError) -> Bool {
        let path = absolutePath(ofStored: stored)
        let isDeleted = unlink(path) == 0
        guard isDeleted || errno == ENOENT else { throw systemError(path) }
        try await self.stored { library, now throws(StoreError) in
            if comesAgain {
                try await library.giveUp(id, reason: reason, now: now)
            } else {
                try await library.markDeleted(id, reason: reason, now: now)
            }
        }
        // A crash may have left it.
        _ = unlink(copyForTags(of: id, at: path))
        // The feed's folder goes with its last file; where others are left in it, this fails and is meant to.
        _ = rmdir(folderPart(of: path))
        return isDeleted
    }
}
