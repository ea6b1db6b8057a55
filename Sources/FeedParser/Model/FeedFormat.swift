/// The format of a feed document.
public enum FeedFormat: String, Sendable, Equatable, Encodable {
    case rss090 = "rss0.90"
    case rss091 = "rss0.91"
    case rss092 = "rss0.92"
    case rss093 = "rss0.93"
    case rss094 = "rss0.94"
    case rss10 = "rss1.0"
    case rss20 = "rss2.0"
    case atom03 = "atom0.3"
    case atom10 = "atom1.0"
    case jsonFeed1 = "jsonfeed1"
    case jsonFeed11 = "jsonfeed1.1"
    case dialogue
}
