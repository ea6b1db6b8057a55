import Aggregator
import Testing

@testable import podget

@Suite(.timeLimit(.minutes(5)))
struct HelpTests {
    @Test func `the overview groups every command and says where things are kept`() async throws {
        let home = try TestHome()
        let outcome = await home.podget("--help")
        #expect(outcome.code == .done)
        for syntax in CommandTable.syntaxes { #expect(outcome.output.contains("\n  " + syntax.name)) }
        for group in Set(CommandTable.syntaxes.map(\.group)) {
            #expect(outcome.output.contains("\n\(group.rawValue):\n"))
        }
        #expect(outcome.output.contains("~/Podcasts"))
        #expect(await home.podget("help").output == outcome.output)
    }

    @Test func `help COMMAND and COMMAND --help are one`() async throws {
        let home = try TestHome()
        let help = await home.podget("help", "download")
        #expect(help.output.contains("podget download low-water:S2\n      downloads a season"))
        #expect(await home.podget("download", "--help").output == help.output)
        #expect(await home.podget("help", "nonsense").code == .usage)
    }

    @Test(arguments: [("set", SettingKey.Scope.globalOnly), ("config", .feedOnly)])
    func `the help names what each setting may be`(_ command: String, _ excluded: SettingKey.Scope)
        async throws
    {
        let help = try await TestHome().podget("help", command).output
        for key in SettingKey.all where key.scope != excluded {
            #expect(help.contains("  \(key.name) "))
            #expect(help.contains("  \(key.allowed)"), "\(key.name)")
        }
    }

    @Test(arguments: CommandTable.syntaxes)
    func `every command has a line for each word that it takes`(_ syntax: CommandSyntax) {
        #expect(!syntax.summary.isEmpty)
        #expect((syntax.arguments.map(\.help) + syntax.options.map(\.help)).allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        ("list", "feeds"), ("add", "subscribe"), ("update", "sync"), ("rm", "delete"), ("get", "download"),
        ("du", "storage"), ("synk", "sync"), ("subscibe", "subscribe"),
    ])
    func `a word of another program, or a mistyped one, leads to ours`(
        _ word: String, _ command: String
    ) async throws {
        let outcome = try await TestHome().podget(word)
        #expect(outcome.code == .usage)
        #expect(
            outcome.errors == "podget: there is no command '\(word)'; did you mean 'podget \(command)'?\n")
    }

    @Test(arguments: [("tag", "podget set FEED tag TAG"), ("pin", "podget mark keep EPISODE")])
    func `a word that no command stands for is answered with what does it`(_ word: String, _ way: String)
        async throws
    {
        let outcome = try await TestHome().podget(word)
        #expect(outcome.code == .usage)
        #expect(
            outcome.errors.hasPrefix("podget: there is no command '\(word)'; '\(way)' "), "\(outcome.errors)")
        #expect(CommandTable.advice.keys.allSatisfy { CommandTable.otherWords[$0] == nil })
    }

    @Test(arguments: CommandTable.syntaxes)
    func `a help fits the terminal where its lines can be broken`(_ syntax: CommandSyntax) {
        let help = commandHelp(syntax, width: 60)
        let fixed = Set(syntax.details.split(separator: "\n") + syntax.examples.map { "  \($0.command)" })
        for line in help.split(separator: "\n") where line.count > 60 {
            #expect(fixed.contains(line) || line.hasPrefix("Usage: "), "\(line)")
        }
        for word in syntax.details.split(whereSeparator: \.isWhitespace) { #expect(help.contains(word)) }
    }

    @Test func `another word is one of ours only where it names a command that exists`() {
        let names = Set(CommandTable.syntaxes.map(\.name))
        #expect(CommandTable.otherWords.keys.allSatisfy { !names.contains($0) })
    }
}
