import Downloader
import FoundationEssentials

/// An address, parted from the credentials that it may carry (`https://user:password@host/feed`).
struct AddressWithCredentials: Equatable {
    /// The address without user and password: fit to be sent and to be shown.
    let url: String
    let credentials: Credentials?

    /// Scheme, host and port: credentials are for these only.
    let origin: String?

    init(_ text: String) {
        guard var parts = URLComponents(string: text) else {
            url = text
            credentials = nil
            origin = nil
            return
        }
        credentials = parts.user.map { Credentials(user: $0, password: parts.password ?? "") }
        let port = parts.port.map { ":\($0)" } ?? ""
        origin = parts.host.map { "\(parts.scheme?.lowercased() ?? "")://\($0.lowercased())\(port)" }
        guard credentials != nil else {
            url = text
            return
        }
        parts.user = nil
        parts.password = nil
        url = parts.string ?? text
    }

    var shown: String { url }
}

/// An address with the user name and password of a feed, where it lies on the feed's own host and has none itself.
func withCredentials(of feedURL: String, _ url: String) -> String {
    guard let credentials = credentials(for: url, feedURL: feedURL), var parts = URLComponents(string: url),
        parts.user == nil
    else { return url }
    parts.user = credentials.user
    parts.password = credentials.password
    return parts.string ?? url
}

/// The credentials of a feed for one of its files: only where the file lies on the feed's own host.
func credentials(for fileURL: String, feedURL: String) -> Credentials? {
    let feed = AddressWithCredentials(feedURL)
    guard let credentials = feed.credentials, let origin = feed.origin else { return nil }
    return AddressWithCredentials(fileURL).origin == origin ? credentials : nil
}
