import TestServer
import Testing

@testable import Downloader

/// Pausing, letting go and shutting down.
@Suite(.timeLimit(.minutes(5)))
struct CancelTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private let stalling = Reply.pattern(1_000_000, etag: "\"v1\"").with { $0.stallAfter = 300_000 }

    /// Starts a download and returns once bytes of it are in the partial file.
    private func startStalling(_ path: String) async -> Task<Story, Never> {
        server.serve(path, stalling)
        let (arrived, continuation) = AsyncStream.makeStream(of: Void.self)
        let events = loop.download(scratch.request(server.url(path)))
        let task = Task {
            var story: [DownloadEvent] = []
            for await event in events {
                story.append(event)
                if case .progress(let progress) = event, progress.byteCount > 0 { continuation.finish() }
            }
            return Story(story)
        }
        for await _ in arrived {}
        return task
    }

    @Test func `a cancelled download is paused, with its bytes kept and the truth about resuming`()
        async throws
    {
        let task = await startStalling("/a.mp3")
        task.cancel()
        let paused = try #require(await task.value.paused)
        #expect(paused.byteCount > 0)
        #expect(paused.hasResume)
        #expect(scratch.resumeFolder.status(of: "1") == .resumable(byteCount: paused.byteCount))
        server.serve("/a.mp3", .pattern(1_000_000, etag: "\"v1\""))
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.last?.range == "bytes=\(paused.byteCount)-")
    }

    @Test func `a shut down loop pauses all, and refuses what comes later`() async throws {
        let task = await startStalling("/a.mp3")
        await loop.shutDown()
        #expect(await task.value.paused?.hasResume == true)
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        guard case .loopUnavailable = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        await loop.shutDown()
    }

    @Test func `letting go of the events stops the transfer`() async throws {
        server.serve("/a.mp3", .pattern(1 << 40).with { $0.framing = .untilClose })
        for await event in loop.download(scratch.request(server.url("/a.mp3"))) {
            if case .progress = event { break }
        }
        // The key is free again only when the first download has closed its files.
        var story = await loop.run(scratch.request(server.url("/404"), key: "1"))
        while case .keyInUse = story.failure?.error {
            story = await loop.run(scratch.request(server.url("/404"), key: "1"))
        }
        guard case .status = try #require(story.failure).error else {
            Issue.record("\(String(describing: story.failure))")
            return
        }
    }

    @Test func `a second download with the same key is refused, and the first goes on`() async throws {
        let task = await startStalling("/a.mp3")
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        guard case .keyInUse("1") = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        server.release("/a.mp3")
        #expect(await task.value.finished != nil)
    }

    @Test func `a waiting download is paused at once`() async throws {
        server.serve("/a.mp3", .status(503, headers: [("Retry-After", "300")]))
        let events = loop.download(scratch.request(server.url("/a.mp3")))
        let task = Task {
            var last: DownloadEvent?
            for await event in events {
                last = event
                if case .waiting = event { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return last
        }
        guard case .paused(0, false) = await task.value else {
            Issue.record("not paused")
            return
        }
    }

    @Test func `the record is on the disk before the first byte of the body`() async throws {
        server.serve("/a.mp3", stalling.with { $0.stallAfter = 0 })
        let events = loop.download(scratch.request(server.url("/a.mp3")))
        for await event in events {
            guard case .started = event else { continue }
            let record = try #require(scratch.bytes(scratch.resumeFolder.path + "/1.json"))
            let text = String(decoding: record, as: UTF8.self)
            #expect(text.contains("\"totalByteCount\" : 1000000"))
            #expect(text.contains("\"etag\" : \"\\\"v1\\\"\""))
            break
        }
    }

    @Test func `what a power cut would leave grows while the transfer runs`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.syncInterval = .zero
        // Else a first piece of a few bytes could hold up the sync of the rest, after which nothing comes.
        configuration.progressInterval = .zero
        let loop = try TransferLoop(configuration)
        server.serve("/a.mp3", stalling)
        async let story = loop.run(scratch.request(server.url("/a.mp3")))
        await server.waitForBodyBytes(300_000, on: "/a.mp3")
        let sizes = AsyncStream<Int64> { [folder = scratch.resumeFolder] in
            // The sync is done on a thread that tells nobody but the loop.
            await Task.yield()
            return folder.loadRecord("1")?.syncedByteCount ?? 0
        }
        #expect(await sizes.contains { $0 > 0 })
        server.release("/a.mp3")
        #expect(await story.finished != nil)
    }
}
