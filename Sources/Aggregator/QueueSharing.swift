import Downloader
import EpisodeStore
import Glibc

extension Aggregator {
    /// Drains the queue, or follows the process that does until the given episodes are settled.
    ///
    /// With `onlyWanted` what else is in the queue stays there, as it is. What the user asked for `byHand` waits neither
    /// for a connection that is not metered nor for a host, whoever wanted it at first.
    func drainQueue(
        until wanted: Set<EpisodeID>, onlyWanted: Bool = false, byHand: Bool = false, loop: TransferLoop,
        report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        try await requireLibrary()
        var summary = SyncSummary()
        var open = wanted
        var isFollowing = false
        while true {
            if let lock = try QueueLock.take(at: places.queueLock) {
                // What the other process finished since the last look counts too.
                if isFollowing { try await settle(&open, into: &summary, report: report) }
                summary.add(
                    try await drainOwnQueue(
                        wanted: wanted, onlyWanted: onlyWanted, byHand: byHand, loop: loop, report: report))
                lock.giveBack()
                if !Task.isCancelled { await storeExtras(loop: loop, report: report) }
                return summary
            }
            if !isFollowing {
                isFollowing = true
                report(.queueHeldElsewhere)
            }
            try await settle(&open, into: &summary, report: report)
            if open.isEmpty { return summary }
            if Task.isCancelled {
                report(.queueLeftElsewhere)
                return summary
            }
            // The other process wrote its last rows at most this long ago. A cancelled sleep ends the loop above.
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Takes the episodes out of `open` that another process has finished or given up.
    private func settle(
        _ open: inout Set<EpisodeID>, into summary: inout SyncSummary, report: SyncReport
    ) async throws(AggregatorError) {
        for id in open.sorted() {
            let episode = try await stored { library, _ throws(StoreError) in try await library.episode(id) }
            guard let episode else {
                open.remove(id)
                continue
            }
            switch episode.state {
            case .queued, .waiting, .active:
                continue
            case .done:
                summary.downloaded += 1
                if let event = ending(of: episode) { report(event) }
            case .failed:
                summary.failedDownloads += 1
                if let event = ending(of: episode) { report(event) }
            case .none, .paused, .missing, .deleted, .skipped:
                break
            }
            open.remove(id)
        }
    }

    /// Drains the queue as the only process that may.
    private func drainOwnQueue(
        wanted ids: Set<EpisodeID>, onlyWanted: Bool, byHand: Bool, loop: TransferLoop,
        report: @escaping SyncReport
    ) async throws(AggregatorError) -> SyncSummary {
        let resumeFolder = try openResumeFolder()
        try await stored { library, now throws(StoreError) in
            // Whoever ran them held the lock that is ours now: it has ended.
            _ = try await library.recoverActive(now: now) { _ in false }
            if !onlyWanted { try await library.requeueFailed(now: now) }
        }
        let status = try await stored { library, _ throws(StoreError) in try await library.downloadsStatus() }
        let wanted = status.active + status.queued + status.waiting + status.paused + status.failed
        do {
            try resumeFolder.removeAll(except: Set(wanted.map { $0.id.description }))
        } catch {
            throw .file(places.resumeFolder, reason: error.description)
        }
        for folder in Set(wanted.compactMap(\.folder)) {
            // Copies that a crash left half-written on their way into the library.
            removeTemporaryFiles(in: absolutePath(ofStored: folder))
        }
        let space = DownloadSpace(
            library: mediaFolder, cache: places.resumeFolder, limit: settings.storageLimit,
            reserve: settings.reserve)
        let askedFor = byHand ? ids : []
        let meter = settings.waitsWhileMetered ? await MeteredGate(except: askedFor) : nil
        let waiting = Set((status.queued + status.waiting).map(\.id))
        let queue = DownloadQueue(
            aggregator: self, loop: loop, resumeFolder: resumeFolder, space: space, meter: meter,
            renewal: AddressRenewal(self, loop), setAside: onlyWanted ? waiting.subtracting(ids) : [],
            askedFor: askedFor,
            report: report)
        return try await queue.drain()
    }

    private func openResumeFolder() throws(AggregatorError) -> ResumeFolder {
        try createFolders(places.resumeFolder)
        let folder = ResumeFolder(path: places.resumeFolder)
        do {
            try folder.prepare(cacheRoot: places.cache)
        } catch .noSpace(let error) {
            throw .noSpace(reason: error.description)
        } catch {
            throw .file(places.resumeFolder, reason: error.description)
        }
        return folder
    }
}
