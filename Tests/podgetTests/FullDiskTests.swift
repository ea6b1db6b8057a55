import Foundation
import TestServer
import Testing

@testable import podget

/// Disks that are full, read-only, or two instead of one.
@Suite(.timeLimit(.minutes(5)), .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskTests {
    private struct Status: Decodable {
        struct Item: Decodable {
            let title: String
            let bytes: Int64
            let verb: String?
            let reason: String?
        }
        let queued: [Item]
        let waiting: [Item]
        let failed: [Item]
    }

    private func status(_ home: TestHome) async throws -> Status {
        try await home.podget("status", "--json").json(Status.self)
    }

    /// A show with so many episodes, each 6 MB, the newest first in the queue.
    private func show(_ count: Int, _ reply: Reply, length: Int64 = 0) throws -> DummyServer {
        let server = try DummyServer()
        let items = (1...count).map { number in
            FeedItem(
                title: "Part \(number)", guid: "\(number)", url: server.url("/\(number).mp3"), day: number,
                length: length)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...count { server.serve("/\(number).mp3", reply) }
        return server
    }

    private let size: Int64 = 6_000_000
    private var chunked: Reply { .pattern(size, etag: "\"v1\"").with { $0.framing = .chunked } }
    private var plain: Reply { .pattern(size, etag: "\"v1\"") }

    private func isWhole(_ home: TestHome, _ number: Int) -> Bool {
        let file = home.library + "/Show/2026-11-0\(number) Part \(number).mp3"
        return Pattern(byteCount: size).firstDifference(fromFileAt: file) == nil
    }

    private func expectDone(_ home: TestHome, sourceLocation: SourceLocation = #_sourceLocation) async throws
    {
        let outcome = await home.podget("sync")
        #expect(outcome.code == .done, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
    }

    @Test func `a disk full in mid-transfer keeps the partial, and takes on no more`() async throws {
        let server = try show(3, chunked)
        let home = try TestHome()
        let disk = try SmallDisk(at: home.path, kilobytes: 4000)
        try home.write("{ reserve: '0 MiB', transfers: 1 }", to: "config.json5")
        await home.podget("subscribe", "--latest", "3", server.url("/feed.xml"))

        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(synced.output.contains("0 files downloaded, 1 download waiting, the disk is full"))
        #expect(server.requests(to: "/3.mp3").count == 1)
        #expect(server.requests(to: "/2.mp3").isEmpty)
        #expect(home.mediaFiles().isEmpty)
        let stopped = try await status(home)
        let partial = try #require((stopped.waiting + stopped.queued).first { $0.title == "Part 3" })
        #expect(partial.bytes > 1_000_000)
        #expect(partial.verb != "retry")

        try disk.resize(kilobytes: 40_000)
        try await expectDone(home)
        #expect((1...3).allSatisfy { isWhole(home, $0) })
        let second = try #require(server.requests(to: "/3.mp3").last?.range)
        #expect(second.hasPrefix("bytes=") && second != "bytes=0-")
    }

    @Test func `a disk full before the sync is told, and nothing is lost`() async throws {
        let server = try show(1, plain)
        let home = try TestHome()
        let disk = try SmallDisk(at: home.path, kilobytes: 20_000)
        try home.write("{ reserve: '0 MiB' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        try disk.fill()
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(synced.errors.contains("full"))
        #expect(synced.output.contains("0 files downloaded"))
        // What there is can be looked at, and deleted to make room.
        #expect(await home.podget("episodes").code == .done)
        disk.drain()
        try await expectDone(home)
        #expect(isWhole(home, 1))
    }

    @Test func `a file that does not fit is not begun, and fits in a later run`() async throws {
        let server = try show(1, plain, length: size)
        let home = try TestHome()
        let cache = try SmallDisk(at: home.path + "/cache", kilobytes: 8000)
        try home.write("{ reserve: '3 MiB' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(server.requests(to: "/1.mp3").isEmpty)
        let reason = try #require(try await status(home).waiting.first?.reason)
        #expect(reason.contains("no room on the disk with the partial downloads (\(home.path)/cache/resume)"))
        #expect(synced.errors.contains(reason))

        try cache.resize(kilobytes: 12_000)
        try await expectDone(home)
        #expect(isWhole(home, 1))
    }

    @Test func `a size that only the server knows is judged at its head`() async throws {
        let server = try show(1, plain.with { $0.bytesPerSecond = 500_000 }, length: 12)
        let home = try TestHome()
        let cache = try SmallDisk(at: home.path + "/cache", kilobytes: 4000)
        try home.write("{ reserve: '1 MiB' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        #expect(await home.podget("sync").code == .partly)
        #expect(server.bodyByteCount(on: "/1.mp3") < 2_000_000)
        #expect(try await status(home).waiting.first?.reason?.contains("no room") == true)
        server.serve("/1.mp3", plain)
        try cache.resize(kilobytes: 8000)
        try await expectDone(home)
        #expect(isWhole(home, 1))
    }

    @Test func `a library on another disk gets whole files and leaves no traces there`() async throws {
        let server = try show(2, plain)
        let home = try TestHome()
        let library = try SmallDisk(at: home.library, kilobytes: 8000)
        try home.write("{ reserve: '1 MiB', transfers: 1 }", to: "config.json5")
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code == .partly)
        #expect(isWhole(home, 2))
        #expect(home.mediaFiles() == ["Show/2026-11-02 Part 2.mp3"])
        let reason = try #require(try await status(home).waiting.first?.reason)
        #expect(reason.contains("with the library (\(home.library))"))
        try library.resize(kilobytes: 16_000)
        try await expectDone(home)
        #expect(isWhole(home, 1))
    }

    @Test func `a library that cannot be written to is told, and the bytes are kept`() async throws {
        let server = try show(1, plain)
        let home = try TestHome()
        var library: SmallDisk? = try SmallDisk(at: home.library, kilobytes: 16_000)
        try library?.makeReadOnly()
        try home.write("{ reserve: '1 MiB' }", to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        let synced = await home.podget("sync")
        #expect(synced.code != .done)
        #expect(synced.errors.contains("Read-only file system"))
        library = nil
        try await expectDone(home)
        #expect(isWhole(home, 1))
        _ = library
    }

    @Test func `the storage limit keeps files out, whatever the disk has`() async throws {
        let server = try show(2, plain, length: size)
        let home = try TestHome()
        try home.write("{ storageLimit: '8 MiB', transfers: 1 }", to: "config.json5")
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        try await expectDone(home)
        #expect(isWhole(home, 2))
        #expect(server.requests(to: "/1.mp3").isEmpty)
        let asked = await home.podget("download", "show:all")
        #expect(asked.code == .partly)
        #expect(asked.errors.contains("no room within the storage limit"))
        #expect(server.requests(to: "/1.mp3").isEmpty)
    }
}
