import EpisodeStore
import FoundationEssentials

/// Decides whether a feed takes an address to which its own one led; nil to stay.
///
/// The user's name and password go along to the same host only. Nobody is moved away from `https`, and a local file
/// stays what it is.
func movedAddress(from stored: String, to target: String?) -> String? {
    guard let target, FeedAddress(target) != FeedAddress(stored) else { return nil }
    let (old, new) = (scheme(of: stored), scheme(of: target))
    guard new == "https" && (old == "https" || old == "http") || new == "http" && old == "http" else {
        return nil
    }
    return withCredentials(of: stored, target)
}

/// Decides whether `itunes:new-feed-url` is followed; nil to stay.
///
/// An address that the feed had before is not: two documents that name each other would send it back and forth.
func announcedAddress(_ newFeedURL: String?, of stored: String, former: [String]) -> String? {
    guard let address = movedAddress(from: stored, to: newFeedURL),
        !former.contains(where: { FeedAddress($0) == FeedAddress(address) })
    else { return nil }
    return address
}

private func scheme(of url: String) -> String? {
    URLComponents(string: url).flatMap { $0.host?.isEmpty == false ? $0.scheme?.lowercased() : nil }
}
