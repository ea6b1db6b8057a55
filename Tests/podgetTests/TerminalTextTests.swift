import Testing

@testable import podget

@Suite struct TerminalTextTests {
    init() {
        useUnicodeCharacterTypes()
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("a\u{1B}]0;title\u{7}b", "a]0;titleb"),
        ("a\u{1B}[2Jb", "a[2Jb"),
        ("C1: \u{9B}2J", "C1: 2J"),
        ("two\nlines\tand tab", "two lines and tab"),
        ("turned \u{202E}round\u{2066}", "turned round"),
        ("NUL \u{0}", "NUL "),
        ("Füße 日本 👩‍👩‍👧", "Füße 日本 👩‍👩‍👧"),
    ])
    func `what could act on a terminal goes`(_ text: String, _ safe: String) {
        #expect(terminalText(text) == safe)
    }

    @Test(arguments: [
        ("abc", 3), ("Füße", 4), ("e\u{301}", 1), ("日本", 4), ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("🇩🇪", 2),
        ("한글", 4), ("", 0),
    ])
    func `columns are counted as a terminal draws them`(_ text: String, _ columns: Int) {
        #expect(columnCount(text) == columns)
    }

    @Test(arguments: [
        ("abcdef", 4, "abc…"), ("abc", 3, "abc"), ("日本語", 4, "日…"), ("日本語", 5, "日本…"), ("a", 0, ""),
        ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"),
    ])
    func `cutting keeps whole characters`(_ text: String, _ columns: Int, _ cut: String) {
        #expect(truncated(text, toColumns: columns) == cut)
        #expect(columnCount(truncated(text, toColumns: columns)) <= columns)
    }
}

@Suite struct TableTests {
    private func table() -> Table {
        var table = Table([
            .init(title: "ID", alignment: .right), .init(title: "TITLE", isFlexible: true),
            .init(title: "SIZE"),
        ])
        table.addRow(["7", "日本語のポッドキャスト", "1 kB"])
        table.addRow(["12", "A rather long title that does not fit", "300 MB"])
        return table
    }

    @Test(arguments: [30, 40, 80])
    func `no line is wider than the terminal`(_ width: Int) {
        useUnicodeCharacterTypes()
        for line in table().text(width: width).split(separator: "\n") {
            #expect(columnCount(String(line)) <= width)
        }
    }

    @Test func `columns are aligned by what they take on the screen`() {
        useUnicodeCharacterTypes()
        let lines = table().text(width: 80).split(separator: "\n").map(String.init)
        let columns = lines.map { line in
            ["SIZE", "1 kB", "300 MB"].compactMap { line.firstRange(of: $0) }.first.map {
                columnCount(String(line[..<$0.lowerBound]))
            }
        }
        #expect(Set(columns).count == 1)
        #expect(lines[1].hasPrefix(" 7  "))
    }

    @Test func `without a terminal nothing is cut`() {
        #expect(table().text(width: nil).contains("A rather long title that does not fit"))
    }
}
