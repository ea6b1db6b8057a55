import Foundation
import TestServer
import Testing

@testable import podget

/// What a person sees in a terminal while podget downloads.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TerminalSession.isInstalled, "tmux is not installed"))
struct ProgressTests {
    private static let titles = [
        "海辺の町の静かな朝の散歩と古い灯台の話", "🚂🚃 Night trains, all aboard 🌙 \u{1B}[2J\u{1B}]0;owned\u{7} to the sea",
    ]

    /// A show with two episodes, both stalling in the middle.
    private func show() throws -> DummyServer {
        let server = try DummyServer()
        let items = [1, 2].map { number in
            FeedItem(
                title: Self.titles[number - 1].filter { !"\u{1B}\u{7}".contains($0) }, guid: "\(number)",
                url: server.url("/\(number).mp3"), day: number)
        }
        server.serve("/feed.xml", .feed(feed("Show", items)))
        for number in [1, 2] {
            server.serve(
                "/\(number).mp3",
                .pattern(2_000_000, etag: "\"\(number)\"").with { $0.stallAfter = 1_000_000 })
        }
        return server
    }

    private func variables(_ home: TestHome) -> [String: String] {
        ["PODGET_HOME": home.path, "HOME": home.path]
    }

    /// The lines of the two transfers and of their sum.
    private func isLive(_ lines: [String]) -> Bool {
        lines.count == 3 && lines[0].contains("海辺の町") && lines[1].contains("🚂") && lines[2].contains(" · ")
    }

    private func subscribed(_ server: DummyServer) async throws -> TestHome {
        let home = try TestHome()
        await home.podget("subscribe", "--latest", "2", server.url("/feed.xml"))
        return home
    }

    @Test(arguments: [40, 80, 200])
    func `one line per transfer, at any width, and clean at the end`(_ columns: Int) async throws {
        let server = try show()
        let home = try await subscribed(server)
        let terminal = try await TerminalSession(
            "\(builtPodget) sync; echo ended", columns: columns, variables: variables(home))
        let lines = try await terminal.waitForScreen(isLive)
        #expect(
            lines.contains { $0.hasPrefix(columns < 80 ? "海辺の町" : columns < 200 ? "海辺の町の静か" : "Show: 海辺の町") })
        #expect(lines.contains { $0.contains("🚂") })
        #expect(columns < 80 || lines[0].contains("  ["))
        for number in [1, 2] { server.release("/\(number).mp3") }
        let ended = try await terminal.waitForScreen { $0.last == "ended" }
        #expect(!ended.contains { $0.contains("Total") || $0.contains("  [") })
        #expect(ended.joined().contains("2 files downloaded"))
    }

    @Test func `the sum tells of what is queued, until it runs`() async throws {
        let server = try show()
        let home = try await subscribed(server)
        await home.podget("config", "transfers", "1")
        let terminal = try await TerminalSession(
            "\(builtPodget) sync; echo ended", columns: 120, variables: variables(home))
        let lines = try await terminal.waitForScreen { $0.last?.contains("1 queued") == true }
        #expect(lines.last?.hasPrefix("Total: 1 running · 1 queued · ") == true, "\(lines)")
        server.release("/2.mp3")
        let next = try await terminal.waitForScreen { isOneRunning($0) }
        #expect(next.last?.contains("queued") == false, "\(next)")
        server.release("/1.mp3")
        try await terminal.waitForScreen { $0.last == "ended" }
    }

    /// Whether the second of two transfers is under way.
    private func isOneRunning(_ lines: [String]) -> Bool {
        lines.last?.hasPrefix("Total: 1 running") == true && lines.last?.contains("queued") == false
    }

    @Test func `a resized terminal is right again, and Ctrl-C leaves nothing behind`() async throws {
        let server = try show()
        let home = try await subscribed(server)
        let terminal = try await TerminalSession(
            "\(builtPodget) sync; echo ended $?", columns: 200, variables: variables(home))
        try await terminal.waitForScreen(isLive)
        try await terminal.resize(columns: 40)
        let narrow = try await terminal.waitForScreen { isLive($0) && $0.allSatisfy { columnCount($0) < 40 } }
        #expect(narrow.contains { $0.hasPrefix("海辺の町") })
        try await terminal.resize(columns: 120)
        try await terminal.waitForScreen { isLive($0) && $0[0].contains("  [") }
        try await terminal.press("C-c")
        let ended = try await terminal.waitForScreen { $0.last == "ended 130" }
        #expect(!ended.contains { $0.contains("Total:") || $0.contains("^C") || $0.contains("  [") })
        #expect(ended.joined().contains("2 downloads interrupted"))
    }

    @Test(arguments: ["TERM=dumb", "TERM="])
    func `a terminal that cannot move its cursor gets one line per finished item`(
        _ term: String
    ) async throws {
        let server = try show()
        for number in [1, 2] { server.serve("/\(number).mp3", .pattern(50_000)) }
        let home = try await subscribed(server)
        let terminal = try await TerminalSession(
            "\(term) \(builtPodget) sync | cat -v; \(term) \(builtPodget) delete show:all; \(term) \(builtPodget) download show:all; echo ended",
            columns: 200, variables: variables(home))
        let lines = try await terminal.waitForScreen { $0.last == "ended" }
        #expect(lines.filter { $0.hasPrefix("Downloaded Show: ") }.count >= 2)
        #expect(!lines.contains { $0.contains("^[") || $0.contains("Total:") })
    }
}
