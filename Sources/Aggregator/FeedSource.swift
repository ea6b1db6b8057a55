/// Where a feed comes from, as the user named it.
enum FeedSource: Equatable, Sendable {
    /// An `http` or `https` address.
    case remote(url: String)

    /// A file on this machine, by its real path.
    case file(path: String)

    /// Reads what the user typed: an address, a path, or a host name without `https://`.
    ///
    /// `realPath` gives the path of an existing file with every symbolic link resolved, or nil.
    init(_ text: String, workingDirectory: String, realPath: (String) -> String?) throws(AggregatorError) {
        let text = withoutBlanksAround(text)
        guard !text.isEmpty else { throw .badSource(text, reason: "an empty word is no feed") }

        if let scheme = Self.scheme(of: text) {
            let rest = text.dropFirst(scheme.count + 1)
            switch scheme.lowercased() {
            case "http", "https":
                self = .remote(url: text)
            case "file":
                self = try Self.file(at: percentDecodedFilePath(rest), shown: text, realPath: realPath)
            case "feed", "podcast", "itpc", "pcast":
                // Links of podcast programs: `feed://host/path` and `feed:https://host/path` both occur.
                let isWhole = rest.hasPrefix("http://") || rest.hasPrefix("https://")
                self = .remote(url: isWhole ? String(rest) : "http:" + rest)
            default:
                throw .badSource(text, reason: "only http, https and local files are read")
            }
            return
        }
        if let real = realPath(absolutePath(text, in: workingDirectory)) {
            self = .file(path: real)
        } else if Self.looksLikeHost(text) {
            self = .remote(url: "https://" + text)
        } else {
            throw .badSource(
                text,
                reason:
                    "there is no such file, and it is no address; give the address of the feed, or of the show's web page"
            )
        }
    }

    /// Reads a stored address again.
    init(storedURL url: String) {
        if url.hasPrefix("file://") {
            self = .file(path: percentDecodedFilePath(url.dropFirst("file:".count)))
        } else {
            self = .remote(url: url)
        }
    }

    /// The address under which the feed is stored.
    var url: String {
        switch self {
        case .remote(let url): url
        case .file(let path): fileURL(path)
        }
    }

    private static func file(
        at path: String, shown: String, realPath: (String) -> String?
    ) throws(AggregatorError) -> FeedSource {
        guard let real = realPath(path) else { throw .badSource(shown, reason: "there is no such file") }
        return .file(path: real)
    }

    /// The part before the colon, if it is a scheme by RFC 3986 §3.1 and no port follows.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first else { return nil }
        let scheme = text[..<colon]
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        let isAllowed = { (byte: UInt8) in
            isLetter(byte) || (0x30...0x39).contains(byte) || "+-".utf8.contains(byte)
        }
        guard isLetter(first), scheme.utf8.allSatisfy(isAllowed) else { return nil }
        let isPort = text[text.index(after: colon)...].first?.isNumber ?? true
        return isPort ? nil : String(scheme)
    }

    private static func looksLikeHost(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" && $0 != ":" }
        let isPlain = host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        guard isPlain, !host.hasPrefix("."), !host.hasSuffix(".") else { return false }
        // `feed.xml` is a file that is not there, and no host.
        let isFileName = host == text && fileEndings.contains { text.lowercased().hasSuffix($0) }
        return (host.contains(".") || host == "localhost") && !isFileName
    }
}

/// How the names of feed files end; none of these is a top-level domain.
private let fileEndings = [".xml", ".rss", ".atom", ".json", ".opml", ".gz", ".html", ".htm", ".txt"]

/// Writes a path as a `file:` URL (RFC 8089), everything but plain characters percent-encoded.
func fileURL(_ path: String) -> String {
    var url = "file://"
    for byte in path.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            url.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            url += "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
    return url
}

/// Reads the path of a `file:` URL whose scheme is cut off already, with or without an empty or local host.
private func percentDecodedFilePath(_ rest: Substring) -> String {
    var path = rest
    if path.hasPrefix("//") {
        path = path.dropFirst(2)
        if path.hasPrefix("localhost/") { path = path.dropFirst("localhost".count) }
    }
    return percentDecoded(path)
}

/// Replaces each `%XX` by its byte; what is no such triplet stays.
func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        let digits = rest.prefix(2)
        if byte == UInt8(ascii: "%"), digits.count == 2,
            let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

private func withoutBlanksAround(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    let blanks = start.reversed().prefix { $0.isWhitespace }.count
    return String(start.dropLast(blanks))
}
