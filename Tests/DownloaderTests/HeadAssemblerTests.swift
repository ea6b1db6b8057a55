import Testing

@testable import Downloader

@Suite
struct HeadAssemblerTests {
    /// Feeds blocks of header lines, each with the address that libcurl would name for it.
    private func assemble(_ blocks: [(url: String, lines: [String])]) throws -> ResponseHead? {
        var assembler = HeadAssembler()
        var head: ResponseHead?
        for block in blocks {
            for line in block.lines + [""] {
                head = try assembler.add(line: line + "\r\n") { block.url } ?? head
            }
        }
        return head
    }

    private let ok = ["HTTP/1.1 200 OK", "Content-Length: 5"]

    @Test func `the fields of a plain answer`() throws {
        let head = try #require(
            try assemble([
                (
                    "https://user:secret@pod.example/a",
                    [
                        "HTTP/2 200", "CONTENT-TYPE:  audio/mpeg ", "etag: \"x:y\"", "Content-Length: 5",
                        "no colon",
                    ]
                )
            ]))
        #expect(head.status == 200)
        #expect(head.contentType == "audio/mpeg")
        #expect(head.etag == "\"x:y\"")
        #expect(head.contentLength == 5)
        #expect(head.finalURL == "https://pod.example/a")
        #expect(head.permanentURL == nil)
    }

    @Test func `interim answers and trailers are no heads`() throws {
        let head = try #require(
            try assemble([
                ("u", ["HTTP/1.1 103 Early Hints", "ETag: \"early\""]), ("u", ok),
                ("u", ["ETag: \"trailer\""]),
            ]))
        #expect(head.etag == nil)
        #expect(head.contentLength == 5)
    }

    @Test func `Transfer-Encoding overrules Content-Length`() throws {
        let head = try #require(try assemble([("u", ok + ["Transfer-Encoding: Chunked"])]))
        #expect(head.contentLength == nil)
        #expect(head.isChunked)
    }

    @Test(arguments: ["-5", "1,5", "5 5", "99999999999999999999", "0x10", ""])
    func `a length that is no number is none`(_ text: String) throws {
        let head = try #require(try assemble([("u", ["HTTP/1.1 200 OK", "Content-Length: \(text)"])]))
        #expect(head.contentLength == nil)
    }

    struct Chain: CustomTestStringConvertible, Sendable {
        let statuses: [Int]
        let permanentURL: String?
        var testDescription: String { statuses.map(String.init).joined(separator: " → ") }
    }

    @Test(arguments: [
        Chain(statuses: [], permanentURL: nil),
        Chain(statuses: [301], permanentURL: "https://pod.example/1"),
        Chain(statuses: [308, 301], permanentURL: "https://pod.example/2"),
        Chain(statuses: [301, 302], permanentURL: "https://pod.example/1"),
        Chain(statuses: [302, 301], permanentURL: nil),
        Chain(statuses: [301, 307, 301], permanentURL: "https://pod.example/1"),
    ])
    func `only the leading run of permanent redirects moves a feed`(_ chain: Chain) throws {
        var blocks = chain.statuses.enumerated().map { hop, status in
            (url: "https://pod.example/\(hop)", lines: ["HTTP/1.1 \(status) Moved", "Location: /\(hop + 1)"])
        }
        blocks.append(("https://pod.example/\(chain.statuses.count)", ok))
        let head = try #require(try assemble(blocks))
        #expect(head.status == 200)
        #expect(head.permanentURL == chain.permanentURL)
        #expect(head.finalURL == "https://pod.example/\(chain.statuses.count)")
    }

    @Test func `an endless head is refused`() {
        var assembler = HeadAssembler()
        #expect(throws: HeadTooLarge.self) {
            for number in 0..<10_000 {
                _ = try assembler.add(line: "X-\(number): \(String(repeating: "x", count: 100))\r\n") { "u" }
            }
        }
    }
}
