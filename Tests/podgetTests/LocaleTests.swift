import Foundation
import TestServer
import Testing

@testable import podget

/// What the user's locale, a narrow terminal, a closed pipe and hostile titles make of the output.
@Suite(.timeLimit(.minutes(5)))
struct LocaleTests {
    /// A home with one show, one of its two episodes downloaded.
    private func home(title: String = "Part") async throws -> (home: TestHome, server: DummyServer) {
        let server = try DummyServer()
        let items = [2, 1].map {
            FeedItem(title: "\(title) \($0)", guid: "\($0)", url: server.url("/\($0).mp3"), day: $0)
        }
        server.serve("/feed.xml", .feed(feed("Show of \(title)", items)))
        for number in 1...2 { server.serve("/\(number).mp3", .pattern(1_234_567)) }
        let home = try TestHome()
        await home.podget("subscribe", server.url("/feed.xml"))
        await home.podget("sync")
        return (home, server)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let day: String
        let size: String
        let nothing: String

        init(_ language: String, day: String, size: String, nothing: String) {
            testDescription = language
            (self.day, self.size, self.nothing) = (day, size, nothing)
        }
    }

    @Test(arguments: [
        Case("C", day: "Nov 2, 2026", size: "1.2 MB", nothing: "0 bytes"),
        Case("en_GB.UTF-8", day: "2 Nov 2026", size: "1.2 MB", nothing: "0 bytes"),
        Case("de_DE.UTF-8", day: "2. Nov. 2026", size: "1,2 MB", nothing: "0 Byte"),
        Case("ja_JP.UTF-8", day: "2026年11月2日", size: "1.2 MB", nothing: "0バイト"),
    ])
    func `dates and sizes are the user's, messages English`(_ test: Case) async throws {
        let (home, _) = try await home()
        let episodes = await home.podget("episodes", language: test.testDescription)
        #expect(plain(episodes.output).contains(test.day), "\(episodes.output)")
        #expect(episodes.output.contains("STATE"))
        let storage = await home.podget("storage", language: test.testDescription)
        #expect(plain(storage.output).contains(test.size), "\(storage.output)")
        await home.podget("delete", "show-of-part:all")
        let empty = await home.podget("storage", language: test.testDescription)
        #expect(plain(empty.output).hasPrefix("0 files, \(test.nothing)"), "\(empty.output)")
    }

    /// With the blanks that locales have in places of a plain one.
    private func plain(_ text: String) -> String {
        text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }

    private static let lists = [
        ["feeds"], ["episodes"], ["show", "1"], ["show", "1:all"], ["storage"], ["storage", "--by", "feed"],
        ["status"],
        ["clean", "--dry-run"], ["sync", "--dry-run", "--verbose"], ["why", "2"],
    ]

    @Test(arguments: [40, 80])
    func `tables fit the terminal, wide characters counted`(_ width: Int) async throws {
        let (home, _) = try await home(title: "海辺の町の静かな朝の散歩と古い灯台の話 🚂")
        for words in [["feeds"], ["episodes"], ["storage"], ["status"]] {
            let outcome = await home.run(words, width: width)
            #expect(outcome.code == .done)
            for line in outcome.output.split(separator: "\n") {
                #expect(columnCount(String(line)) <= width, "\(words): \(line)")
            }
        }
    }

    @Test func `no title reaches the terminal with an escape sequence`() async throws {
        // XML allows no escape character; what decodes to one, or to its eight-bit kin, must not get through.
        let (home, _) = try await home(title: "\u{9B}2J\u{85}\u{202E}&amp;#27;]0;owned&amp;#7; Part")
        for words in Self.lists {
            let outcome = await home.run(words, width: 80)
            let text = outcome.output + outcome.errors
            #expect(
                !text.unicodeScalars.contains {
                    ($0.value < 0x20 && $0 != "\n") || 0x7F..<0xA0 ~= $0.value || $0.value == 0x202E
                }, "\(words)")
        }
    }

    @Test(arguments: [
        ["episodes"], ["feeds", "--json"], ["--help"], ["help", "sync"], ["sync", "--json"],
        ["completions", "zsh"],
    ])
    func `a closed pipe ends every command quietly`(_ words: [String]) async throws {
        let (home, _) = try await home()
        let process = try PodgetProcess(words, home: home.path, readsOutput: false)
        #expect(await process.wait() == 0)
        #expect(await process.errorText() == "")
    }

    @Test(arguments: [
        (["show", "shaw-of-part"], ExitCode.usage, "did you mean show-of-part?"),
        (["episodes", "--stat", "done"], .usage, "did you mean --state?"),
        (["episods"], .usage, "did you mean 'podget episodes'?"),
        (["download", "show-of-part"], .usage, "show-of-part:latest"),
        (["show", "999"], .usage, "'podget feeds' and 'podget episodes' list what there is"),
        (["subscribe"], .usage, "subscribe needs SOURCE: podget subscribe SOURCE…"),
    ])
    func `a mistake is told with the next step`(_ words: [String], _ code: ExitCode, _ hint: String)
        async throws
    {
        let (home, _) = try await home()
        let outcome = await home.run(words)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `a web page is told with the feeds that it offers`() async throws {
        let server = try DummyServer()
        let page = """
            <html><head>
            <link rel="alternate" type="application/rss+xml" href="/a.xml">
            <link rel="alternate" type="application/rss+xml" href="/b.xml">
            </head></html>
            """
        server.serve("/", .text(page, type: "text/html"))
        let outcome = try await TestHome().podget("subscribe", server.url("/"))
        #expect(outcome.code == .failed)
        #expect(
            outcome.errors.contains(server.url("/a.xml")) && outcome.errors.contains(server.url("/b.xml")))
    }
}
