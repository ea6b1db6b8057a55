/// The parts of an http address that decisions need, taken from its text.
///
/// libcurl judges whether an address is valid; this only looks.
struct Address: Equatable {
    let scheme: String
    /// Host and port as written, in lower case; the key for per-host limits.
    let host: String
    /// From the first slash after the host, without query and fragment.
    let path: Substring
    private let text: String
    private let authority: Range<String.Index>
    private let hostStart: String.Index

    init?(_ text: String) {
        // By bytes: a combining mark after a slash makes another character of both.
        let bytes = text.utf8
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else {
            return nil
        }
        self.text = text
        scheme = text[..<colon].lowercased()
        let start = bytes.index(colon, offsetBy: 3)
        let end = bytes[start...].firstIndex(where: "/?#\\".utf8.contains) ?? text.endIndex
        authority = start..<end
        hostStart = bytes[authority].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? start
        host = text[hostStart..<end].lowercased()
        let pathEnd = bytes[end...].firstIndex(where: "?#".utf8.contains) ?? text.endIndex
        path = text[end..<pathEnd]
    }

    /// The address without user name and password.
    var withoutCredentials: String {
        String(text[..<authority.lowerBound] + text[hostStart...])
    }

    /// Scheme, host and path: what may be shown and logged.
    var withoutSecrets: String {
        String(text[..<authority.lowerBound] + text[hostStart..<authority.upperBound] + path)
    }

    /// The address as it may go over the wire: blanks, controls and non-ASCII bytes after the host are encoded.
    ///
    /// What is already encoded stays as it is; the host is libcurl's to convert.
    var forRequest: String {
        var result = String(text[..<authority.upperBound])
        for byte in text[authority.upperBound...].prefix(while: { $0 != "#" }).utf8 {
            if byte <= 0x20 || byte >= 0x7F {
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 0x10 ? "%0\(digits)" : "%\(digits)"
            } else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return result
    }
}

/// Cuts an address of any kind to what may be shown.
func withoutSecrets(_ url: String) -> String {
    Address(url)?.withoutSecrets ?? "an address without a scheme"
}

/// Cuts query and fragment, which change with every signature, and credentials.
func addressWithoutQuery(_ url: String) -> String {
    Address(url)?.withoutSecrets ?? url
}

/// Cuts user name and password only.
func addressWithoutCredentials(_ url: String) -> String {
    Address(url)?.withoutCredentials ?? url
}
