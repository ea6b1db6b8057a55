func readJSON(_ bytes: [UInt8], context: ParseContext) throws(FeedError) -> Feed { throw .noFeedRoot }
