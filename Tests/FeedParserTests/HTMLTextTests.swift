import Testing

@testable import FeedParser

@Suite struct HTMLTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let html: String
        let text: String

        init(_ html: String, _ text: String) {
            self.html = html
            self.text = text
        }

        var testDescription: String { "“\(html)”" }
    }

    @Test(arguments: [
        Case("", ""),
        Case("  a \n\t b  ", "a b"),
        Case("<b>Salt</b>y", "Salty"),
        Case("<p>One</p><p>Two</p>", "One Two"),
        Case("One<br>Two", "One Two"),
        Case("<ul><li>One<li>Two</ul>", "One Two"),
        Case("<em>a <strong>b</em> c", "a b c"),
        Case("<a href='https://x.example/?a=1&b=2'>here</a>!", "here!"),
        Case("before<script>if (a < b) { x('</p>') }</script> after", "before after"),
        Case("<style>p { color: red }</style>text", "text"),
        Case("<STYLE>a</STYLE>text<Script src='x'>a", "text"),
        Case("a<!-- not <script> this -->b", "ab"),
        Case("<scripture>Psalm</scripture>", "Psalm"),
        Case("Tom &amp; Ada &lt;3 caf&eacute; &#8217;&#x2019;", "Tom & Ada <3 café ’’"),
        Case("&hellip;&rsquo;&nbsp;&euro;", "…’\u{A0}€"),
        Case("AT&T &unheard; R&D", "AT&T &unheard; R&D"),
        Case("Käse, 日本語, 🧀", "Käse, 日本語, 🧀"),
        Case("Käse <b>日本語</b> 🧀", "Käse 日本語 🧀"),
        Case("a < b and c > d", "a < b and c > d"),
        Case("I <3 tea", "I <3 tea"),
        Case("less <than", "less <than"),
        Case("</ 5>", "</ 5>"),
        Case("a\u{1}b\u{B}c<b>\u{1B}[2J</b>", "abc[2J"),
        Case("<meta charset=\"iso-8859-1\">Käse", "Käse"),
        Case("<p><![CDATA[Inner <b>text</b>]]></p>", "Inner text"),
        Case("<img src=x.png alt=Picture>", ""),
    ])
    func `HTML becomes one line of text`(_ test: Case) {
        #expect(plainText(fromHTML: test.html) == test.text)
    }

    @Test(arguments: [
        Case("&lt;p&gt;One &amp;amp; two&lt;/p&gt;", "One & two"),
        Case("The &lt;b&gt; element", "The <b> element"),
        Case("<p>Write &lt;b&gt;so&lt;/b&gt;</p>", "Write <b>so</b>"),
    ])
    func `only HTML that was escaped as a whole is read twice`(_ test: Case) {
        #expect(plainText(fromHTML: test.html) == test.text)
    }

    @Test func `text behind ten thousand open elements is kept`() {
        let html =
            String(repeating: "<div><b>", count: 10_000) + "deep" + String(repeating: "</i>", count: 10_000)
        #expect(plainText(fromHTML: html + " end") == "deep end")
    }

    private static let hostile = [
        "<a " + String(repeating: "b c d e f g ", count: 100_000) + ">",
        "<a " + (0..<200_000).map { "x\($0)" }.joined(separator: " ") + ">",
        "<a a=b=\"" + (0..<200_000).map { "x\($0)" }.joined(separator: " ") + "\">",
        "<a " + (0..<100_000).map { "x\($0)='>'" }.joined() + ">",
        String(repeating: "<a b=\"", count: 100_000) + ">",
        String(repeating: "<a/", count: 200_000) + ">",
        String(repeating: "<a b=", count: 200_000) + ">",
        String(repeating: "</x>", count: 200_000),
        String(repeating: "<x>", count: 200_000) + String(repeating: "</y>", count: 200_000),
        String(repeating: "<![CDATA[", count: 100_000) + String(repeating: "]]>", count: 100_000),
        String(repeating: "<!--", count: 200_000) + ">",
        String(repeating: "<script>a</script", count: 100_000) + ">",
        String(repeating: "&", count: 500_000) + "<b>",
        String(repeating: "<p>", count: 200_000),
    ]

    // By number, for the texts would fill the protocol.
    @Test(arguments: hostile.indices)
    func `hostile HTML takes no longer than its size allows`(number: Int) {
        let html = Self.hostile[number]
        let time = ContinuousClock().measure { _ = plainText(fromHTML: html) }
        // Quadratic time would take minutes.
        #expect(time < .seconds(20))
    }
}
