import Downloader
import EpisodeStore
import FoundationEssentials
import Glibc

extension Aggregator {
    /// How many downloads are completed in one run; the rest has its turn in the next.
    private static let extrasLimit = 200

    /// Completes finished downloads with what is needed without a network: what is inside the file, and the chapters,
    /// the transcript and the picture that the feed links to.
    ///
    /// It begins when the queue is empty and holds another lock, so that no audio ever waits for it. What is missing is
    /// a note and fails nothing.
    func storeExtras(loop: TransferLoop, report: @escaping SyncReport) async {
        do throws(AggregatorError) {
            guard let lock = try QueueLock.take(at: places.extrasLock) else { return }
            try await compareArtwork()
            let canReadFiles = MediaTagReader(variables: variables).isInstalled
            let ids = try await stored { library, now throws(StoreError) in
                try await library.downloadsWithoutExtras(
                    limit: Self.extrasLimit, canReadFiles: canReadFiles, now: now)
            }
            if !ids.isEmpty { try await storeExtras(of: ids, loop: loop, report: report) }
            lock.giveBack()
        } catch {
            report(.note("what belongs to the downloads was not stored: \(error)"))
        }
    }

    private func storeExtras(
        of ids: [EpisodeID], loop: TransferLoop, report: @escaping SyncReport
    ) async throws(AggregatorError) {
        let reader = MediaTagReader(variables: variables)
        let files = FileReader(reader: reader, report: report)
        let isMetered = settings.waitsWhileMetered ? await MeteredConnection().isMetered() : false
        var episodes: [FeedID: [EpisodeDetail]] = [:]
        for id in ids {
            let detail = try await stored { library, _ throws(StoreError) in
                try await library.episodeDetail(id)
            }
            if let detail { episodes[detail.record.feedID, default: []].append(detail) }
        }
        let runs = try await stored { library, _ throws(StoreError) in
            var runs: [ExtrasRun] = []
            for (id, episodes) in episodes.sorted(by: { $0.key < $1.key }) {
                guard let feed = try await library.feed(id) else { continue }
                runs.append(
                    ExtrasRun(
                        aggregator: self, feed: feed, episodes: episodes, loop: loop,
                        files: files, isMetered: isMetered, report: report))
            }
            return runs
        }
        // Feeds side by side, each with one request at a time.
        let failure = await withTaskGroup(of: AggregatorError?.self) { group in
            var waiting = runs[...]
            for run in waiting.prefix(settings.transfers) { group.addTask { await run.run() } }
            waiting = waiting.dropFirst(settings.transfers)
            var failure: AggregatorError?
            for await result in group {
                failure = failure ?? result
                guard failure == nil, !Task.isCancelled, let next = waiting.popFirst() else { continue }
                group.addTask { await next.run() }
            }
            return failure
        }
        if let failure { throw failure }
    }

    /// Removes pictures that no download shows any more, and what a crash left half-written; pictures that are gone are
    /// to be fetched again.
    private func compareArtwork() async throws(AggregatorError) {
        let names = Set((try? FileManager.default.contentsOfDirectory(atPath: places.extrasFolder)) ?? [])
        if !names.isEmpty { removeTemporaryFiles(in: places.extrasFolder) }
        let wanted = try await stored { library, _ throws(StoreError) in
            let wanted = try await library.artworkOfDownloads()
            let gone = wanted.subtracting(names)
            if !gone.isEmpty { try await library.reopenExtras(withArtwork: gone) }
            return wanted
        }
        for name in names where name.hasPrefix(artworkPrefix) && !wanted.contains(name) {
            // What cannot be removed now is tried again by the next run.
            _ = unlink(places.extrasFolder + "/" + name)
        }
    }
}

private let artworkPrefix = "artwork-"

/// Completes the downloads of one feed, one after the other.
private struct ExtrasRun {
    let aggregator: Aggregator
    let feed: FeedRecord
    let episodes: [EpisodeDetail]
    let loop: TransferLoop

    let files: FileReader
    let isMetered: Bool
    let report: SyncReport

