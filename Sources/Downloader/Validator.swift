/// What proves that a file on a server is still the same, byte for byte.
enum Validator: Equatable, Sendable {
    case etag(String)
    case lastModified(String)

    /// The value of `If-Range`.
    var field: String {
        switch self {
        case .etag(let value), .lastModified(let value): value
        }
    }
}

/// Chooses the strong validator of a response, if it has one.
///
/// A weak ETag proves nothing about bytes. A `Last-Modified` is strong if the file was at rest when it was sent
/// (RFC 9110 §8.8.2.2): the section asks for a second and for clocks that agree; a minute also covers a server
/// whose parts do not.
func strongValidator(
    etag: String?, lastModified: String?, lastModifiedTime: Int64?, dateTime: Int64?
) -> Validator? {
    if let etag, etag.count >= 2, etag.first == "\"", etag.last == "\"" { return .etag(etag) }
    guard let lastModified, let lastModifiedTime, let dateTime, dateTime - lastModifiedTime >= 60 else {
        return nil
    }
    return .lastModified(lastModified)
}
