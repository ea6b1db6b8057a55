import Testing

@testable import FeedParser

/// A case of a table: a description, what is read, and what must come of it.
struct ReadingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let expected: [String]

    init(_ description: String, _ text: String, _ expected: String...) {
        testDescription = description
        self.text = text
        self.expected = expected
    }
}

/// A document that is none, and the error that says so.
struct RefusedDocument: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let error: FeedError

    init(_ description: String, _ text: String, _ error: FeedError) {
        testDescription = description
        self.text = text
        self.error = error
    }
}

/// Reads a channel with these elements; the usual prefixes are declared.
func readChannel(_ elements: String, baseURL: String? = "https://a.example/show/feed.xml") throws -> Feed {
    let text = """
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
         xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:media="http://search.yahoo.com/mrss/"
         xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        ><channel>\(elements)</channel></rss>
        """
    return try FeedReader.parse(Array(text.utf8), baseURL: baseURL)
}

/// Reads a document in pieces of these sizes, again and again.
func readInPieces(_ bytes: [UInt8], sizes: [Int], contentType: String? = nil) throws -> Feed {
    let reader = FeedReader(baseURL: "https://a.example/feed.xml", contentType: contentType)
    var start = 0
    var turn = 0
    while start < bytes.count {
        let end = min(bytes.count, start + sizes[turn % sizes.count])
        try Array(bytes[start..<end]).withUnsafeBytes { try reader.feed($0) }
        start = end
        turn += 1
    }
    return try reader.finish()
}
