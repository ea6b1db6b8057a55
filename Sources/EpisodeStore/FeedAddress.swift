/// A feed's URL in the form in which two are compared.
///
/// Scheme and host without case, no default port, no fragment, no empty path (RFC 3986 §6.2.2 and §6.2.3). The
/// rest is left alone: servers tell paths and queries apart by every byte.
public struct FeedAddress: Equatable, Sendable {
    let key: String

    /// The host, or the last part of a path, for want of a title; never user name and password.
    let shortName: String

    public init(_ url: String) {
        let trimmed = url.prefix { $0 != "#" }.drop { $0.isWhitespace }
        guard let separator = trimmed.firstRange(of: "://") else {
            let path = String(trimmed)
            key = path
            shortName = path.split(separator: "/").last.map(String.init) ?? path
            return
        }
        let scheme = trimmed[..<separator.lowerBound].lowercased()
        let rest = trimmed[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...]

        let credentialsEnd = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
        var host = authority[credentialsEnd...].lowercased()
        let defaultPorts = ["http": ":80", "https": ":443"]
        if let port = defaultPorts[scheme], host.hasSuffix(port) {
            host.removeLast(port.count)
        }
        let credentials = authority[..<credentialsEnd]
        key =
            "\(scheme)://\(credentials)\(host)"
            + (path.isEmpty ? "/" : path.hasPrefix("?") ? "/\(path)" : path)
        shortName = host.isEmpty ? path.split(separator: "/").last.map(String.init) ?? String(path) : host
    }
}
