import Testing

@testable import EpisodeStore

@Suite struct SearchHitTests {
    @Test(
        arguments: [
            ("plain", [SnippetPart(text: "plain", isMatch: false)]),
            ("\u{2}all\u{3}", [SnippetPart(text: "all", isMatch: true)]),
            (
                "one \u{2}two\u{3} three",
                [
                    SnippetPart(text: "one ", isMatch: false), SnippetPart(text: "two", isMatch: true),
                    SnippetPart(text: " three", isMatch: false),
                ]
            ),
            ("one\u{1E}two", [SnippetPart(text: "one two", isMatch: false)]),
            (
                "never \u{2}closed",
                [SnippetPart(text: "never ", isMatch: false), SnippetPart(text: "closed", isMatch: true)]
            ),
            ("\u{3}\u{2}\u{3}\u{2}", [SnippetPart(text: "\u{3}", isMatch: false)]),
            ("", []),
        ] as [(String, [SnippetPart])])
    func `marks become parts`(marked: String, parts: [SnippetPart]) {
        #expect(snippetParts(marked) == parts)
    }

    @Test func `the separators before the first match count the segments`() {
        #expect(segmentOfFirstMatch("a\u{1E}b\u{1E}\u{2}c\u{3}\u{1E}\u{2}d\u{3}") == 2)
        #expect(segmentOfFirstMatch("\u{2}a\u{3}") == 0)
        #expect(segmentOfFirstMatch("a\u{1E}b") == nil)
    }
}
