public import EpisodeStore
public import FeedParser
import FoundationEssentials
import Glibc

/// The feeds that an OPML list names, each once.
public struct FeedList: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public let url: String
        public let title: String?

        /// The folders of the list; one within another is written `Arts/Music`.
        public let tags: [String]

        /// The settings that a list of ours carries, by name.
        public let settings: [String: String]
    }

    public let entries: [Entry]

    /// Whether feeds are missing, because the list is cut off or too long.
    public let isTruncated: Bool

    init(_ document: OPMLDocument) {
        entries = document.feeds.map { feed in
            Entry(
                url: feed.url, title: feed.title, tags: feed.places.map { $0.joined(separator: "/") },
                settings: feed.settings)
        }
        isTruncated = document.isTruncated
    }
}

/// What an import came to.
public struct FeedImport: Sendable {
    public var added: [FeedRecord] = []

    /// Subscribed to before; those that lacked tags of the list have them now.
    public var known: [FeedRecord] = []

    /// What the list names and no feed can be.
    public var refused: [AggregatorError] = []

    /// Settings that the list has and no feed can take, each in words.
    public var refusedSettings: [String] = []
}

extension Aggregator {
    /// Reads a local OPML list where the source is one; nil where it is anything else.
    public func feedList(at source: String, workingDirectory: String) throws(AggregatorError) -> FeedList? {
        guard
            case .file(let path) = try? FeedSource(
                source, workingDirectory: workingDirectory, realPath: realPath)
        else { return nil }
        var start = Data()
        do {
            try readFile(path) { piece in
                start.append(contentsOf: piece)
                // A feed is read by its own reader, in pieces; only a list is kept whole.
                throw BeginningRead()
            }
        } catch is BeginningRead {
        } catch {
            // The reader of feeds meets the same error and tells it.
            return nil
        }
        return isOPML(start)
            ? try readFeedList(path, workingDirectory: workingDirectory) : nil
    }

    /// Subscribes to the feeds of a list without asking the network: the next refresh fetches them.
    ///
    /// An address without credentials is also that of a feed whose stored address has some, for exported lists leave
    /// them out.
    public func importFeeds(
        _ list: FeedList, workingDirectory: String
    ) async throws(AggregatorError) -> FeedImport {
        let known = try await stored { library, _ throws(StoreError) in try await library.feeds() }
        let withCredentials = Dictionary(
            known.map { (shownAddress($0.url), $0.url) }.filter { $0 != $1 },
            uniquingKeysWith: { first, _ in first })
        var result = FeedImport()
        var new: [NewFeed] = []
        for entry in list.entries {
            do throws(AggregatorError) {
                let source = try FeedSource(
                    entry.url, workingDirectory: workingDirectory, realPath: realPath)
                var feed = NewFeed(url: withCredentials[source.url] ?? source.url, title: entry.title)
                feed.settings = settings(of: entry, refused: &result.refusedSettings)
                feed.settings.add(tags: entry.tags)
                new.append(feed)
            } catch {
                result.refused.append(error)
            }
        }
        let feeds = new
        let imported = try await stored { library, now throws(StoreError) in
            try await library.importFeeds(feeds, now: now)
        }
        await noteFeedsChanged()
        for feed in imported {
            if feed.wasSubscribed { result.known.append(feed.feed) } else { result.added.append(feed.feed) }
        }
        return result
    }

    /// The settings that an entry carries, without those that are wrong.
    private func settings(of entry: FeedList.Entry, refused: inout [String]) -> FeedSettings {
        var settings = FeedSettings()
        for (name, text) in entry.settings.sorted(by: { $0.key < $1.key }) {
            do throws(SettingsError) {
                let key = try SettingKey.feed(named: name)
                // A list may come from anybody.
                guard !keepsNothing(key, text) else {
                    throw SettingsError(
                        message:
                            "keep 0 is not taken over, for it deletes every file; 'podget set FEED keep 0 --force' sets it"
                    )
                }
                settings = try key.setting(text, in: settings)
            } catch {
                refused.append("\(entry.title ?? entry.url): \(error.message)")
            }
        }
        return settings
    }

    /// The subscribed feeds as an OPML list, with their tags as folders and without credentials.
    ///
    /// With `settings` those of each feed are among the attributes.
    public func exportedFeeds(settings: Bool = true) async throws(AggregatorError) -> OPMLDocument {
        // Tags are folders and categories, which every program reads.
        let keys = settings ? SettingKey.all.filter { $0.scope != .globalOnly && $0.name != "tags" } : []
        let feeds = try await stored { library, _ throws(StoreError) in try await library.feeds() }
        return OPMLDocument(
            title: "Podcasts",
            feeds: feeds.map { feed in
                let places = (feed.settings.tags ?? []).map { $0.split(separator: "/").map(String.init) }
                    .filter { !$0.isEmpty }
                var exported = OPMLFeed(
                    url: shownAddress(feed.url), title: feed.title, website: feed.link.map(shownAddress),
                    folders: places.first ?? [], otherFolders: Array(places.dropFirst()))
                for key in keys { exported.settings[key.name] = key.value(in: feed.settings) }
                return exported
            })
    }
}

/// Reads an OPML list from a file, or from standard input for `-`.
public func readFeedList(
    _ source: String, workingDirectory: String
) throws(AggregatorError) -> FeedList {
    if source == "-" {
        return try feedList(shown: "standard input", baseURL: nil) { take in
            try readDescriptor(STDIN_FILENO, name: "standard input", take: take)
        }
    }
    let path = absolutePath(source, in: workingDirectory)
    return try feedList(shown: source, baseURL: fileURL(path)) { take in
        try readFile(path, take: take)
    }
}

private func feedList(
    shown: String, baseURL: String?,
    read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
) throws(AggregatorError) -> FeedList {
    let limit = ParserLimits().decodedByteCount
    var document = Data()
    do {
        try read { piece in
            document.append(contentsOf: piece)
            if document.count > limit { throw FeedError.tooLarge(byteCount: limit) }
        }
        return FeedList(try readOPML(document, baseURL: baseURL))
    } catch let error as FeedError {
        throw AggregatorError(error, source: shown)
    } catch let error as AggregatorError {
        throw error
    } catch {
        throw .notAFeed(shown, reason: "\(error)")
    }
}
