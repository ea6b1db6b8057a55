import Testing

@testable import Downloader

@Suite
struct AddressTests {
    @Test func `what is shown holds neither credentials nor query`() {
        let url = "https://user:p%40ss@Pod.Example:8443/feed/a.mp3?token=secret#t=1"
        #expect(withoutSecrets(url) == "https://Pod.Example:8443/feed/a.mp3")
        #expect(addressWithoutCredentials(url) == "https://Pod.Example:8443/feed/a.mp3?token=secret#t=1")
        #expect(Address(url)?.host == "pod.example:8443")
    }

    @Test func `an at sign after the host is part of the path`() {
        #expect(Address("https://pod.example/@show/a.mp3")?.host == "pod.example")
        #expect(withoutSecrets("https://pod.example/@show") == "https://pod.example/@show")
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let url: String
        let request: String
        var testDescription: String { url }
    }

    @Test(arguments: [
        Case(url: "http://h/a b.mp3", request: "http://h/a%20b.mp3"),
        Case(url: "http://h/ü.mp3?q=ß", request: "http://h/%C3%BC.mp3?q=%C3%9F"),
        Case(url: "http://h/a%3Ab%2fc", request: "http://h/a%3Ab%2fc"),
        Case(url: "http://h/a\r\nX: y", request: "http://h/a%0D%0AX:%20y"),
        Case(url: "http://h/a#part", request: "http://h/a"),
        Case(url: "http://h", request: "http://h"),
    ])
    func `only what may not go over the wire is encoded`(_ test: Case) {
        #expect(Address(test.url)?.forRequest == test.request)
    }

    @Test func `a text without scheme is no address`() {
        #expect(Address("pod.example/a.mp3") == nil)
        #expect(withoutSecrets("user:secret@host") == "an address without a scheme")
    }

    @Test func `header texts end at the first control character`() {
        #expect(headerText("podget/1\r\nX-Evil: 1") == "podget/1")
    }

    struct RangeCase: CustomTestStringConvertible, Sendable {
        let text: String
        let bytes: ClosedRange<Int64>?
        let total: Int64?
        var isValid = true
        var testDescription: String { text }
    }

    @Test(arguments: [
        RangeCase(text: "bytes 0-499/1234", bytes: 0...499, total: 1234),
        RangeCase(text: "Bytes 5000000000-5000000001/*", bytes: 5_000_000_000...5_000_000_001, total: nil),
        RangeCase(text: "bytes */1234", bytes: nil, total: 1234),
        RangeCase(text: "bytes 5-4/10", bytes: nil, total: nil, isValid: false),
        RangeCase(text: "bytes 0-10/10", bytes: nil, total: nil, isValid: false),
        RangeCase(text: "bytes -5-4/10", bytes: nil, total: nil, isValid: false),
        RangeCase(text: "bytes 0-4", bytes: nil, total: nil, isValid: false),
        RangeCase(text: "seconds 0-4/10", bytes: nil, total: nil, isValid: false),
        RangeCase(text: "bytes 0-99999999999999999999/*", bytes: nil, total: nil, isValid: false),
    ])
    func `Content-Range is read to the letter`(_ test: RangeCase) {
        let range = ContentRange(test.text)
        #expect((range != nil) == test.isValid)
        #expect(range?.bytes == test.bytes)
        #expect(range?.total == test.total)
    }
}
