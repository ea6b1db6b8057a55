import Foundation
import TestServer
import Testing

@testable import podget

/// `notify`, with a mock of the desktop's service on a bus of its own.
@Suite(.timeLimit(.minutes(5)))
struct NotificationTests {
    /// A home that is subscribed to a show of three episodes.
    private func home(settings: String) async throws -> (TestHome, DummyServer) {
        let server = try DummyServer()
        let items = (1...3).map { number in
            FeedItem(
                title: number == 3 ? "--help &amp; more" : "Part \(number)", guid: "\(number)",
                url: server.url("/\(number).mp3"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in 1...3 { server.serve("/\(number).mp3", .pattern(50_000)) }
        let home = try TestHome()
        try home.write(settings, to: "config.json5")
        await home.podget("subscribe", server.url("/feed.xml"))
        return (home, server)
    }

    @Test(.enabled(if: PrivateBus.isInstalled, "needs dbus and python3-dbusmock"))
    func `a sync that downloads sends one notification, and one that does not sends none`() async throws {
        let (home, server) = try await home(settings: "{ latest: 9, notify: true }")
        defer { server.stop() }
        let bus = try PrivateBus()
        try bus.startNotifications()
        let variables = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        for _ in 1...2 {
            let outcome = await home.podget("sync", variables: variables)
            #expect(outcome.code == .done)
            #expect(outcome.errors == "")
        }
        let told = try bus.notifications()
        #expect(told.components(separatedBy: "3 episodes downloaded").count == 2, "\(told)")
        #expect(told.contains("Show: Part 1"))
        // The title stays an argument, and its ampersand is no markup.
        #expect(told.contains("Show: --help &amp; more"), "\(told)")
        await home.podget("delete", "show:latest")
        await home.podget("download", "show:latest", variables: variables)
        #expect(try bus.notifications() == told)
    }

    @Test func `without a desktop nothing is told and nothing fails`() async throws {
        let (home, server) = try await home(settings: "{ latest: 1, notify: true }")
        defer { server.stop() }
        let outcome = await home.podget(
            "sync", variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/no/such/bus"])
        #expect(outcome.code == .done)
        #expect(outcome.errors == "")
        #expect(home.mediaFiles().count == 1)
    }

    @Test func `few episodes are named and more are hinted at`() {
        let words = notificationWords(count: 7, names: ["A & B: <i>", "C\u{1B}[2J: D"])
        #expect(words.contains("7 episodes downloaded"))
        let body = words.first { $0.hasPrefix("A &amp; B: &lt;i&gt;\n") }
        #expect(body?.hasSuffix("\n…") == true)
        #expect(body?.contains("\u{1B}") == false)
    }
}
