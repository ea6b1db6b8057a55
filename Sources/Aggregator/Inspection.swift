public import FeedParser
import Downloader
import EpisodeStore
import Glibc

/// Reads one feed without subscribing to it.
public struct Inspection: Sendable {
    /// A path, an address, or `-` for standard input.
    public let source: String

    /// What a server would have said of the document.
    public let baseURL: String?
    public let contentType: String?
    public let workingDirectory: String
    public let isOffline: Bool
    public let userAgent: String

    public init(
        source: String, baseURL: String?, contentType: String?, workingDirectory: String, isOffline: Bool,
        version: String
    ) {
        self.source = source
        self.baseURL = baseURL
        self.contentType = contentType
        self.workingDirectory = workingDirectory
        self.isOffline = isOffline
        userAgent = "podget/\(version)"
    }

    /// Parses the feed.
    ///
    /// With `onEpisode`, episodes are handed over one by one and not kept.
    public func feed(onEpisode: (@Sendable (Episode) -> Void)? = nil) async throws(AggregatorError) -> Feed {
        if let descriptor = openDescriptor {
            let name = descriptor == STDIN_FILENO ? "standard input" : source
            return try parse(baseURL: baseURL, shown: name, onEpisode) { take in
                try readDescriptor(descriptor, name: name, take: take)
            }
        }
        switch try FeedSource(source, workingDirectory: workingDirectory, realPath: realPath) {
        case .file(let path):
            return try parse(baseURL: baseURL ?? fileURL(path), shown: source, onEpisode) { take in
                try readFile(path, take: take)
            }
        case .remote(let url):
            return try await fetch(AddressWithCredentials(url), onEpisode)
        }
    }

    /// The descriptor that the source stands for: `-`, or what a shell gives for `<(command)`.
    private var openDescriptor: Int32? {
        if source == "-" || source == "/dev/stdin" { return STDIN_FILENO }
        return source.hasPrefix("/dev/fd/") ? Int32(source.dropFirst("/dev/fd/".count)) : nil
    }

    private func parse(
        baseURL: String?, shown: String, _ onEpisode: (@Sendable (Episode) -> Void)?,
        read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws(AggregatorError) -> Feed {
        let reader = FeedReader(baseURL: baseURL, contentType: contentType, onEpisode: onEpisode)
        do {
            try read { try reader.feed($0) }
            return try reader.finish()
        } catch let error as FeedError {
            throw AggregatorError(error, source: shown)
        } catch let error as AggregatorError {
            throw error
        } catch {
            throw .notAFeed(shown, reason: "\(error)")
        }
    }

    private func fetch(
        _ address: AddressWithCredentials, _ onEpisode: (@Sendable (Episode) -> Void)?
    ) async throws(AggregatorError) -> Feed {
        guard !isOffline else { throw .offline(address.shown) }
        var request = DocumentRequest(url: address.url)
        request.credentials = address.credentials
        request.acceptHeader = feedAcceptHeader
        let document: Document<Feed>
        let loop = try openLoop()
        do {
            document = try await loop.fetch(request) { head in
                InspectionReceiver(
                    reader: FeedReader(
                        baseURL: baseURL ?? head.finalURL, contentType: contentType ?? head.contentType,
                        onEpisode: onEpisode))
            }
            await loop.shutDown()
        } catch {
            await loop.shutDown()
            throw FetchFailure(error, shown: address.shown).error
        }
        guard let feed = document.output else {
            throw .unreachable(address.shown, reason: "the server says 'unchanged' to a first request")
        }
        return feed
    }

    private func openLoop() throws(AggregatorError) -> TransferLoop {
        var configuration = TransferConfiguration()
        configuration.userAgent = userAgent
        do {
            return try TransferLoop(configuration)
        } catch {
            throw .unreachable("the network", reason: error.description)
        }
    }
}

/// Feeds a parser, as it is, with the body of a response.
private struct InspectionReceiver: BodyReceiver {
    let reader: FeedReader

    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws {
        try reader.feed(bytes)
    }

    mutating func finish() throws -> Feed {
        try reader.finish()
    }
}
