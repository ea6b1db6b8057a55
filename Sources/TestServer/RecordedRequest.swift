/// One request as the server received it.
public struct RecordedRequest: Sendable, Equatable {
    public let method: String
    /// The request target, query included.
    public let target: String
    /// Field names in lower case.
    public let headers: [String: String]

    /// The target without its query.
    public var path: String {
        target.firstIndex(of: "?").map { String(target[..<$0]) } ?? target
    }

    public var range: String? { headers["range"] }

    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        self.headers = headers
    }

    /// The first and the last byte asked for; the last is nil where the range is open.
    var byteRange: (first: Int64, last: Int64?)? {
        guard let range, range.hasPrefix("bytes=") else { return nil }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]) else { return nil }
        return (first, Int64(ends[1]))
    }
}
