extension DummyServer {
    /// Answers every path by the script in its query, for trying things by hand.
    public func serveScripts() {
        serveOtherPaths { request, count in Reply(query: request.query, count: count) }
    }
}

extension RecordedRequest {
    /// The query's names and values, without decoding.
    var query: [String: String] {
        guard let mark = target.firstIndex(of: "?") else { return [:] }
        let pairs = target[target.index(after: mark)...].split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }
}

extension Reply {
    /// Reads a script; unknown words change nothing.
    init(query: [String: String], count: Int) {
        self = .pattern(query["bytes"].flatMap { Int64($0) } ?? 1_000_000)
        let number = { (name: String) in query[name].flatMap { Int64($0) } }
        status = number("status").map { Int($0) } ?? 200
        contentType = query["type"] ?? contentType
        etag = query["etag"].map { "\"\($0)\"" } ?? query["weak-etag"].map { "W/\"\($0)\"" }
        bytesPerSecond = number("rate").map { max(1, $0) }
        stallAfter = number("stall")
        if count <= number("tears") ?? .max { tearAfter = number("tear") }
        if let location = query["location"] { headers.append(("Location", location)) }
        if let time = query["retry-after"] { headers.append(("Retry-After", time)) }
        framing = query["framing"].flatMap { Self.framings[$0] } ?? .contentLength
        ranges = query["ranges"].flatMap { Self.rangeAnswers[$0] } ?? .honoured
    }

    private static let framings: [String: Framing] = [
        "length": .contentLength, "chunked": .chunked, "cut-chunks": .chunkedWithoutEnd, "close": .untilClose,
    ]

    private static let rangeAnswers: [String: Ranges] = [
        "honoured": .honoured, "ignored": .ignored, "refused": .refused(total: nil), "multipart": .multipart,
        "without-content-range": .withoutContentRange,
    ]
}
