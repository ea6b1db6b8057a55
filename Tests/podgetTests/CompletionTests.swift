import Foundation
import Testing

@testable import podget

/// What is offered at the cursor, and that the shells show it.
@Suite(.timeLimit(.minutes(5)))
struct CompletionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let fitting: [String]
        var wish: Completion.Wish?

        init(_ line: String, _ fitting: [String], wish: Completion.Wish? = nil) {
            testDescription = line
            words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            self.fitting = fitting
            self.wish = wish
        }
    }

    private static let table = [
        CommandSyntax(
            name: "take", group: .main, summary: "", arguments: [ArgumentSyntax("FEED", .atLeastOne, "")],
            options: [
                OptionSyntax("order", value: "newest|oldest", ""), OptionSyntax("output", value: "FILE", ""),
            ]),
        CommandSyntax(
            name: "look", group: .look, summary: "", arguments: [ArgumentSyntax("EPISODE", .one, "")]),
        CommandSyntax(
            name: "shell", group: .help, summary: "", arguments: [ArgumentSyntax("bash|zsh", .one, "")]),
    ]

    @Test(arguments: [
        Case("", ["take", "look", "shell"]),
        Case("lo", ["look"]),
        Case("-", ["--quiet", "--home"]),
        Case("--quiet ta", ["take"]),
        Case("--home ", [], wish: .folders),
        Case("--home x ta", ["take"]),
        Case("take ", [], wish: .feeds),
        Case("take a b", [], wish: .feeds),
        Case("take --o", ["--order", "--output"]),
        Case("take --order ", ["newest", "oldest"]),
        Case("take --order ne", ["newest"]),
        Case("take --order=ol", ["--order=oldest"]),
        Case("take --output ", [], wish: .files),
        Case("take --output=x", [], wish: .files),
        Case("take --order newest ", [], wish: .feeds),
        Case("take -- --o", [], wish: .feeds),
        Case("look ", [], wish: .episodes),
        Case("look 1 ", []),
        Case("shell z", ["zsh"]),
        Case("nonsense x", ["take", "look", "shell"].filter { $0.hasPrefix("x") }),
    ])
    func `what fits depends on the words before`(_ test: Case) {
        let completion = Completion(
            test.words, table: Self.table,
            globalOptions: [OptionSyntax("quiet", short: "q", ""), OptionSyntax("home", value: "DIR", "")])
        #expect(completion.fitting().map(\.word) == test.fitting)
        #expect(completion.wish == test.wish)
    }

    /// A home with two feeds, of two episodes each.
    private func home() async throws -> TestHome {
        let home = try TestHome()
        for title in ["Low Water", "Low Tide"] {
            let items = (1...2).map {
                FeedItem(title: "Part \($0)", guid: "\($0)", url: "\($0).mp3", day: $0)
            }
            await home.podget("subscribe", try home.write(feed(title, items), to: title + ".xml"))
        }
        return home
    }

    @Test func `feeds and episodes come from the store`() async throws {
        let home = try await home()
        let feeds = await home.podget("__complete", "unsubscribe", "low-w")
        #expect(feeds.output == "low-water\tLow Water\n")
        let episodes = await home.podget("__complete", "show", "")
        #expect(episodes.output.contains("2\tLow Water: Part 2\n"))
        #expect(episodes.output.contains("low-tide:\tLow Tide\n"))
        let part = await home.podget("__complete", "download", "low-water:l")
        #expect(part.output == "low-water:latest\tthe newest of Low Water\n")
    }

    @Test func `without a library nothing is said and nothing is created`() async throws {
        let home = try TestHome()
        let outcome = await home.podget("__complete", "unsubscribe", "")
        #expect((outcome.code, outcome.output, outcome.errors) == (.done, "", ""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    private func variables(_ home: TestHome) -> [String: String] {
        let build = (builtPodget as NSString).deletingLastPathComponent
        return [
            "PATH": build + ":/usr/bin:/bin", "PODGET_HOME": home.path, "HOME": home.path, "LANG": "C.UTF-8",
        ]
    }

    @Test(.enabled(if: SystemProgram.isInstalled("fish"), "fish is not installed"))
    func `fish completes`() async throws {
        let home = try await home()
        let fish = try #require(SystemProgram("fish"))
        let script = "source \(repository)/completions/podget.fish; "
        for (line, expected) in [
            ("podget unsub", "unsubscribe"), ("podget unsubscribe low-w", "low-water"),
            ("podget download low-water:l", "low-water:latest"),
            ("podget episodes --state=do", "--state=done"),
            ("podget inspect Low\\ W", "Low Water.xml"),
        ] {
            let outcome = try await fish.run(
                ["--no-config", "-c", script + "complete -C \(quoted(line))"], environment: variables(home),
                folder: home.path)
            let words = outcome.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(
                words.map { String($0).replacing("\\ ", with: " ") } == [expected],
                "\(line): \(outcome.output)")
        }
    }

    @Test(
        .enabled(if: TerminalSession.isInstalled, "tmux is not installed"),
        arguments: [Shell.bash, .zsh].filter { SystemProgram.isInstalled($0.rawValue) })
    func `bash and zsh complete`(_ shell: Shell) async throws {
        let home = try await home()
        let start =
            switch shell {
            case .bash: "exec bash --norc --noprofile"
            case .zsh, .fish: "exec zsh -f"
            }
        let terminal = try await TerminalSession(
            "cd \(home.path); PS1='$ ' \(start)", columns: 100, variables: variables(home))
        let load =
            switch shell {
            case .bash: "source \(repository)/completions/podget.bash"
            case .zsh, .fish:
                "PS1='$ '; fpath=(\(repository)/completions $fpath); autoload -U compinit; compinit -u -D"
            }
        try await terminal.type("\(load); clear; echo ready")
        try await terminal.press("Enter")
        try await terminal.waitForScreen { $0.first == "ready" }
        for (typed, wanted) in [
            ("podget unsub", "podget unsubscribe"), ("low-w", "podget unsubscribe low-water"),
        ] {
            try await terminal.type(typed)
            try await terminal.press("Tab")
            try await terminal.waitForScreen { $0.last == "$ " + wanted || $0.last == "$ \(wanted) " }
        }
        for (typed, wanted) in [
            ("podget download low-water:l", "podget download low-water:latest"),
            ("podget episodes --state=do", "podget episodes --state=done"),
            ("podget inspect Low\\ W", "podget inspect Low\\ Water.xml"),
        ] {
            try await terminal.press("C-u")
            try await terminal.type(typed)
            try await terminal.press("Tab")
            try await terminal.waitForScreen { $0.last == "$ " + wanted || $0.last == "$ \(wanted) " }
        }
    }

    private func quoted(_ text: String) -> String { "'" + text.replacing("\\", with: "\\\\") + "'" }
}
