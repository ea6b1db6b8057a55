public import EpisodeStore
import FoundationEssentials

/// A tag as it is stored: `Arts/Music`, without blanks around its parts; nil where no name is left.
public func cleanTag(_ text: some StringProtocol) -> String? {
    let tag = text.split(separator: "/").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
        .filter { !$0.isEmpty }.joined(separator: "/")
    return tag.isEmpty ? nil : tag
}

extension SettingKind<[String]> {
    /// Tags parted by commas; a list in JSON where a tag has a comma of its own, as folders of other programs may.
    static let tags = SettingKind(
        allowed: "tags parted by commas, such as News, Arts/Music (none: --default)",
        parse: { text in
            let given =
                text.hasPrefix("[")
                ? (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
                : text.split(separator: ",").map(String.init)
            var settings = FeedSettings()
            settings.add(tags: given.compactMap { cleanTag($0) })
            return settings.tags
        },
        text: { tags in
            tags.contains { $0.contains(",") } ? listText(tags) : tags.joined(separator: ", ")
        })
}

extension Aggregator {
    /// Gives a feed the tags that it lacks.
    public func add(tags: [String], to feed: FeedRecord) async throws -> FeedRecord {
        try await changeSettings(of: feed) { settings in
            var settings = settings
            settings.add(tags: tags)
            return settings
        }
    }

    /// Takes tags away from a feed; throws where it does not have one of them.
    public func remove(tags: [String], from feed: FeedRecord) async throws -> FeedRecord {
        try await changeSettings(of: feed) { settings in
            var settings = settings
            for tag in tags where !settings.remove(tag: tag) {
                throw SettingsError(
                    message: "\(feed.title) has no tag '\(tag)'; its tags are "
                        + (settings.tags?.joined(separator: ", ") ?? "not set"))
            }
            return settings
        }
    }

    /// The feed that a word names by its short name, its title or a part of one, where it can be neither a file nor an
    /// address.
    func feed(named word: String, workingDirectory: String) async throws(AggregatorError) -> FeedRecord? {
        guard !word.isEmpty, !word.contains(where: { "./:\\".contains($0) }),
            realPath(path(of: word, in: workingDirectory)) == nil
        else { return nil }
        let match = try await stored { library, _ throws(StoreError) in
            try await library.feed(matching: word)
        }
        if case .found(let feed) = match { return feed }
        return nil
    }
}

/// The path that a word means.
private func path(of word: String, in workingDirectory: String) -> String {
    absolutePath(word, in: workingDirectory)
}
