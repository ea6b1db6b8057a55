public enum FeedFormat: String, Sendable { case rss20 = "rss2.0" }