    /// Returns the error that ended it, if one did.
    func run() async -> AggregatorError? {
        do throws(AggregatorError) {
            var usesNetwork = !aggregator.isOffline
            for episode in episodes where !Task.isCancelled {
                let isAnswered = try await complete(episode, usesNetwork: usesNetwork)
                // Whatever else the feed links to would only wait in the same way.
                if !isAnswered { usesNetwork = false }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Returns false where a server did not answer.
    private func complete(
        _ episode: EpisodeDetail, usesNetwork: Bool
    ) async throws(AggregatorError) -> Bool {
        let id = episode.record.id
        let stored = try await aggregator.stored { library, _ throws(StoreError) in
            try await library.extras(of: id)
        }
        var work = ExtrasWork(extras: stored)
        let content = await work.readFile(
            at: episode.record.filePath.map(aggregator.absolutePath(ofStored:)), with: files)
        let images = [episode.record.image, feed.image].compactMap(\.self)
        let image = images.first { !stored.settledLinks.contains($0) }
        let plan = planExtras(
            episode, image: image, language: feed.language, stored: stored,
            hasArtwork: stored.artwork.map { access(folder + "/" + $0, F_OK) == 0 } ?? false)
        let fetch = ExtrasFetch(
            loop: loop, feed: feed,
            usesNetwork: usesNetwork && !(isMetered && episode.record.origin != .user))

        if let link = plan.chapters { await work.fetchChapters(link, with: fetch) }
        let isLinked = episode.chaptersURL.map { work.extras.settledLinks.contains($0.url) } ?? false
        if work.extras.chapters.isEmpty || !isLinked && !content.chapters.isEmpty {
            work.extras.chapters = content.chapters
        }
        var kept: TranscriptLink?
        for link in plan.transcripts {
            // What has no times gives way within its language only.
            if kept != nil,
                spokenLanguage(of: link, in: feed.language) != spokenLanguage(of: kept, in: feed.language)
            {
                continue
            }
            let hadNone = work.extras.transcript.isEmpty
            if await work.fetchTranscript(link, with: fetch) { break }
            if hadNone, !work.extras.transcript.isEmpty { kept = link }
        }
        if let link = plan.artwork {
            try await storeArtwork(link, with: fetch, in: &work)
            // Where the episode's is refused, the show's is shown.
            let other = images.first { !work.extras.settledLinks.contains($0) }
            if work.extras.settledLinks.contains(link), let other {
                try await storeArtwork(other, with: fetch, in: &work)
            }
        }
        guard !Task.isCancelled else { return true }
        let done = work
        var problems = done.problems
        var attempts = done.isAttempt ? 1 : 0
        if aggregator.writesTags(feed) {
            // Not complete before the tags are written, which a crash may prevent; it is counted, lest every run crash.
            try await record(done, content, of: id, isComplete: false, attempts: 1, isMidway: true)
            switch try await tagFile(of: id) {
            case .done(let problem):
                if let problem { problems.append(problem) }
                attempts -= 1
            case .interrupted:
                try await record(done, content, of: id, isComplete: false, attempts: -1, isMidway: true)
                return true
            }
        }
        try await record(done, content, of: id, isComplete: !done.isUnfinished, attempts: attempts)
        for problem in problems {
            report(.note("\(episode.record.feedTitle): \(episode.record.title): \(problem)"))
        }
        return !done.isUnanswered
    }

    private func record(
        _ work: ExtrasWork, _ content: FileContent, of id: EpisodeID, isComplete: Bool, attempts: Int,
        isMidway: Bool = false
    ) async throws(AggregatorError) {
        try await aggregator.stored { library, now throws(StoreError) in
            try await library.recordExtras(
                work.extras, content, of: id, isComplete: isComplete, attempts: attempts, isMidway: isMidway,
                isFileUnread: work.isFileUnread, now: now)
        }
    }

    /// Writes the tags, with the extras that are stored now.
    private func tagFile(of id: EpisodeID) async throws(AggregatorError) -> TaggingEnd {
        let episode = try await aggregator.stored { library, _ throws(StoreError) in
            try await library.episodeDetail(id)
        }
        guard let episode else { return .done(problem: nil) }
        return try await aggregator.tagFile(of: episode, in: feed)
    }

    private var folder: String { aggregator.places.extrasFolder }

    /// Stores a picture under a name made of its feed and its address, so that episodes share one.
    private func storeArtwork(
        _ link: String, with fetch: ExtrasFetch, in work: inout ExtrasWork
    ) async throws(AggregatorError) {
        var hash = BodyHash()
        var link = link
        link.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        let stem = "\(artworkPrefix)\(feed.id)-\(hash.text)"
        for name in ["jpg", "png", "gif", "webp"].map({ "\(stem).\($0)" })
        where access(folder + "/" + name, F_OK) == 0 {
            work.extras.artwork = name
            return
        }
        guard let fetched = await work.fetch(link, "artwork", byteLimit: pictureLimit, with: fetch) else {
            return
        }
        guard let fileExtension = pictureExtension(fetched.bytes) else {
            work.refuse(link, "artwork", "it is no picture")
            return
        }
        try createFolders(folder)
        let name = "\(stem).\(fileExtension)"
        try replaceFile(at: folder + "/" + name, with: fetched.bytes)
        work.extras.artwork = name
    }
}
