import Foundation
import Testing

@testable import FeedParser

@Suite struct JSONObjectTests {
    private let context = ParseContext(baseURL: "https://host.example/shows/feed.json")

    private func object(_ json: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> JSONObject
    {
        let root = try checkedJSON(Array(json.utf8), context: context)
        return try #require(JSONObject(root, context: context), sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("audio_url", "audio_url"), ("audioUrl", "audio_url"), ("audioURL", "audio_url"),
        ("AudioURL", "audio_url"), ("audio-url", "audio_url"), ("Audio_URL", "audio_url"),
        ("homePageUrl", "home_page_url"), ("URL", "url"), ("a1B", "a1_b"), ("ünderÜ", "ünderÜ"), ("", ""),
    ])
    func `names are compared in snake case`(_ name: String, _ snake: String) {
        #expect(snakeCase(name) == snake)
    }

    @Test func `the first name that makes sense gives the value`() throws {
        let object = try object(#"{"a": null, "b": "  ", "c": {"d": 1}, "e": " text ", "f": "other"}"#)
        #expect(object.text("a", "b", "c", "x", "e", "f") == "text")
        #expect(object.text("x") == nil)
    }

    @Test func `the first of two members with one name counts`() throws {
        #expect(try object(#"{"a": null, "a": 1, "A": 2}"#).text("a") == "1")
    }

    @Test func `a number counts as text`() throws {
        let object = try object(#"{"id": 12345678901234567890123, "flag": true}"#)
        #expect(object.text("id") == "12345678901234567890123")
        #expect(object.text("flag") == nil)
    }

    @Test(arguments: [
        ("1795501800", "2026-11-24T06:30:00Z"),
        ("1795501800.9", "2026-11-24T06:30:00Z"),
        ("1.7955018e9", "2026-11-24T06:30:00Z"),
        ("1795501800123", "2026-11-24T06:30:00Z"),
        ("\"1795501800\"", "2026-11-24T06:30:00Z"),
        ("\"1795501800123\"", "2026-11-24T06:30:00Z"),
        ("\"2026-11-24T07:30:00+01:00\"", "2026-11-24T06:30:00Z"),
    ])
    func `a date is text, seconds or milliseconds`(_ json: String, _ date: String) throws {
        #expect(try object("{\"at\": \(json)}").date("at").map(rfc3339) == date)
        #expect(context.diagnostics.isEmpty)
    }

    @Test(arguments: ["0", "-1795501800", "1e999", "12", "\"soon\""])
    func `what is no date is told`(_ json: String) throws {
        #expect(try object("{\"at\": \(json)}").date("at") == nil)
        #expect(context.diagnostics.map(\.code) == [.badDate])
    }

    @Test(arguments: [("3.2", 3.2), ("1e3", 1000), ("\"62:03\"", 3723), ("0", nil)])
    func `a duration is a number or a clock's time`(_ json: String, _ seconds: Double?) throws {
        let object = try object("{\"d\": \(json)}")
        #expect(object.duration("d") == seconds)
        #expect(object.seconds("d") == seconds ?? 0)
    }

    @Test(arguments: ["-5", "1e999", "\"long\""])
    func `what is no duration is told`(_ json: String) throws {
        #expect(try object("{\"d\": \(json)}").duration("d") == nil)
        #expect(context.diagnostics.map(\.code) == [.badDuration])
    }

    @Test(arguments: [("7", 7), ("\"7\"", 7), ("7.0", 7), ("7.5", nil), ("1e999", nil), ("\"x\"", nil)])
    func `a whole number may come as text`(_ json: String, _ number: Int?) throws {
        #expect(try object("{\"n\": \(json)}").wholeNumber("n") == number)
    }

    @Test(arguments: [
        ("6653", 6653), ("6653.0", 6653), ("\"6653\"", 6653), ("0", nil), ("-9", nil),
    ])
    func `a number of bytes is a plausible one`(_ json: String, _ count: Int64?) throws {
        #expect(try object("{\"n\": \(json)}").byteCount("n") == count)
    }

    @Test(arguments: [("true", true), ("false", false), ("\"yes\"", true), ("0", false), ("[]", nil)])
    func `a flag may come as text or number`(_ json: String, _ flag: Bool?) throws {
        #expect(try object("{\"f\": \(json)}").flag("f") == flag)
    }

    @Test func `addresses are made absolute`() throws {
        let object = try object(#"{"a": "../x y.mp3", "b": 7, "c": "//other.example/z"}"#)
        #expect(object.url("a") == "https://host.example/x%20y.mp3")
        #expect(object.url("b", "c") == "https://other.example/z")
    }

    @Test func `a lone value counts as a list`() throws {
        let object = try object(#"{"tags": "one", "hosts": {"name": "Ada"}, "authors": "Tom", "none": []}"#)
        #expect(object.lines("none", "tags") == ["one"])
        #expect(object.objects("hosts", textAs: "name").map { $0.line("name") } == ["Ada"])
        #expect(object.objects("authors", textAs: "name").map { $0.line("name") } == ["Tom"])
    }

    @Test func `lists and members are bounded`() throws {
        let context = {
            var limits = ParserLimits()
            limits.listCount = 2
            limits.attributeCount = 3
            limits.fieldByteCount = 4
            return ParseContext(limits: limits)
        }()
        let root = try checkedJSON(
            Array(#"{"tags": ["a", "b", "c"], "x": "12345", "y": "1234", "z": 1}"#.utf8), context: context)
        let object = try #require(JSONObject(root, context: context))
        #expect(object.lines("tags") == ["a", "b"])
        #expect(object.text("x") == "1234")
        #expect(!object.has("z"))
        #expect(context.diagnostics.map(\.code) == [.tooManyAttributes, .fieldTooLong])
    }
}
