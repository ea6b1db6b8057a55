import Testing

@testable import Aggregator

@Suite struct FeedMoveTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let stored: String
        let target: String?
        let result: String?

        init(_ name: String, _ stored: String, _ target: String?, _ result: String?) {
            (self.name, self.stored, self.target, self.result) = (name, stored, target, result)
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case("nowhere", "https://a.example/f", nil, nil),
        Case("the same", "https://a.example/f", "https://A.example:443/f#x", nil),
        Case("another host", "https://a.example/f", "https://b.example/f", "https://b.example/f"),
        Case("up to https", "http://a.example/f", "https://a.example/f", "https://a.example/f"),
        Case("down to http", "https://a.example/f", "http://a.example/g", nil),
        Case("http to http", "http://a.example/f", "http://a.example/g", "http://a.example/g"),
        Case("a file", "https://a.example/f", "file:///etc/passwd", nil),
        Case("another scheme", "https://a.example/f", "gopher://a.example/f", nil),
        Case("no address", "https://a.example/f", "feed.xml", nil),
        Case("a local feed", "file:///feed.xml", "https://a.example/f", nil),
        Case(
            "credentials stay with their host", "https://u:p@a.example/f", "https://a.example/g",
            "https://u:p@a.example/g"),
        Case("and go to no other", "https://u:p@a.example/f", "https://b.example/g", "https://b.example/g"),
        Case(
            "nor to another port", "http://u:p@a.example/f", "http://a.example:81/g", "http://a.example:81/g"),
    ])
    func `a feed takes the address it was led to, with guards`(_ test: Case) {
        #expect(movedAddress(from: test.stored, to: test.target) == test.result)
    }

    @Test(
        arguments: [
            ("https://c.example/", "https://c.example/"), ("https://b.example", nil),
            ("https://a.example/", nil),
            ("http://c.example/", nil),
        ] as [(String, String?)])
    func `an announced address is not followed back`(_ announced: String, _ result: String?) {
        let followed = announcedAddress(
            announced, of: "https://a.example", former: ["https://b.example/"])
        #expect(followed == result)
    }
}
