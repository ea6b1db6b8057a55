import Downloader
import Testing

@Suite
struct FileNameTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let stem: String

        init(_ name: String, _ text: String, _ stem: String) {
            testDescription = name
            self.text = text
            self.stem = stem
        }
    }

    @Test(arguments: [
        Case("a usual title", "2024-05-01 What's new?", "2024-05-01 What's new"),
        Case("path separators", "a/b\\c", "a b c"),
        Case("parent folder", "..", ""),
        Case("parent folders before a name", "../../etc/passwd", "etc passwd"),
        Case("a leading dash", "--help", "help"),
        Case("a leading mark, which would join the slash before it", "\u{301}Lead", "Lead"),
        Case("a mark on a leading dash", "-\u{301}Lead", "Lead"),
        Case("a NUL and a newline", "a\u{0}b\nc", "a b c"),
        Case("a right-to-left override", "a\u{202E}3pm.b", "a3pm.b"),
        Case("a zero-width blank", "a\u{200B}b", "ab"),
        Case("trailing dots and blanks", "Wait . . .", "Wait"),
        Case("a DOS name", "CON", "_CON"),
        Case("a DOS name with an ending", "aux.notes", "_aux.notes"),
        Case("a DOS port", "COM1", "_COM1"),
        Case("a DOS name before dots and blanks", "CON .. ", "_CON"),
        Case("a DOS name, and more", "con .x", "_con .x"),
        Case("no DOS name", "CONcert", "CONcert"),
        Case("only punctuation", "???", ""),
        Case("shell characters stay, a pipe does not", "$(x); `y` | z", "$(x); `y` z"),
        Case("Chinese", "第一集:开始", "第一集 开始"),
        Case("Cyrillic", "Выпуск 1", "Выпуск 1"),
        Case("decomposed letters are composed", "u\u{308}ber", "über"),
        Case("an emoji family stays whole", "👨‍👩‍👧 talk", "👨‍👩‍👧 talk"),
        Case("blanks in a row", "a   b", "a b"),
    ])
    func `a title becomes a safe stem`(_ test: Case) {
        #expect(Array(cleanFileStem(test.text).utf8) == Array(test.stem.utf8))
    }

    @Test(arguments: [
        ("e\u{200B}\u{301}", "é"), ("-\u{0}\u{0}\u{20E3}\u{0} \u{20E3}x", "x"),
        ("a\u{0} \u{20E3}  b", "a \u{20E3} b"),
        ("NUL \u{20E3}" + String(repeating: "\u{301}", count: 200), "_NUL"),
        ("CON" + String(repeating: ".", count: 300) + "x", "_CON"),
    ])
    func `a clean name is cleaned no further, whatever stands between its parts`(
        _ text: String, _ expected: String
    ) {
        let stem = cleanFileStem(text)
        #expect(Array(stem.utf8) == Array(expected.utf8))
        #expect(Array(cleanFileStem(stem).utf8) == Array(stem.utf8))
    }

    @Test(arguments: [
        String(repeating: "a", count: 300), String(repeating: "ü", count: 200),
        String(repeating: "第", count: 200),
        String(repeating: "👨‍👩‍👧", count: 40),
    ])
    func `a long title is cut to bytes at a character boundary`(_ title: String) {
        let stem = distinctFileStem(title, id: "7", isTaken: { _ in false })
        #expect((stem + ".flac").utf8.count <= 255)
        #expect(title.hasPrefix(stem))
        #expect(stem.utf8.count > 200)
    }

    @Test func `ten episodes with one title get ten names`() {
        var names: Set<String> = []
        for number in 1...10 {
            names.insert(distinctFileStem("News", id: "e\(number)") { names.contains($0) })
        }
        #expect(names.count == 10)
        #expect(names.contains("News"))
        #expect(names.contains("News (e2)"))
    }

    @Test func `two titles equal in the first 300 bytes get two names that fit`() {
        let title = String(repeating: "lange Rede ", count: 30)
        let first = distinctFileStem(title + "1", id: "a", isTaken: { _ in false })
        let second = distinctFileStem(title + "2", id: "b", isTaken: { $0 == first })
        #expect(first != second)
        #expect((second + ".flac").utf8.count <= 255)
    }

    @Test func `a title of nothing takes the mark, and a taken mark a number`() {
        #expect(distinctFileStem("...", id: "42", isTaken: { _ in false }) == "42")
        #expect(distinctFileStem("...", id: "42", isTaken: { $0 == "42" }) == "42-2")
    }
}
