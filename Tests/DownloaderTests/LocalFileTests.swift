import Foundation
import TestServer
import Testing

@testable import Downloader

@Suite(.timeLimit(.minutes(5)))
struct LocalFileTests {
    let scratch: Scratch
    let feedFolder: String

    init() throws {
        scratch = try Scratch()
        feedFolder = scratch.path + "/feed"
        let files = FileManager.default
        try files.createDirectory(atPath: feedFolder + "/media/sub", withIntermediateDirectories: true)
        try files.createDirectory(atPath: scratch.path + "/feed-other", withIntermediateDirectories: true)
        let bytes = Pattern(byteCount: 5000).bytes
        for path in ["/feed/a.mp3", "/feed/media/sub/ü b.mp3", "/outside.mp3", "/feed-other/a.mp3"] {
            try scratch.write(bytes, to: scratch.path + path)
        }
        try files.createSymbolicLink(
            atPath: feedFolder + "/in.mp3", withDestinationPath: feedFolder + "/a.mp3")
        try files.createSymbolicLink(
            atPath: feedFolder + "/out.mp3", withDestinationPath: scratch.path + "/outside.mp3")
        try files.createSymbolicLink(atPath: feedFolder + "/up", withDestinationPath: scratch.path)
        mkfifo(feedFolder + "/pipe.mp3", 0o600)
    }

    @Test(arguments: ["/a.mp3", "/media/sub/%C3%BC%20b.mp3", "/media/../a.mp3", "/in.mp3", "/%61.mp3"])
    func `a file in or below the feed's folder is copied`(_ path: String) async throws {
        let loop = try TransferLoop()
        var request = scratch.request("file://" + feedFolder + path)
        request.localFolder = feedFolder
        let story = await loop.run(request)
        let finished = try #require(story.finished, "\(String(describing: story.failure?.error))")
        #expect(Pattern(byteCount: 5000).firstDifference(fromFileAt: finished.path) == nil)
        #expect(finished.path == scratch.library + "/episode 1.mp3")
        #expect(story.starts.first?.expected == .exact(5000))
        #expect(finished.isVerified)
    }

    @Test(arguments: [
        "/../outside.mp3", "/media/../../outside.mp3", "/%2e%2e/outside.mp3", "/..%2foutside.mp3", "/out.mp3",
        "/up/outside.mp3", "/../feed-other/a.mp3", "/media", "/pipe.mp3", "", "/a.mp3%00", "/%zz.mp3",
    ])
    func `nothing else is opened`(_ path: String) async throws {
        let loop = try TransferLoop()
        var request = scratch.request("file://" + feedFolder + path)
        request.localFolder = feedFolder
        let story = await loop.run(request)
        let failure = try #require(story.failure)
        guard case .refusedFile = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(scratch.libraryFiles.isEmpty)
    }

    @Test func `a feed from the network may name no file`() async throws {
        let loop = try TransferLoop()
        let story = await loop.run(scratch.request("file://" + feedFolder + "/a.mp3"))
        let failure = try #require(story.failure)
        #expect("\(failure.error)".contains("only a feed that is itself a local file"))
        #expect(!failure.isTemporary)
    }

    @Test(arguments: [
        "file:///tmp/a", "FILE:///tmp/a", "file:/tmp/a", "file://localhost/tmp/a", "file:///tmp/a?x#y",
    ])
    func `the forms of a local address`(_ url: String) {
        #expect(localPath(of: url) == "/tmp/a")
    }

    @Test(arguments: ["file://host/tmp/a", "http:///tmp/a", "file:tmp/a", "file://"])
    func `an address on another machine is no local path`(_ url: String) {
        #expect(localPath(of: url) == nil)
    }
}
