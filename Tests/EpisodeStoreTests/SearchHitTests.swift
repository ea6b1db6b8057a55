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

    @Test(
        arguments: [
            ("a\u{1E}b\u{1E}\u{2}c\u{3}\u{1E}\u{2}d\u{3}", 2),
            ("\u{2}a\u{3}", 0),
            ("a\u{1E}b", nil),
            ("", nil),
            ("\u{2}a\u{3} \u{2}a\u{3}\u{1E}\u{2}a\u{3} \u{2}b\u{3}", 1),
        ] as [(String, Int?)])
    func `the segment with most of the words found is the best, the first of equals`(
        marked: String, number: Int?
    ) {
        #expect(bestSegment(marked)?.number == number)
    }
}
