import Testing

@testable import FeedParser

@Suite struct JSONValueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let text: String

        init(_ name: String, _ json: String, _ text: String) {
            testDescription = name
            self.json = json
            self.text = text
        }
    }

    private func value(_ json: String) throws -> JSONValue {
        try checkedJSON(Array(json.utf8), context: ParseContext())
    }

    @Test(arguments: [
        Case("plain", #""naïve 🚲""#, "naïve 🚲"),
        Case("short escapes", #""a\"b\\c\/d\ne\tf""#, "a\"b\\c/d\ne\tf"),
        Case("code points", #""\u00fc\u20AC\u0041""#, "ü€A"),
        Case("a surrogate pair", #""\ud83d\udeb2""#, "🚲"),
        Case("a lone high surrogate", #""\ud83dx""#, "\u{FFFD}x"),
        Case("a lone low surrogate", #""\udeb2x""#, "\u{FFFD}x"),
        Case("two high surrogates", #""\ud83d\ud83d\udeb2""#, "\u{FFFD}🚲"),
        Case("digits missing", #""\u12 x""#, "\u{FFFD}12 x"),
        Case("digits cut off", #""\u12""#, "\u{FFFD}12"),
        Case("an unknown escape", #""\x\'""#, "x'"),
        Case("escaped control characters", #""a\u0000\u001b[2J\u007f\b\fb""#, "a[2Jb"),
        Case("bare control characters", "\"a\u{0}\u{1B}\u{7F}\nb\"", "a\nb"),
    ])
    func `a text is unescaped`(_ test: Case) throws {
        #expect(try value(test.json).text == test.text)
    }

    @Test(arguments: ["0", "-1.5e3", "123456789012345678901234567890", "1e999", "01", "+1", ".5", "1."])
    func `a number is kept as it is written`(_ number: String) throws {
        let value = try value("[\(number)]").elements.first { _ in true }
        #expect(value?.number == number)
        #expect(value?.isNull == false)
    }

    @Test(arguments: ["null", "NaN", "Infinity", "-Infinity"])
    func `a word for nothing is no number`(_ word: String) throws {
        let value = try #require(try value("[\(word)]").elements.first { _ in true })
        #expect(value.number == nil)
        #expect(value.isNull)
    }

    @Test func `a list gives its values`() throws {
        let list = try value(#"[1, "a,]", [2, [3]], {"b": [4]}, true, false, null,]"#)
        let texts = list.elements.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts == ["1", "\"a,]\"", "[2, [3]]", "{\"b\": [4]}", "true", "false", "null"])
        #expect(list.elements.map(\.bool) == [nil, nil, nil, nil, true, false, nil])
        #expect(Array(list.members).isEmpty)
    }

    @Test func `an object gives its members`() throws {
        let object = try value(#"{"a" : 1, "b\"":{"c":2},"":[]}"#)
        #expect(object.members.map(\.name) == ["a", "b\"", ""])
        #expect(
            object.members.map { String(decoding: $0.value.bytes, as: UTF8.self) } == [
                "1", "{\"c\":2}", "[]",
            ])
        #expect(Array(object.elements).isEmpty)
    }

    @Test func `bytes that were not checked are read within their bounds`() {
        let pieces = ["\"", "\\", "[", "]", "{", "}", ",", ":", "1", "\"\\u12", "\"\\ud83d\\u", "x"]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let value = JSONValue(bytes: Array((first + second + third).utf8)[...])
                    _ = (value.text, value.number, value.bool, value.isNull)
                    #expect(Array(value.elements.prefix(10)).count < 10)
                    #expect(Array(value.members.prefix(10)).count < 10)
                }
            }
        }
    }
}
