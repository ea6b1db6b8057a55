/// Resolves the references of a document against its base address, RFC 3986 section 5.
///
/// It takes what feeds hold: blanks and umlauts are percent-encoded, an internationalised host name becomes
/// Punycode, and what is encoded already stays as it is. A reference that cannot be made absolute, for want
/// of a base, is given back relative.
struct URLResolver: Sendable {
    private let base: URLParts?

    init(base: String?) {
        let parts = base.flatMap { URLParts(cleaning: $0) }
        self.base = parts?.scheme == nil ? nil : parts
    }

    private init(base: URLParts?) {
        self.base = base
    }

    /// Gives the resolver for what stands under an `xml:base`.
    func rebased(to xmlBase: String) -> URLResolver {
        guard let reference = URLParts(cleaning: xmlBase) else { return self }
        let target = resolved(reference)
        return target.scheme == nil ? self : URLResolver(base: target)
    }

    /// Makes a reference absolute; nil if it is empty.
    func resolve(_ reference: String) -> String? {
        if isCleanWebAddress(reference) { return reference }
        guard let parts = URLParts(cleaning: reference) else { return nil }
        return resolved(parts).text
    }

    /// RFC 3986 section 5.2.2.
    private func resolved(_ reference: URLParts) -> URLParts {
        guard reference.scheme == nil, let base else { return reference }
        var target = reference
        target.scheme = base.scheme
        if reference.authority != nil {
            // A document that was saved as a file came from the web, and so does what it names without a scheme.
            if base.scheme == "file" { target.scheme = "https" }
            return target
        }
        // A base such as `urn:x` has no hierarchy to stand in.
        guard base.authority != nil || base.path.hasPrefix("/") else { return reference }
        target.authority = base.authority
        if reference.path.isEmpty {
            target.path = base.path
            target.query = reference.query ?? base.query
        } else if reference.path.hasPrefix("/") {
            target.path = removingDotSegments(reference.path)
        } else {
            target.path = removingDotSegments(merged(reference.path))
        }
        return target
    }

    /// RFC 3986 section 5.2.3.
    private func merged(_ path: String) -> String {
        guard let base else { return path }
        if base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return path }
        return base.path[...slash] + path
    }
}

/// Whether an address is `http` or `https` and needs no repair, as nearly all do.
private func isCleanWebAddress(_ address: String) -> Bool {
    let hostStart: Int
    if address.hasPrefix("https://") {
        hostStart = 8
    } else if address.hasPrefix("http://") {
        hostStart = 7
    } else {
        return false
    }
    var address = address
    return address.withUTF8 { bytes in
        let rest = UnsafeBufferPointer(rebasing: bytes[hostStart...])
        guard let first = rest.first, first != UInt8(ascii: "/") else { return false }
        return rest.allSatisfy(isAllowedInURL)
    }
}

/// Whether a byte may stand in an address as it is.
func isAllowedInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, 0x7F...0xFF: false
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"): false
    case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"): false
    default: true
    }
}

/// RFC 3986 section 5.2.4.
private func removingDotSegments(_ path: String) -> String {
    guard path.contains("/.") || path.hasPrefix(".") else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
        let isLast = index == segments.count - 1
        switch segment {
        case ".":
            if isLast { kept.append("") }
        case "..":
            // The first segment stands before the leading slash and is never removed.
            if kept.count > 1 { kept.removeLast() }
            if isLast { kept.append("") }
        default:
            kept.append(segment)
        }
    }
    return kept.joined(separator: "/")
}
