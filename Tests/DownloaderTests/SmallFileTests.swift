import Foundation
import TestServer
import Testing

@testable import Downloader

/// Files below one buffer: they come to the disk whole, without a record, and published in groups.
@Suite(.timeLimit(.minutes(5)))
struct SmallFileTests {
    private let scratch: Scratch
    private let server: DummyServer
    private let loop: TransferLoop
    private let size: Int64 = 100_000
    private let good = Reply.pattern(100_000, etag: "\"v1\"")

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
    }

    private var resumeFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: scratch.resumeFolder.path)) ?? [])
            .filter { $0 != "CACHEDIR.TAG" }.sorted()
    }

    private func isWhole(_ path: String) -> Bool {
        Pattern(byteCount: size).firstDifference(fromFileAt: path) == nil
    }

    @Test func `a small file under way has nothing on the disk, and no record when it is done`() async throws
    {
        server.serve("/a.mp3", good.with { $0.stallAfter = 60_000 })
        var finished: FinishedDownload?
        var isReleased = false
        for await event in loop.download(scratch.request(server.url("/a.mp3"))) {
            switch event {
            case .progress where !isReleased:
                #expect(resumeFiles.isEmpty)
                isReleased = true
                server.release("/a.mp3")
            case .finished(let file): finished = file
            default: break
            }
        }
        #expect(isWhole(try #require(finished).path))
        #expect(resumeFiles == ["1.part"])
        try scratch.resumeFolder.remove("1")
        #expect(resumeFiles.isEmpty)
        #expect(scratch.libraryFiles == ["episode 1.mp3"])
    }

    @Test(arguments: [20, 511, 512, 60_000, 99_999] as [Int64])
    func `a small file that is torn goes on where it stopped`(_ tear: Int64) async throws {
        server.serve("/a.mp3", inTurn: [good.with { $0.tearAfter = tear }, good])
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        let finished = try #require(story.finished, "\(String(describing: story.failure))")
        #expect(isWhole(finished.path))
        #expect(server.requests.map(\.range) == [nil, "bytes=\(tear)-"])
        #expect(server.bodyByteCount(on: "/a.mp3") == size)
        #expect(finished.restartCount == 0)
    }

    @Test func `a small file that is paused goes on in the next run`() async throws {
        server.serve("/a.mp3", inTurn: [good.with { $0.stallAfter = 60_000 }, good])
        for await event in loop.download(scratch.request(server.url("/a.mp3"))) {
            if case .progress(let progress) = event, progress.byteCount > 0 { break }
        }
        await loop.shutDown()
        #expect(resumeFiles == ["1.json", "1.part"])
        let finished = try #require(
            await TransferLoop(.quick).run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(isWhole(finished.path))
        #expect(server.requests.map { $0.range == nil } == [true, false])
        #expect(finished.restartCount == 0)
    }

    @Test(arguments: [false, true])
    func `a small file published just before the end of a run is known again`(_ isNameTaken: Bool)
        async throws
    {
        server.serve("/a.mp3", good)
        if isNameTaken { try scratch.write([1], to: scratch.library + "/episode 1.mp3") }
        let first = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        let second = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(second.wasAdopted)
        #expect(second.path == first.path)
        #expect(second.fileExtension == "mp3")
        #expect(server.requests.count == 1)
        #expect(scratch.libraryFiles.count == (isNameTaken ? 2 : 1))
    }

    @Test func `a small file whose name in the library is gone is fetched again, and no other file touched`()
        async throws
    {
        server.serve("/a.mp3", good)
        let first = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        let elsewhere = scratch.path + "/mine.mp3"
        try FileManager.default.moveItem(atPath: first.path, toPath: elsewhere)
        let second = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(!second.wasAdopted)
        #expect(isWhole(second.path))
        #expect(isWhole(elsewhere))
    }

    @Test func `a resume folder on another file system gives the file a record before it is copied`()
        async throws
    {
        let other = "/dev/shm/podget-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: other) }
        server.serve("/a.mp3", good)
        var request = scratch.request(server.url("/a.mp3"))
        request.resumeFolder = ResumeFolder(path: other)
        try request.resumeFolder.prepare()
        let finished = try #require(await loop.run(request).finished)
        #expect(isWhole(finished.path))
        #expect(scratch.libraryFiles == ["episode 1.mp3"])
        let second = try #require(await loop.run(request).finished)
        #expect(second.wasAdopted)
        #expect(server.requests.count == 1)
    }

    @Test func `bytes of an earlier file are kept until a small one is whole`() async throws {
        server.serve("/a.mp3", inTurn: [.pattern(400_000).with { $0.tearAfter = 300_000 }, .status(404)])
        #expect(await loop.run(scratch.request(server.url("/a.mp3"))).failure?.byteCount == 300_000)
        server.serve("/a.mp3", good.with { $0.stallAfter = 60_000 })
        var isReleased = false
        for await event in loop.download(scratch.request(server.url("/a.mp3"))) {
            guard case .progress = event, !isReleased else { continue }
            isReleased = true
            #expect(regularFileByteCount(at: scratch.resumeFolder.partPath("1")) == 300_000)
            server.release("/a.mp3")
        }
        #expect(isReleased)
        #expect(isWhole(scratch.library + "/episode 1.mp3"))
    }

    @Test func `a small file that cannot be published is kept, and not asked for again`() async throws {
        server.serve("/a.mp3", good)
        try scratch.write([1], to: scratch.path + "/taken")
        var request = scratch.request(server.url("/a.mp3"))
        request.targetFolder = scratch.path + "/taken"
        let failure = try #require(await loop.run(request).failure)
        #expect(failure.hasResume)
        #expect(resumeFiles == ["1.json", "1.part"])
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(isWhole(finished.path))
        #expect(server.requests.count == 1)
    }

    @Test func `files published together fail each for itself`() async throws {
        let names = (0..<40).map { "/\($0).mp3" }
        for (number, name) in names.enumerated() {
            server.serve(name, number % 4 == 3 ? .text("<html>Log in</html>", type: "text/html") : good)
        }
        let loop = loop
        let outcomes = await withTaskGroup(of: (Int, Story).self) { group in
            for (number, name) in names.enumerated() {
                let request = scratch.request(server.url(name), key: "\(number)")
                group.addTask { (number, await loop.run(request)) }
            }
            return await group.reduce(into: [Int: Story]()) { $0[$1.0] = $1.1 }
        }
        for (number, story) in outcomes {
            if number % 4 == 3 {
                #expect(story.failure.map { "\($0.error)" } == "not audio: the server sent a web page")
            } else {
                #expect(isWhole(try #require(story.finished).path))
            }
        }
        #expect(scratch.libraryFiles.count == 30)
    }

    @Test(arguments: [5000, 100_000_000] as [Int64])
    func `that all bytes are here is told before the end, for another download may begin`(
        _ byteCount: Int64
    ) async throws {
        server.serve("/a.mp3", .pattern(byteCount, etag: "\"v1\""))
        let story = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(story.finished?.byteCount == byteCount)
        #expect(story.eventCountBeforeReceived == story.starts.count + story.progress.count)
        server.serve("/b.mp3", .status(404))
        #expect(await loop.run(scratch.request(server.url("/b.mp3"))).eventCountBeforeReceived == nil)
    }

    @Test(arguments: [0, 20])
    func `a group of orders gives each its own result`(othersCount: Int) throws {
        func order(_ key: String, _ bytes: [UInt8], byteCount: Int64? = nil, folder: String = "library")
            throws -> PublishOrder
        {
            PublishOrder(
                bytes: .held(bytes), byteCount: byteCount ?? Int64(bytes.count), folder: scratch.resumeFolder,
                key: key, record: ResumeRecord(originalURL: "http://pod.example/a.mp3"), hasRecord: false,
                targetFolder: scratch.path + "/" + folder, fileStem: "file", url: "http://pod.example/a.mp3",
                declaredType: nil, demanded: [])
        }
        let audio = Pattern(byteCount: 5000).bytes
        try scratch.write([1], to: scratch.path + "/taken")
        // Many are synced in another way than few.
        let others = try (0..<othersCount).map { try order("other \($0)", audio, folder: "others") }
        let results = publishTogether(
            [
                try order("1", audio), try order("2", Array("<html>".utf8)), try order("3", audio),
                try order("4", audio, byteCount: 5001), try order("5", audio, folder: "taken"),
                try order("6", audio + [9, 9], byteCount: 5000, folder: "new/folder"),
            ] + others)
        #expect(try results.dropFirst(6).allSatisfy { scratch.bytes(try $0.get().path) == audio })
        #expect(try results[0].get().path == scratch.library + "/file.mp3")
        #expect(throws: TransferError.self) { try results[1].get() }
        #expect(try results[2].get().path == scratch.library + "/file (2).mp3")
        #expect(throws: TransferError.self) { try results[3].get() }
        #expect(throws: TransferError.self) { try results[4].get() }
        #expect(scratch.bytes(try results[5].get().path) == audio)
    }
}
