import Testing

@testable import FeedParser

@Suite struct JSONSyntaxTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let line: Int
        let message: String

        init(_ document: String, line: Int = 1, _ message: String) {
            testDescription = document
            self.document = document
            self.line = line
            self.message = message
        }
    }

    private func check(_ document: String, limits: ParserLimits = ParserLimits()) throws -> [Diagnostic] {
        let context = ParseContext(limits: limits)
        _ = try checkedJSON(Array(document.utf8), context: context)
        return context.diagnostics
    }

    @Test(arguments: [
        Case("{\"a\": 1\n \"b\": 2}", line: 2, "a ',' or '}' is missing before '\"'"),
        Case("[1 2]", "a ',' or ']' is missing before '2'"),
        Case("[1}", "a ',' or ']' is missing before '}'"),
        Case("{\n\n\"a\" 1}", line: 3, "a ':' is missing before '1'"),
        Case("{a: 1}", "a name in quotes is missing before 'a'"),
        Case("{\"a\": }", "'}' begins no value"),
        Case("[,1]", "',' begins no value"),
        Case("['a']", "''' begins no value"),
        Case("[1,\n nope]", line: 2, "'nope' is no value"),
        Case("[0x1z]", "'0x1z' is no value"),
        Case("[\u{7}]", "'byte 7' begins no value"),
    ])
    func `a fault is told with its line`(_ test: Case) throws {
        #expect(throws: FeedError.malformedJSON(line: test.line, message: test.message)) {
            try check(test.document)
        }
    }

    @Test func `every cut of a document is told`() throws {
        let document = Array("{\"a\": [1, {\"b\": \"x\\\"y\"}, true],\n \"c\": {}}".utf8)
        for length in 1..<document.count {
            let cut = String(decoding: document[..<length], as: UTF8.self)
            let line = cut.contains("\n") ? 2 : 1
            #expect(throws: FeedError.malformedJSON(line: line, message: "the document is cut off"), "\(cut)")
            {
                try check(cut)
            }
        }
    }

    @Test(arguments: [
        "[1, 2,]", "{\"a\": 1,}", "[NaN, Infinity, -Infinity]", "[01, .5, 1., +2, 1e999, -0]",
        "[123456789012345678901234567890]", "{\"a\": 1, \"a\": 2}", "[\"\\ud800\"]", "[\"\\x\"]",
        "\u{FEFF}\u{FEFF} {}", "  \r\n[]  \n",
    ])
    func `what cannot be misunderstood is taken`(_ document: String) throws {
        #expect(try check(document).isEmpty)
    }

    @Test func `what follows the root is left out`() throws {
        let diagnostics = try check("{}\n;window.x = 1")
        #expect(diagnostics.map(\.code) == [.junk])
        #expect(diagnostics.first?.line == 2)
    }

    @Test func `a line break in a text is told with its line`() throws {
        #expect(try check("[1,\n\"a\nb\"]").map(\.line) == [2])
    }

    @Test func `nesting is bounded`() throws {
        var limits = ParserLimits()
        limits.jsonDepth = 3
        #expect(try check("[[[1]], [{}], []]", limits: limits).isEmpty)
        #expect(throws: FeedError.tooDeep(depth: 3)) { try check("[[[[]]]]", limits: limits) }
        #expect(throws: FeedError.tooDeep(depth: 3)) { try check("[{\"a\": [{}]}]", limits: limits) }
        let quoted = "[\"" + String(repeating: "[", count: 200) + "\"]"
        #expect(try check(quoted, limits: limits).isEmpty)
    }

    @Test func `a million brackets are refused`() {
        let document = String(repeating: "[", count: 1_000_000)
        #expect(throws: FeedError.tooDeep(depth: 128)) { try check(document) }
    }

    @Test func `lines are found in any order`() {
        let bytes = Array("a\nb\n\nc".utf8)
        var lines = LineFinder()
        #expect([0, 2, 4, 5, 2, 99].map { lines.line(at: $0, in: bytes) } == [1, 2, 3, 4, 2, 4])
    }
}
