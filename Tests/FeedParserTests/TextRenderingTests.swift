import Testing

@testable import FeedParser

@Suite struct TextRenderingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        let text: String

        init(_ name: String, _ html: String, _ text: String) {
            testDescription = name
            self.html = html
            self.text = text
        }
    }

    @Test(arguments: [
        Case("paragraphs", "<p>One\n  line</p>\n<p>Two</p>", "One line\n\nTwo"),
        Case("line breaks", "One<br>Two<br/>\nThree", "One\nTwo\nThree"),
        Case("divisions", "<div>One</div><div>Two</div>", "One\nTwo"),
        Case("plain text", "Tea & toast", "Tea & toast"),
        Case("heading", "<h2>Head</h2>Text", "Head\n\nText"),
        Case("list", "Buy:<ul><li>tea<li>toast</ul>now", "Buy:\n\n• tea\n• toast\n\nnow"),
        Case("numbered list", "<ol start=9><li>nine</li><li>ten</li></ol>", "9. nine\n10. ten"),
        Case(
            "list in a list", "<ul><li>tea<ol><li>green</li><li>black</li></ol></li><li>toast</li></ul>",
            "• tea\n  1. green\n  2. black\n• toast"),
        Case("paragraphs in an item", "<ul><li><p>One</p><p>Two</p></li></ul>", "• One\n  Two"),
        Case("quotation", "He:<blockquote>Yes<br>no</blockquote>", "He:\n\n> Yes\n> no"),
        Case("preformatted", "<pre>a  b\n  c</pre>", "a  b\n  c"),
        Case("rule", "a<hr>b", "a\n---\n\nb"),
        Case("table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"),
        Case("image", "<img src=x alt='A boat'> at sea", "[A boat] at sea"),
        Case("script", "a<script>b()</script>", "a"),
        Case("nothing", "<p> </p><br>", ""),
        Case("escape sequence", "a&#27;[2J\u{1B}[3J&#155;b", "a[2J[3J›b"),
    ])
    func `blocks become lines`(_ test: Case) {
        #expect(renderText(fromHTML: test.html, width: nil) == test.text)
    }

    @Test(arguments: [
        Case(
            "two links",
            "<a href='https://a.example/'>One</a>, <a href=\"https://b.example/?x=1&amp;y=2\">two</a>.",
            "One [1], two [2].\n\n[1] https://a.example/\n[2] https://b.example/?x=1&y=2"),
        Case(
            "the same link twice",
            "<a href='https://a.example/'>One</a> <a href='https://a.example/'>two</a>",
            "One [1] two [1]\n\n[1] https://a.example/"),
        Case(
            "the address as text", "<a href='https://a.example/'>https://a.example/</a>", "https://a.example/"
        ),
        Case("a script's address", "<a href='javascript:x()'>One</a>", "One"),
        Case("no text", "<a href='https://a.example/'></a>One", "One"),
        Case(
            "an image as text", "<a href='https://a.example/'><img alt='Boat'></a>",
            "[Boat] [1]\n\n[1] https://a.example/"),
        Case(
            "an escape sequence in the address", "<a href='https://a.example/\u{1B}[2J'>One</a>",
            "One [1]\n\n[1] https://a.example/[2J"),
    ])
    func `links are numbered`(_ test: Case) {
        #expect(renderText(fromHTML: test.html, width: nil) == test.text)
    }

    @Test func `lines are wrapped within their indentation`() {
        let html = "<p>The tea is hot, the toast is not.</p><ul><li>The tea is hot, the toast is not.</ul>"
        #expect(
            renderText(fromHTML: html, width: 22) == """
                The tea is hot, the
                toast is not.

                • The tea is hot, the
                  toast is not.
                """)
    }

    @Test func `wide characters count as two columns`() {
        #expect(wrap("日本語 日本語 日本語 日本語", width: 20) == ["日本語 日本語 日本語", "日本語"])
    }

    @Test func `a word longer than the line is kept whole`() {
        let address = "https://a.example/" + String(repeating: "x", count: 50)
        #expect(wrap("see \(address) there", width: 20) == ["see", address, "there"])
    }

    @Test func `hostile nesting stays narrow`() {
        let html = String(repeating: "<ul><li><blockquote>", count: 5_000) + "deep"
        let lines = renderText(fromHTML: html, width: 40).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].count < 60)
    }
}
