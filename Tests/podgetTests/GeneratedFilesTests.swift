import Foundation
import Testing

@testable import podget

/// What scripts/generate writes from the command table.
@Suite(.timeLimit(.minutes(5)))
struct GeneratedFilesTests {
    private static let page = manualPage(CommandTable.syntaxes, globalOptions: GlobalOptions.syntax)

    @Test(arguments: [
        ("man/podget.1", page), ("completions/podget.bash", Shell.bash.completionScript),
        ("completions/_podget", Shell.zsh.completionScript),
        ("completions/podget.fish", Shell.fish.completionScript),
    ])
    func `no generated file is stale`(_ file: String, _ text: String) throws {
        let written = try String(contentsOfFile: repository + "/" + file, encoding: .utf8)
        #expect(written == text, "run scripts/generate")
    }

    @Test(.enabled(if: SystemProgram.isInstalled("mandoc"), "mandoc is not installed"))
    func `mandoc finds nothing to complain of in the manual page`() async throws {
        let mandoc = try #require(SystemProgram("mandoc"))
        let outcome = try await mandoc.run(["-T", "lint", repository + "/man/podget.1"])
        #expect(outcome.output == "")
        #expect(outcome.code == 0)
    }

    @Test(.enabled(if: SystemProgram.isInstalled("man"), "man is not installed"))
    func `man shows every command and option`() async throws {
        let man = try #require(SystemProgram("man"))
        let variables = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": "",
            "MANROFFOPT": "-ww",
        ]
        let outcome = try await man.run(
            ["--warnings", "-E", "UTF-8", "-l", repository + "/man/podget.1"], environment: variables)
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("warning"))
        for syntax in CommandTable.syntaxes {
            #expect(outcome.output.contains("podget " + syntax.name))
            for option in syntax.options { #expect(outcome.output.contains("--" + option.name)) }
        }
        #expect(outcome.output.contains("~/.local/share/podget/podget.db"))
    }

    @Test func `every command has a summary that fits its line, and no two have one name`() {
        let syntaxes = CommandTable.syntaxes
        #expect(Set(syntaxes.map(\.name)).count == syntaxes.count)
        for syntax in syntaxes {
            #expect(!syntax.summary.isEmpty && syntax.summary.count <= 90)
            #expect(!syntax.summary.hasSuffix("."))
        }
    }
}
