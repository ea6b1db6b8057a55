import Downloader
import Foundation
import TestServer
import Testing

/// The main scenarios against a real server, in the clear and with TLS.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: NginxServer.isInstalled && TestCertificates.isPossible, "needs nginx and openssl"))
struct NginxTests {
    private let scratch: Scratch
    private let certificates: TestCertificates
    private let loop: TransferLoop
    private let whole = Pattern(byteCount: 3_000_000)

    init() throws {
        scratch = try Scratch()
        certificates = try TestCertificates()
        var configuration = TransferConfiguration.quick
        configuration.caBundlePath = certificates.authority
        loop = try TransferLoop(configuration)
    }

    private func server(_ isSecure: Bool, options: String = "", locations: String = "") throws -> NginxServer
    {
        let server = try NginxServer(
            options: options, locations: locations, certificates: isSecure ? certificates : nil)
        try server.write(whole.bytes, to: "a.mp3")
        return server
    }

    private func expectWhole(
        _ story: Story, _ pattern: Pattern? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> FinishedDownload {
        let finished = try #require(
            story.finished, "\(String(describing: story.failure?.error))", sourceLocation: sourceLocation)
        #expect(
            (pattern ?? whole).firstDifference(fromFileAt: finished.path) == nil,
            sourceLocation: sourceLocation)
        return finished
    }

    /// The first bytes come at once, and the others as good as never.
    private let stalling = "limit_rate_after 400k; limit_rate 1k;"

    /// Downloads for a while and stops, as at Ctrl-C.
    private func downloadPart(_ url: String) async {
        let consumer = Task {
            for await event in loop.download(scratch.request(url)) {
                guard case .progress(let progress) = event, progress.byteCount > 300_000 else { continue }
                // The sequence then ends with the download paused and its files closed.
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await consumer.value
    }

    @Test(arguments: [false, true])
    func `a whole file`(_ isSecure: Bool) async throws {
        let server = try server(isSecure)
        let finished = try expectWhole(await loop.run(scratch.request(server.url("/a.mp3"))))
        #expect(finished.isVerified)
        #expect(try server.requests(to: "/a.mp3") == ["200 3000000"])
        #expect(try server.protocols(of: "/a.mp3") == [isSecure ? "HTTP/2.0" : "HTTP/1.1"])
    }

    @Test(arguments: [false, true])
    func `a server killed in mid-transfer and started again is asked for the rest`(_ isSecure: Bool)
        async throws
    {
        let server = try server(isSecure, options: stalling)
        var story: [DownloadEvent] = []
        var isKilled = false
        for await event in loop.download(scratch.request(server.url("/a.mp3"))) {
            story.append(event)
            if case .progress(let progress) = event, progress.byteCount > 300_000, !isKilled {
                isKilled = true
                server.stop()
                try server.start()
            }
        }
        let finished = try expectWhole(Story(story))
        #expect(finished.restartCount == 0)
        #expect(finished.bodyByteCount == whole.byteCount)
        #expect(try server.requests(to: "/a.mp3").last?.hasPrefix("206 ") == true)
    }

    @Test(arguments: [false, true])
    func `another run asks for the rest, and a changed file whole`(_ isSecure: Bool) async throws {
        let server = try server(isSecure, options: stalling)
        await downloadPart(server.url("/a.mp3"))
        server.stop()
        try server.start()
        let second = await loop.run(scratch.request(server.url("/a.mp3")))
        #expect(try expectWhole(second).restartCount == 0)
        #expect(second.starts.first?.resumedFrom ?? 0 > 300_000)
        try FileManager.default.removeItem(atPath: try #require(second.finished?.path))
        try scratch.resumeFolder.remove("1")

        server.stop()
        try server.start(options: stalling)
        await downloadPart(server.url("/a.mp3"))
        server.stop()
        try server.start()
        let changed = Pattern(byteCount: 2_500_000, prefix: Array("ID3new".utf8))
        try server.write(changed.bytes, to: "a.mp3")
        let third = await loop.run(scratch.request(server.url("/a.mp3")))
        _ = try expectWhole(third, changed)
        #expect(third.starts.map(\.restartReason) == [.fileChanged])
    }

    @Test(arguments: [false, true])
    func `three at once`(_ isSecure: Bool) async throws {
        let server = try server(isSecure)
        let url = server.url("/a.mp3")
        let stories = await withTaskGroup(of: Story.self) { group in
            for key in ["1", "2", "3"] {
                group.addTask { await loop.run(scratch.request(url, key: key)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for story in stories { _ = try expectWhole(story) }
        #expect(try server.requests(to: "/a.mp3") == Array(repeating: "200 3000000", count: 3))
    }

    @Test func `a server that nobody vouches for is refused, and told so`() async throws {
        let server = try server(true)
        let loop = try TransferLoop(.quick)
        let failure = try #require(await loop.run(scratch.request(server.url("/a.mp3"))).failure)
        #expect("\(failure.error)" == "the server's certificate is not trusted (\(server.url("/a.mp3")))")
        #expect(failure.isTemporary)
        #expect(scratch.libraryFiles.isEmpty)
        #expect(try server.requests(to: "/a.mp3").isEmpty)
    }

    @Test func `a certificate for another name is refused`() async throws {
        let server = try server(true)
        let url = server.url("/a.mp3").replacing("127.0.0.1", with: "localhost")
        let failure = try #require(await loop.run(scratch.request(url)).failure)
        #expect("\(failure.error)".hasPrefix("the server's certificate is not trusted"))
    }

    @Test func `a redirect may lead to TLS and back`() async throws {
        let plain = try server(false)
        let secure = try server(true, locations: "location = /back { return 302 \(plain.url("/a.mp3")); }")
        let entry = try server(false, locations: "location = /go { return 302 \(secure.url("/back")); }")
        _ = try expectWhole(await loop.run(scratch.request(entry.url("/go"))))
        #expect(try plain.requests(to: "/a.mp3") == ["200 3000000"])
    }
}
