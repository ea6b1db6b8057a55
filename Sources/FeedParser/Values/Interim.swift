public import FoundationEssentials

public func discoverFeeds(inHTML: Data, baseURL: String?) -> [DiscoveredFeed] { [] }

func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed { throw .noFeedRoot }
