import EpisodeStore
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5))) struct LibraryDownloadsTests {
    private func filledLibrary() async throws -> Library {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(3), item(2), item(1)]), now: day(6))
        return library
    }

    @Test func `a download goes from queued over active to done, and the journal tells it`() async throws {
        let library = try await filledLibrary()
        #expect(try await library.enqueue([1], origin: .user, now: day(7)) == [1: .queued])
        #expect(try await library.queue().map(\.url) == ["https://media.example/1.mp3"])
        #expect(try await library.queue().map(\.host) == ["media.example"])
        #expect(try await library.markActive(1, owner: 42, now: day(7)))
        let state = try await library.recordProgress(
            of: 1, byteCount: 500, expected: 1000, isExact: true, rate: 100, hasResumeData: true)
        #expect(state == .active)
        let status = try await library.downloadsStatus()
        #expect(status.owner == 42)
        #expect(status.active.map(\.byteCount) == [500])
        #expect(status.active.map(\.rate) == [100])
        try await library.markDone(
            1,
            DownloadResult(
                path: "/p/1.mp3", byteCount: 1000, isVerified: true, contentType: "audio/mpeg",
                container: "mp3"),
            now: day(8))
        let episode = try #require(try await library.episode(1))
        #expect(episode.state == .done)
        #expect(episode.verb == .play)
        #expect(episode.byteCount == 1000)
        #expect(episode.downloadedAt == day(8))
        #expect(
            try await library.journal(of: 1).map(\.event) == [
                .state(from: .none, to: .queued), .state(from: .queued, to: .active),
                .state(from: .active, to: .done),
            ])
        #expect(try await library.feeds().map(\.downloadedCount) == [1])
    }

    @Test func `a download paused elsewhere tells the transfer to stop`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1], origin: .user, now: day(7))
        _ = try await library.markActive(1, owner: 42, now: day(7))
        try await library.markPaused(1, now: day(7))
        let state = try await library.recordProgress(
            of: 1, byteCount: 500, expected: nil, isExact: false, rate: nil, hasResumeData: true)
        #expect(state == .paused)
        #expect(
            try await library.markFailed(1, "late", isTemporary: true, hasResumeData: false, now: day(8))
                == false)
        #expect(try await library.episode(1)?.state == .paused)
    }

    @Test func `only one process claims a download`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1], origin: .user, now: day(7))
        #expect(try await library.markActive(1, owner: 42, now: day(7)))
        #expect(try await library.markActive(1, owner: 43, now: day(7)) == false)
        #expect(try await library.downloadsStatus().owner == 42)
    }

    @Test func `resume is promised only where resume data exist`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1, 2], origin: .user, now: day(7))
        try await library.markFailed(
            1, "transfer incomplete", isTemporary: true, hasResumeData: true, now: day(7))
        try await library.markFailed(
            2, "404 Not Found", isTemporary: false, hasResumeData: false, now: day(7))
        #expect(try await library.episode(1)?.verb == .resume)
        #expect(try await library.episode(2)?.verb == .retry)
        #expect(try await library.episode(2)?.error == "404 Not Found")
        #expect(
            try await library.enqueue([1, 2], origin: .policy, now: day(8)) == [
                1: .queued, 2: .refused(.failed),
            ])
    }

    @Test func `a failure that may have passed goes back into the queue, a permanent one does not`()
        async throws
    {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1, 2], origin: .user, now: day(7))
        try await library.markFailed(
            1, "transfer incomplete", isTemporary: true, hasResumeData: true, now: day(7))
        try await library.markFailed(2, "404", isTemporary: false, hasResumeData: true, now: day(7))
        try await library.requeueFailed(now: day(8))
        #expect(try await library.queue().map(\.id) == [1])
        #expect(try await library.enqueue([2], origin: .policy, now: day(8)) == [2: .refused(.failed)])
    }

    @Test func `a failed download stays whose it was, whoever tries it again`() async throws {
        let library = try await filledLibrary()
        for (id, origin, asker) in [
            (1, .user, .policy), (2, .policy, .user),
        ] as [(EpisodeID, DownloadOrigin, DownloadOrigin)] {
            _ = try await library.enqueue([id], origin: origin, now: day(7))
            try await library.markFailed(id, "cut off", isTemporary: true, hasResumeData: false, now: day(7))
            _ = try await library.enqueue([id], origin: asker, keepsOrigin: asker == .user, now: day(8))
            #expect(try await library.episode(id)?.origin == origin)
        }
        #expect(
            try await library.journal(of: 1).compactMap(\.reason)
                == ["requested by the user", "cut off", "tried again"])
        #expect(
            try await library.journal(of: 2).compactMap(\.reason)
                == ["wanted by the rules", "cut off", "tried again by the user"])
    }

    @Test func `who asks by hand does not wait until a time that the server named`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1], origin: .policy, now: day(7))
        try await library.markWaiting(1, reason: "429", until: day(9), now: day(7))
        #expect(try await library.enqueue([1], origin: .user, now: day(8)) == [1: .alreadyQueued])
        #expect(try await library.queue().first?.notBefore == nil)
    }

    @Test func `a waiting download says until when and why`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1], origin: .policy, now: day(7))
        try await library.markWaiting(1, reason: "the server asked to wait", until: day(8), now: day(7))
        let queued = try #require(try await library.queue().first)
        #expect(queued.state == .waiting)
        #expect(queued.notBefore == day(8))
        #expect(queued.reason == "the server asked to wait")
        #expect(try await library.markActive(1, owner: 1, now: day(8)))
        #expect(try await library.downloadsStatus().active.first?.notBefore == nil)
    }

    @Test func `downloads of a process that is gone go back into the queue`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1, 2], origin: .user, now: day(7))
        _ = try await library.markActive(1, owner: 42, now: day(7))
        _ = try await library.markActive(2, owner: 43, now: day(7))
        let recovered = try await library.recoverActive(now: day(8)) { $0 == 43 }
        #expect(recovered == [1])
        #expect(try await library.episode(1)?.state == .queued)
        #expect(try await library.episode(2)?.state == .active)
    }

    @Test func `a file is recorded only where the episode has got no other meanwhile`() async throws {
        let library = try await filledLibrary()
        func record(_ path: String, former: String? = nil) async throws -> Bool {
            try await library.markDone(
                1, DownloadResult(path: path, byteCount: 9, isVerified: false), former: former, now: day(7))
        }
        #expect(try await record("/p/1.mp3"))
        #expect(try await !record("/p/1 (2).mp3"))
        #expect(try await library.episode(1)?.filePath == "/p/1.mp3")
        // The one that was seen is gone.
        #expect(try await record("/p/new.mp3", former: "/p/1.mp3"))
        #expect(try await library.storage().map(\.path) == ["/p/new.mp3"])
    }

    @Test func `a file that a rule gave up may come again, and is expected as large as it was`() async throws
    {
        let library = try await filledLibrary()
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 9_000, isVerified: true), now: day(7))
        try await library.giveUp(1, reason: "'storageLimit' is reached", now: day(8))
        let episode = try #require(try await library.episode(1))
        #expect(episode.state == .none && episode.filePath == nil && episode.byteCount == 0)
        #expect(episode.expectedByteCount == 9_000 && !episode.isExpectedExact)
        #expect(try await library.enqueue([1], origin: .policy, now: day(9)) == [1: .queued])
    }

    @Test func `a file that vanished is missing and fetched on request only`() async throws {
        let library = try await filledLibrary()
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 9, isVerified: true), now: day(7))
        try await library.markMissing(1, now: day(8))
        #expect(try await library.storage() == [])
        #expect(try await library.enqueue([1], origin: .policy, now: day(8)) == [1: .refused(.missing)])
        #expect(try await library.enqueue([1], origin: .user, now: day(8)) == [1: .queued])
    }

    @Test func `what is fetched again starts with no bytes, what is resumed with its own`() async throws {
        let library = try await filledLibrary()
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 9, isVerified: true), now: day(7))
        try await library.markDeleted(1, reason: "deleted by the user", now: day(8))
        #expect(try await library.episode(1)?.filePath == nil)
        _ = try await library.enqueue([1, 2], origin: .user, now: day(9))
        _ = try await library.markActive(2, owner: 1, now: day(9))
        _ = try await library.recordProgress(
            of: 2, byteCount: 500, expected: 1000, isExact: true, rate: nil, hasResumeData: true)
        try await library.markPaused(2, now: day(9))
        _ = try await library.enqueue([2], origin: .user, now: day(10))
        let queue = try await library.queue()
        #expect(queue.map(\.byteCount) == [500, 0])
        #expect(queue.map(\.expectedByteCount) == [1000, nil])
    }

    @Test func `a skipped episode keeps its reason`() async throws {
        let library = try await filledLibrary()
        try await library.markSkipped(1, reason: "shorter than 10 minutes", now: day(7))
        #expect(
            try await library.episodes(EpisodeQuery(filter: .state(.skipped))).map(\.reason) == [
                "shorter than 10 minutes"
            ])
    }

    @Test func `a cancelled download is none again`() async throws {
        let library = try await filledLibrary()
        _ = try await library.enqueue([1], origin: .user, now: day(7))
        #expect(try await library.cancel(1, reason: "cancelled by the user", now: day(8)))
        #expect(try await library.episode(1)?.state == DownloadState.none)
        #expect(try await library.episodes(EpisodeQuery(filter: .state(.none))).count == 3)
        #expect(try await library.queue() == [])
    }

    @Test func `storage shows the names of the time of the download, the largest first`() async throws {
        let library = try await filledLibrary()
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 10, isVerified: true), now: day(7))
        try await library.markDone(
            2, DownloadResult(path: "/p/2.mp3", byteCount: 20, isVerified: false, duration: .seconds(7)),
            now: day(7))
        var renamed = item(1)
        renamed.title = "Episode"
        _ = try await library.recordRefresh(of: 1, document([renamed], title: "Feed"), now: day(8))
        try await library.removeFeed(1, now: day(9))
        let files = try await library.storage()
        #expect(files.map(\.title) == ["Part 2", "Part 1"])
        #expect(files.map(\.feedTitle) == ["Night Trains", "Night Trains"])
        #expect(files.map(\.duration) == [.seconds(7), .seconds(60)])
        #expect(files.map(\.isVerified) == [false, true])
        #expect(files.map(\.isSubscribed) == [false, false])
    }

    @Test func `the file name is fixed once and never shared`() async throws {
        let library = try await filledLibrary()
        func reserve(_ id: EpisodeID, _ stem: String, occupied: [String] = []) async throws -> String {
            try await library.reserveFileStem(
                for: id, folder: "/Podcasts/Trains", preferredStem: stem, occupied: occupied, now: day(7))
        }
        #expect(try await reserve(1, "Café") == "Café")
        #expect(try await reserve(2, "CAFE\u{301}") == "CAFE\u{301} (2)")
        #expect(try await reserve(1, "Another title") == "Café")
        #expect(try await reserve(3, "Tea", occupied: ["tea"]) == "Tea (3)")
        #expect(try await reserve(1, "Café", occupied: ["café"]) == "Café (1)")
        let elsewhere = try await library.reserveFileStem(
            for: 2, folder: "/Podcasts/Elsewhere", preferredStem: "Café", now: day(7))
        #expect(elsewhere == "Café")
    }
}
