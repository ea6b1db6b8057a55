import Testing

@testable import podget

@Suite struct ArgumentsTests {
    static let table = [
        CommandSyntax(
            name: "take", group: .main, summary: "", arguments: [ArgumentSyntax("THING", .atLeastOne, "")],
            options: [OptionSyntax("count", short: "c", value: "N", ""), OptionSyntax("dry", "")]),
        CommandSyntax(
            name: "look", group: .look, summary: "", arguments: [ArgumentSyntax("THING", .optional, "")]),
    ]
    static let global = [OptionSyntax("quiet", short: "q", ""), OptionSyntax("help", short: "h", "")]

    private func parse(_ words: String...) throws(UsageError) -> Arguments {
        try Arguments(words, table: Self.table, globalOptions: Self.global)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let positional: [String]
        var count: String?

        init(_ words: String, _ positional: [String], count: String? = nil) {
            testDescription = words
            self.words = words.split(separator: " ").map(String.init)
            self.positional = positional
            self.count = count
        }
    }

    @Test(arguments: [
        Case("take a b", ["a", "b"]),
        Case("take --count 3 a", ["a"], count: "3"),
        Case("take --count=3 a", ["a"], count: "3"),
        Case("take a -c 3", ["a"], count: "3"),
        Case("take --count 1 --count 2 a", ["a"], count: "2"),
        Case("-q take a", ["a"]),
        Case("take -- --count", ["--count"]),
        Case("take -", ["-"]),
        Case("take --count=a=b x", ["x"], count: "a=b"),
    ])
    func `words become arguments and options`(_ test: Case) throws {
        let arguments = try Arguments(test.words, table: Self.table, globalOptions: Self.global)
        #expect(arguments.command == "take")
        #expect(arguments.positional == test.positional)
        #expect(arguments.value(of: "count") == test.count)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String

        init(_ words: String, _ message: String) {
            testDescription = words
            self.message = message
        }
    }

    @Test(arguments: [
        Mistake("tke a", "there is no command 'tke'; did you mean 'podget take'?"),
        Mistake("wholly-other", "there is no command 'wholly-other'; 'podget --help' lists the commands"),
        Mistake("take --cont 3 a", "podget take has no option --cont; did you mean --count?"),
        // No word of another meaning, however alike the words look with their dashes.
        Mistake(
            "take --keep-amount a",
            "podget take has no option --keep-amount; 'podget take --help' lists the options"),
        Mistake("take a --count", "--count needs a value: --count N"),
        Mistake("take --dry=yes a", "--dry takes no value"),
        Mistake("take", "take needs THING: podget take THING…"),
        Mistake("look a b", "look does not take 'b': podget look [THING]"),
    ])
    func `a mistake is told in one line`(_ test: Mistake) {
        #expect(throws: UsageError(test.message)) {
            try Arguments(
                test.testDescription.split(separator: " ").map(String.init), table: Self.table,
                globalOptions: Self.global)
        }
    }

    @Test func `a number outside its range is refused`() throws {
        let arguments = try parse("take", "a", "--count", "99")
        #expect(throws: UsageError("--count takes a whole number from 1 to 10, not '99'")) {
            try arguments.number(of: "count", in: 1...10)
        }
        #expect(try arguments.number(of: "count", in: 1...100) == 99)
    }

    @Test func `help excuses missing arguments`() throws {
        #expect(try parse("take", "--help").has("help"))
    }

    @Test func `every command of the table has a summary, and its options are told apart`() {
        for syntax in CommandTable.syntaxes {
            #expect(!syntax.summary.isEmpty)
            let names = (syntax.options + GlobalOptions.syntax).map(\.name)
            #expect(Set(names).count == names.count, "\(syntax.name)")
            let shorts = (syntax.options + GlobalOptions.syntax).compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(syntax.name)")
        }
    }

    @Test func `the help names every command and its options`() async throws {
        let home = try TestHome()
        let overview = await home.podget("--help").output
        for syntax in CommandTable.syntaxes {
            #expect(overview.contains("  \(syntax.name)"))
            let help = await home.podget(syntax.name, "--help").output
            for option in syntax.options { #expect(help.contains("--\(option.name)"), "\(syntax.name)") }
        }
    }
}
