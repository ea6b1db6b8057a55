import EpisodeStore
import FoundationEssentials

extension Aggregator {
    /// The daily copies of the library, of which the last three are kept.
    var backups: Backups { Backups(folder: places.backups) }

    /// Makes the copy of the day where there is none; that it fails is told and stops nothing.
    func backUp(report: SyncReport) async {
        guard !Task.isCancelled else { return }
        do throws(StoreError) {
            try await backups.makeDaily(of: library, now: now())
        } catch {
            report(.note("the daily backup was not made: \(error.description)"))
        }
        do throws(AggregatorError) {
            try await keepFeedList()
        } catch {
            report(.note("the list of feeds was not kept: \(error.description)"))
        }
    }

    /// Keeps the feeds and their settings beside the daily copies, which know nothing of what came after them.
    func keepFeedList() async throws(AggregatorError) {
        let feeds = try await stored { library, _ throws(StoreError) in try await library.feeds() }
        let list = feeds.map { KeptFeed(url: $0.url, title: $0.title, settings: $0.settings) }
        guard let text = KeptFeed.text(of: list) else { return }
        try createFolders(places.backups)
        // Addresses of private feeds hold secrets.
        try replaceFile(at: places.keptFeeds, with: Array(text.utf8), mode: 0o600)
    }

    /// Keeps the list after a change that has succeeded; where that fails, the next sync tries again and tells.
    func noteFeedsChanged() async {
        try? await keepFeedList()
    }

    /// Brings a library that an older copy replaced to the kept list of feeds; returns those that it did not know.
    ///
    /// Feeds that are not on the list stay.
    func subscribeToKeptFeeds() async throws(AggregatorError) -> [FeedRecord] {
        let kept = KeptFeed.read(places.keptFeeds)
        let list = kept.map { NewFeed(url: $0.url, title: $0.title, settings: $0.settings) }
        return try await stored { library, now throws(StoreError) in
            let imported = try await library.importFeeds(list, now: now)
            for (feed, kept) in zip(imported, kept) where feed.wasSubscribed {
                try await library.setSettings(kept.settings, of: feed.feed.id)
            }
            return imported.filter { !$0.wasSubscribed }.map(\.feed)
        }
    }
}

/// A feed as it is kept outside the database.
struct KeptFeed: Codable {
    let url: String
    let title: String
    let settings: FeedSettings

    /// A list as JSON, one feed a line.
    static func text(of feeds: [KeptFeed]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = feeds.compactMap { feed in
            // Nothing in a feed's row is a number that JSON cannot hold.
            (try? encoder.encode(feed)).map { String(decoding: $0, as: UTF8.self) }
        }
        return lines.count == feeds.count ? "[\n\(lines.joined(separator: ",\n"))\n]\n" : nil
    }

    /// Reads a list; what is none, or is not there, is an empty one.
    static func read(_ path: String) -> [KeptFeed] {
        guard let bytes = readWholeFile(path, atMost: 64 << 20) else { return [] }
        return (try? JSONDecoder().decode([KeptFeed].self, from: Data(bytes))) ?? []
    }
}
