import Testing

@testable import EpisodeStore

@Suite struct SearchTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("<b>sta</b>tion<SPAN class=\"x\">s</SPAN>", "stations"),
        ("<p>one</p><p>two</p>", " one  two "),
        ("f&uuml;r &amp; wider", "für & wider"),
        ("&#252;&#xFC;&#XFC;", "üüü"),
        ("a & b &c; &unknown; &", "a & b &c; &unknown; &"),
        ("&#xD800;&#1114112;", "&#xD800;&#1114112;"),
        ("1 < 2 > 1", "1   2 > 1"),
        ("an open <a href=", "an open  a href="),
        ("<", " "),
        ("<!-- note --><br/>x", "  x"),
        ("Zug 🚂", "Zug 🚂"),
        ("", ""),
    ])
    func `tags become blanks and entities characters`(html: String, text: String) {
        #expect(searchText(ofHTML: html) == text)
    }

    @Test func `an endless tag costs no time`() {
        let hostile = String(repeating: "<a", count: 200_000)
        #expect(searchText(ofHTML: hostile).utf8.count == 400_000)
    }
}
