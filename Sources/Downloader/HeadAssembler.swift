/// Builds the head of a response from its header lines, over all redirects.
struct HeadAssembler {
    private var status = 0
    private var fields: [String: String] = [:]
    private var byteCount = 0
    private var isComplete = false
    private var isPermanentRun = true
    private var permanentURL: String?
    private var nextIsPermanent = false

    /// More than this in one head is an attack.
    static let byteLimit = 256 << 10

    /// Takes one line; gives the head when its last line has come.
    ///
    /// Heads of interim answers and of redirects that will be followed are passed over, trailers ignored.
    mutating func add(line: String, effectiveURL: () -> String) throws(HeadTooLarge) -> ResponseHead? {
        byteCount += line.utf8.count
        if byteCount > Self.byteLimit { throw HeadTooLarge() }
        if isComplete { return nil }
        if line.hasPrefix("HTTP/") {
            fields = [:]
            let words = line.utf8.split(whereSeparator: isBlank)
            status = words.count > 1 ? Int(Substring(words[1])) ?? 0 : 0
            return nil
        }
        // By bytes, as a head is defined, and many times faster than by characters.
        let text = withoutBlanks(line.utf8[...])
        if text.isEmpty { return endOfHead(effectiveURL: effectiveURL) }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = Substring(text[..<colon]).lowercased()
        let value = Substring(withoutBlanks(text[text.index(after: colon)...]))
        // Of a field sent twice the first counts, but lists go on.
        if let earlier = fields[name] {
            if name.hasSuffix("-digest") || name == "transfer-encoding" {
                fields[name] = "\(earlier), \(value)"
            }
        } else {
            fields[name] = String(value)
        }
        return nil
    }

    private mutating func endOfHead(effectiveURL: () -> String) -> ResponseHead? {
        if (100..<200).contains(status) && status != 101 { return nil }
        let url = effectiveURL()
        if nextIsPermanent { permanentURL = url }
        if (300..<400).contains(status), fields["location"]?.isEmpty == false {
            isPermanentRun = isPermanentRun && (status == 301 || status == 308)
            nextIsPermanent = isPermanentRun
            return nil
        }
        isComplete = true
        return makeHead(url: url)
    }

    private func makeHead(url: String) -> ResponseHead {
        var head = ResponseHead(status: status, finalURL: Address(url)?.withoutCredentials ?? url)
        head.permanentURL = permanentURL.map { Address($0)?.withoutCredentials ?? $0 }
        head.contentType = fields["content-type"]
        head.contentEncoding = fields["content-encoding"]
        head.etag = fields["etag"]
        head.lastModified = fields["last-modified"]
        head.date = fields["date"]
        head.isChunked = fields["transfer-encoding"]?.lowercased().contains("chunked") == true
        head.contentLength =
            fields["transfer-encoding"] == nil ? fields["content-length"].flatMap { decimal($0) } : nil
        head.contentRange = fields["content-range"]
        head.acceptRanges = fields["accept-ranges"]
        head.cacheControl = fields["cache-control"]
        head.expires = fields["expires"]
        head.contentDisposition = fields["content-disposition"]
        head.reprDigest = fields["repr-digest"]
        head.contentDigest = fields["content-digest"]
        head.contentMD5 = fields["content-md5"]
        return head
    }
}

/// The server sent more header bytes than anybody needs.
struct HeadTooLarge: Error {}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}

private func withoutBlanks(_ text: Substring.UTF8View) -> Substring.UTF8View {
    guard let last = text.lastIndex(where: { !isBlank($0) }) else { return text.suffix(0) }
    return text[...last].drop(while: isBlank)
}

extension StringProtocol {
    /// The text without blanks, tabs and line ends around it.
    var trimmingWhitespace: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
