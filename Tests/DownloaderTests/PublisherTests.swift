import Downloader
import Foundation
import TestServer
import Testing

/// The last step: into the library, over nothing, or not at all.
@Suite(.timeLimit(.minutes(5)))
struct PublisherTests {
    let scratch: Scratch
    let server: DummyServer
    let loop: TransferLoop

    init() throws {
        scratch = try Scratch()
        server = try DummyServer()
        loop = try TransferLoop(.quick)
        server.serve("/a.mp3", .pattern(100_000, etag: "\"v1\""))
    }

    @Test func `somebody else's file under the name stays, and another name is taken`() async throws {
        try scratch.write([1, 2, 3], to: scratch.library + "/episode 1.mp3")
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(finished.path == scratch.library + "/episode 1 (2).mp3")
        #expect(scratch.bytes(scratch.library + "/episode 1.mp3") == [1, 2, 3])
        #expect(Pattern(byteCount: 100_000).firstDifference(fromFileAt: finished.path) == nil)
    }

    @Test func `a dangling link under the name stays too`() async throws {
        let link = scratch.library + "/episode 1.mp3"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: scratch.path + "/elsewhere")
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(finished.path == scratch.library + "/episode 1 (2).mp3")
        #expect(scratch.bytes(scratch.path + "/elsewhere") == nil)
    }

    @Test func `a file published just before a crash is adopted without a request`() async throws {
        let first = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        // The record is still there, for the caller removes it after committing its row.
        let second = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(second.wasAdopted)
        #expect(second.path == first.path)
        #expect(second.byteCount == 100_000)
        #expect(server.requests.count == 1)
        try scratch.resumeFolder.remove("1")
        var request = scratch.request(server.url("/a.mp3"))
        request.exactByteCount = 100_000
        request.fileExtension = "mp3"
        #expect(await loop.run(request).finished?.wasAdopted == true)
        #expect(server.requests.count == 1)
    }

    @Test func `a file of another size is not adopted`() async throws {
        try scratch.write([1, 2, 3], to: scratch.library + "/episode 1.mp3")
        var request = scratch.request(server.url("/a.mp3"))
        request.exactByteCount = 100_000
        request.fileExtension = "mp3"
        let finished = try #require(await loop.run(request).finished)
        #expect(!finished.wasAdopted)
        #expect(finished.path == scratch.library + "/episode 1 (2).mp3")
    }

    @Test func `a partial complete before a crash is published without a request`() async throws {
        var configuration = TransferConfiguration.quick
        configuration.retry.failureLimit = 1
        // A file where the library should be lets only the last step fail.
        try FileManager.default.removeItem(atPath: scratch.library)
        try scratch.write([], to: scratch.library)
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect(failure.hasResume)
        #expect(failure.isTemporary)
        try FileManager.default.removeItem(atPath: scratch.library)
        let finished = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).finished)
        #expect(Pattern(byteCount: 100_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func `the extension comes from the bytes where nothing else says`() async throws {
        let ogg = Reply.bytes(
            Array("OggS".utf8) + [UInt8](repeating: 0, count: 100), type: "application/octet-stream")
        server.serve("/play", ogg)
        let finished = try #require(await loop.run(scratch.request(server.url("/play?id=7"))).finished)
        #expect(finished.path == scratch.library + "/episode 1.ogg")
    }

    @Test func `the library folder is made`() async throws {
        var request = scratch.request(server.url("/a.mp3"))
        request.targetFolder = scratch.library + "/Some/Feed"
        #expect(await loop.run(request).finished?.path == scratch.library + "/Some/Feed/episode 1.mp3")
    }

    @Test func `a cache deleted while running costs nothing of a running transfer`() async throws {
        let reply = Reply.pattern(1_000_000, etag: "\"v1\"").with { $0.stallAfter = 500_000 }
        server.serve("/b.mp3", reply)
        async let story = loop.run(scratch.request(server.url("/b.mp3")))
        await server.waitForBodyBytes(500_000, on: "/b.mp3")
        try FileManager.default.removeItem(atPath: scratch.resumeFolder.path)
        server.release("/b.mp3")
        let finished = try #require(await story.finished)
        #expect(Pattern(byteCount: 1_000_000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func `hidden temporary files of ours are removed, and nothing else`() throws {
        for name in [".podget-7.tmp", ".podgetrc", "podget-7.tmp", ".hidden.tmp", "a.mp3"] {
            try scratch.write([1], to: scratch.library + "/" + name)
        }
        #expect(removeTemporaryFiles(in: scratch.library) == 1)
        #expect(scratch.libraryFiles == [".hidden.tmp", ".podgetrc", "a.mp3", "podget-7.tmp"])
    }
}
