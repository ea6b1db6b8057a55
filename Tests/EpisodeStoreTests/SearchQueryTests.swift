import Testing

@testable import EpisodeStore

@Suite struct SearchQueryTests {
    @Test(
        arguments: [
            ("night train", "(\"night\" AND \"train\")"),
            ("\"night train\" day", "(\"night train\" AND \"day\")"),
            ("trai*", "(\"trai\" *)"),
            ("\"night tra\"*", "(\"night tra\" *)"),
            ("night -day -\"long dawn\"", "(\"night\") NOT (\"day\" OR \"long dawn\")"),
            ("C++ OR NOT", "(\"C++\" AND \"OR\" AND \"NOT\")"),
            ("\"never closed", "(\"never closed\")"),
            ("a\"b", "(\"a\" AND \"b\")"),
            ("-only", nil),
            ("!!! ***", nil),
            ("", nil),
            ("a\0b", "(\"ab\")"),
        ] as [(String, String?)])
    func `words become a query without operators of their own`(text: String, query: String?) {
        #expect(SearchQuery(text)?.anywhere == query)
    }

    @Test func `the words may be wanted in the title, and the others nowhere`() {
        #expect(SearchQuery("night -day")?.inTitle == "(title : (\"night\")) NOT (\"day\")")
    }

    @Test func `a book typed into the search is cut short`() {
        let query = SearchQuery(String(repeating: "word ", count: 10_000))
        #expect(query?.anywhere.split(separator: " ").count == 63)
    }
}
