/// The five parts of an address, RFC 3986 appendix B, in characters that may stand in one.
struct URLParts: Sendable, Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits an address; nil if nothing is left of it without blanks.
    ///
    /// Blanks around it, and line breaks and tabs anywhere, go.
    init?(cleaning address: String) {
        let bytes = address.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        var rest = bytes[...].trimmingBlanks()
        if rest.isEmpty { return nil }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = percentEncoded(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let colon = schemeEnd(in: rest) {
            scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
            rest = rest[(colon + 1)...]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = percentEncoded(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = asciiAuthority(rest[..<end])
            rest = rest[end...]
        }
        path = percentEncoded(rest)
    }

    var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}

/// Finds the colon that ends a scheme, RFC 3986 section 3.1.
private func schemeEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return nil }
    let scheme = bytes[..<colon]
    guard let first = scheme.first, isLetter(first) else { return nil }
    let isScheme = scheme.allSatisfy { byte in
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
    guard isScheme else { return nil }
    // `host:8080/x` has a port, not a scheme.
    let rest = bytes[(colon + 1)...]
    let looksLikePort = scheme.contains(UInt8(ascii: ".")) && rest.first.map(isDigit) == true
    return looksLikePort ? nil : colon
}

private func percentEncoded(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy(isAllowedInURL) { return String(decoding: bytes, as: UTF8.self) }
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count + 16)
    for byte in bytes {
        if isAllowedInURL(byte) {
            encoded.append(byte)
        } else {
            encoded += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}

/// Writes user, host and port with the host in Punycode where it needs it.
private func asciiAuthority(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy(isAllowedInURL) { return String(decoding: bytes, as: UTF8.self) }
    let at = bytes.lastIndex(of: UInt8(ascii: "@"))
    let user = at.map { percentEncoded(bytes[...$0]) } ?? ""
    let hostAndPort = bytes[(at.map { $0 + 1 } ?? bytes.startIndex)...]
    let colon = hostAndPort.lastIndex(of: UInt8(ascii: ":")) ?? hostAndPort.endIndex
    let host = String(decoding: hostAndPort[..<colon].trimmingBlanks(), as: UTF8.self)
    // What is no host at all becomes none by that, but an address that reads the same wherever it is written.
    return user + percentEncoded(Array(asciiHost(host).utf8)[...])
        + percentEncoded(hostAndPort[colon...].trimmingBlanks())
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension ArraySlice<UInt8> {
    /// Drops blanks and control characters from both ends.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return []
        }
        return self[first...last]
    }
}
