import Testing

@testable import Aggregator

@Suite struct JSON5EditTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: String

        init(_ description: String, _ text: String, _ expected: String) {
            testDescription = description
            self.text = text
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case(
            "a value among comments", "{ /* a: 1 */ a: 2, // a: 3\n b: 'x', }",
            "{ /* a: 1 */ a: NEW, // a: 3\n b: 'x', }"),
        Case("a quoted key", "{ \"a\" : [1, {a: 2}] /* end */ }", "{ \"a\" : NEW /* end */ }"),
        Case("a key within a string", "{ b: 'a: \\' 1', a: 2 }", "{ b: 'a: \\' 1', a: NEW }"),
        Case("an empty object", "{\n}\n", "{\n    a: NEW,\n}\n"),
        Case("an object of one line", "{ b: 1 }", "{ b: 1,  a: NEW }"),
        Case(
            "no comma behind the last", "// mine\n{\n  b: 1 // one\n}",
            "// mine\n{\n  b: 1, // one\n    a: NEW,\n}"),
        Case("the last of two counts", "{ a: 1, a: 2 }", "{ a: 1, a: NEW }"),
    ])
    func `setting a key leaves everything else`(_ test: Case) {
        #expect(JSON5Edit(test.text)?.setting("a", to: "NEW") == test.expected)
    }

    @Test(arguments: [
        Case("with its line", "{\n  a: 1,\n  b: 2,\n}", "{\n  b: 2,\n}"),
        Case("but not a comment beside it", "{\n  a: 1, // why\n  b: 2,\n}", "{\n   // why\n  b: 2,\n}"),
        Case("the last", "{ b: 2, a: 1 }", "{ b: 2,  }"),
        Case("where it is not", "{ b: 2 }", "{ b: 2 }"),
    ])
    func `a key is taken out`(_ test: Case) {
        #expect(JSON5Edit(test.text)?.removing("a") == test.expected)
    }

    @Test(arguments: ["", "[]", "{ a: 1", "{ a }", "{ 'a", "{ a: '", "/*", "{ a: \"\\", "{ 'a\\"])
    func `what is no object is not edited`(_ text: String) {
        #expect(JSON5Edit(text)?.removing("") == nil)
    }
}
