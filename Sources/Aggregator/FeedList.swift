import FeedParser
import FoundationEssentials

extension Aggregator {
    /// The addresses that a local OPML file lists, each once; nil where the source is anything else.
    public func feedList(at source: String, workingDirectory: String) throws(AggregatorError) -> [String]? {
        guard
            case .file(let path) = try? FeedSource(
                source, workingDirectory: workingDirectory, realPath: realPath)
        else { return nil }
        var document = Data()
        do {
            try readFile(path) { piece in
                document.append(contentsOf: piece)
                // A feed is read by its own reader, in pieces; only a list is kept whole.
                if !isOPML(document) { throw NoFeedList() }
                if document.count > ParserLimits().decodedByteCount {
                    throw FeedError.tooLarge(byteCount: ParserLimits().decodedByteCount)
                }
            }
            guard isOPML(document) else { return nil }
            return try readOPML(document, baseURL: fileURL(path)).feeds.map(\.url)
        } catch is NoFeedList {
            return nil
        } catch let error as FeedError {
            throw AggregatorError(error, source: path)
        } catch let error as AggregatorError {
            throw error
        } catch {
            throw .notAFeed(path, reason: "\(error)")
        }
    }
}

/// Ends the reading of a file that turned out to be no OPML.
private struct NoFeedList: Error {}
