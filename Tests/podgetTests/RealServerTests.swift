import Foundation
import TestServer
import Testing

@testable import podget

/// The main job against nginx.
@Suite(.timeLimit(.minutes(5)), .enabled(if: NginxServer.isInstalled))
struct RealServerTests {
    @Test func `sync and sync again`() async throws {
        let server = try NginxServer()
        let home = try TestHome()
        let item = FeedItem(title: "One", guid: "1", url: server.url("/one.mp3"), day: 1)
        try server.write(feed("Show", [item]).utf8, to: "feed.xml")
        let whole = Pattern(byteCount: 500_000)
        try server.write(whole.bytes, to: "one.mp3")
        #expect(await home.podget("subscribe", server.url("/feed.xml")).code == .done)
        #expect(await home.podget("sync").code == .done)
        #expect(await home.podget("sync").code == .done)
        #expect(whole.firstDifference(fromFileAt: home.library + "/Show/2026-11-01 One.mp3") == nil)
        #expect(try server.requests(to: "/one.mp3") == ["200 500000"])
        // nginx gives validators, so an unchanged feed is not sent again.
        #expect(try server.requests(to: "/feed.xml").dropFirst().allSatisfy { $0.hasPrefix("304") })
    }

    @Test func `a killed download is resumed with its ETag`() async throws {
        let server = try NginxServer(options: "limit_rate_after 400k; limit_rate 1k;")
        let home = try TestHome()
        let item = FeedItem(title: "Long", guid: "1", url: server.url("/long.mp3"), day: 1)
        try server.write(feed("Show", [item]).utf8, to: "feed.xml")
        let whole = Pattern(byteCount: 3_000_000)
        try server.write(whole.bytes, to: "long.mp3")
        await home.podget("subscribe", server.url("/feed.xml"))
        let process = try PodgetProcess(["sync", "--json"], home: home.path)
        #expect(await process.line { $0.contains("\"event\":\"progress\"") } != nil)
        process.send(SIGKILL)
        _ = await process.wait()
        server.stop()
        try server.start()
        #expect(await home.podget("sync").code == .done)
        #expect(whole.firstDifference(fromFileAt: home.library + "/Show/2026-11-01 Long.mp3") == nil)
        let requests = try server.requests(to: "/long.mp3")
        #expect(requests.count == 2)
        #expect(requests.last?.hasPrefix("206 ") == true)
    }

    @Test(.enabled(if: TestCertificates.isPossible))
    func `a server with a certificate of its own is trusted only by those who name it`() async throws {
        let certificates = try TestCertificates()
        let server = try NginxServer(certificates: certificates)
        let item = FeedItem(title: "One", guid: "1", url: server.url("/one.mp3"), day: 1)
        try server.write(feed("Show", [item]).utf8, to: "feed.xml")
        let whole = Pattern(byteCount: 500_000)
        try server.write(whole.bytes, to: "one.mp3")
        let home = try TestHome()
        let refused = await home.podget("subscribe", server.url("/feed.xml"))
        #expect(refused.code == .failed)
        #expect(refused.errors.contains("the server's certificate is not trusted"))

        for variable in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            let variables = [variable: certificates.authority]
            #expect(
                await home.podget("subscribe", server.url("/feed.xml"), variables: variables).code == .done)
        }
        #expect(await home.podget("sync").code == .partly)
        try home.write("{ caBundle: '\(certificates.authority)' }", to: "config.json5")
        #expect(await home.podget("sync").code == .done)
        #expect(whole.firstDifference(fromFileAt: home.library + "/Show/2026-11-01 One.mp3") == nil)
    }
}
