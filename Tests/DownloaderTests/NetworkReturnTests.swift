import Downloader
import TestServer
import Testing

/// The server goes away and comes back.
@Suite(.timeLimit(.minutes(5)))
struct NetworkReturnTests {
    let scratch: Scratch
    let server: DummyServer

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
    }

    @Test func `transfers wait for the network and go on by themselves when it is back`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.maximumProbeDelay = .milliseconds(200)
        let loop = try TransferLoop(configuration)
        let reply = Reply.pattern(1_000_000, etag: "\"v1\"")
        let paths = ["/1.mp3", "/2.mp3", "/3.mp3"]
        for path in paths { server.serve(path, inTurn: [reply.with { $0.stallAfter = 300_000 }, reply]) }
        let waiting = WaitCounter()
        let stories = try await withThrowingTaskGroup(of: FinishedDownload?.self) { group in
            for (index, path) in paths.enumerated() {
                let request = scratch.request(server.url(path), key: "\(index)")
                group.addTask {
                    for await event in loop.download(request) {
                        switch event {
                        case .waiting(.network, _): await waiting.add(request.key)
                        case .finished(let finished): return finished
                        case .failed(let failure): throw failure.error
                        default: break
                        }
                    }
                    return nil
                }
            }
            for path in paths { await server.waitForBodyBytes(300_000, on: path) }
            server.stop()
            await waiting.wait(for: 3)
            let stopped = ContinuousClock.now
            try server.start()
            var finished: [FinishedDownload] = []
            for try await one in group { finished.append(try #require(one)) }
            // Ten seconds are promised; beside nine hundred other tests a thread may wait longer for a processor. The
            // campaign "network" holds the promise to the second.
            #expect(ContinuousClock.now - stopped < .seconds(60))
            return finished
        }
        for finished in stories {
            #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
            #expect(finished.restartCount == 0)
        }
        for path in paths { #expect(server.requests(to: path).last?.range == "bytes=300000-") }
    }

    @Test func `a host that was never there is given up, and all who waited with it`() async throws {
        let loop = try TransferLoop(.quick)
        let url = server.url("/a.mp3")
        server.stop()
        let stories = await withTaskGroup(of: Story.self) { group in
            for key in ["1", "2", "3"] { group.addTask { await loop.run(scratch.request(url, key: key)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for story in stories {
            let failure = try #require(story.failure)
            guard case .unreachable = failure.error else {
                Issue.record("\(failure.error)")
                return
            }
            #expect(failure.isTemporary)
        }
    }

    @Test func `patience ends for partials too, and for all hosts together`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.networkPatience = .milliseconds(300)
        let loop = try TransferLoop(configuration)
        let reply = Reply.pattern(1_000_000, etag: "\"v1\"").with { $0.stallAfter = 300_000 }
        let paths = ["/1.mp3", "/2.mp3", "/3.mp3"]
        for path in paths { server.serve(path, reply) }
        async let stories = withTaskGroup(of: Story.self) { group in
            for (index, path) in paths.enumerated() {
                let request = scratch.request(server.url(path), key: "\(index)")
                group.addTask { await loop.run(request) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for path in paths { await server.waitForBodyBytes(300_000, on: path) }
        server.stop()
        for story in await stories {
            let failure = try #require(story.failure)
            guard case .unreachable = failure.error else {
                Issue.record("\(failure.error)")
                return
            }
            #expect(failure.hasResume)
            #expect(story.waits.contains(.network))
        }
    }

    @Test func `a host that never answered in this run is waited for less long, be there a partial or not`()
        async throws
    {
        server.serve("/a.mp3", .pattern(1_000_000, etag: "\"v1\"").with { $0.stallAfter = 300_000 })
        let earlier = try TransferLoop(.quick)
        for await event in earlier.download(scratch.request(server.url("/a.mp3"))) {
            if case .progress = event { break }
        }
        await earlier.shutDown()
        let url = server.url("/a.mp3")
        server.stop()
        var configuration = TransferConfiguration.quick
        configuration.retry.networkPatience = .seconds(3600)
        configuration.retry.firstContactPatience = .milliseconds(300)
        let loop = try TransferLoop(configuration)
        var waits: [Duration] = []
        for await event in loop.download(scratch.request(url)) {
            switch event {
            case .waiting(.network, let longest): waits.append(longest)
            case .failed(let failure): #expect(failure.hasResume)
            default: Issue.record("\(event)")
            }
        }
        // Told once, with the longest time that it waits.
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { $0 <= .milliseconds(300) })
    }

    @Test func `a host that lets nobody in is away, and not merely slow`() async throws {
        let door = try ClosedDoor()
        var configuration = TransferConfiguration.quick
        configuration.connectTimeout = .milliseconds(300)
        configuration.retry.failureLimit = 1
        let loop = try TransferLoop(configuration)
        let failure = try #require(await loop.run(scratch.request(door.url)).failure)
        guard case .unreachable = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
    }

    @Test func `those who waited for a host with another are told of their own address`() async throws {
        server.stop()
        var configuration = TransferConfiguration.quick
        configuration.retry.networkPatience = .milliseconds(300)
        configuration.retry.firstContactPatience = .milliseconds(300)
        let loop = try TransferLoop(configuration)
        let urls = (0..<6).map { server.url("/\($0).mp3?key=secret") }
        let failures = await withTaskGroup(of: (Int, DownloadFailure?).self) { group in
            for (number, url) in urls.enumerated() {
                let request = scratch.request(url, key: "\(number)")
                group.addTask { (number, await loop.run(request).failure) }
            }
            return await group.reduce(into: [Int: DownloadFailure]()) { $0[$1.0] = $1.1 }
        }
        #expect(failures.count == urls.count)
        for (number, failure) in failures {
            #expect(failure.error.description.hasSuffix("/\(number).mp3)"), "\(failure.error)")
        }
    }

    @Test func `an unknown name is a host away`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.failureLimit = 1
        let loop = try TransferLoop(configuration)
        let failure = try #require(await loop.run(scratch.request("http://nowhere.invalid/a.mp3")).failure)
        guard case .unreachable = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
    }
}

/// Counts the downloads that have begun to wait.
private actor WaitCounter {
    private var keys: Set<String> = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func add(_ key: String) {
        keys.insert(key)
        for waiter in waiters where waiter.count <= keys.count { waiter.continuation.resume() }
        waiters.removeAll { $0.count <= keys.count }
    }

    func wait(for count: Int) async {
        if keys.count >= count { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }
}
