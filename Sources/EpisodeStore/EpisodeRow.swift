internal import FoundationEssentials

/// An incoming episode in the form in which it is stored.
///
/// A class, for to copy all its texts from hand to hand would cost as much as to match them.
final class EpisodeRow: Sendable {
    let incoming: IncomingEpisode
    let key: EpisodeKey
    let chapters: String?
    let transcript: String?
    let extras: String?
    let contentHash: Int64

    init(_ incoming: IncomingEpisode) {
        self.incoming = incoming
        let enclosure = incoming.enclosures.first
        key = EpisodeKey(
            guid: incoming.guid.flatMap(trimmed),
            title: incoming.title.flatMap(trimmed) ?? "Untitled episode",
            link: incoming.link.flatMap(trimmed),
            enclosureURL: enclosure.map(\.url),
            published: incoming.published?.stored,
            duration: incoming.duration?.stored)
        chapters = jsonColumn(list: incoming.chapters)
        transcript = jsonColumn(list: incoming.transcript)
        extras = EpisodeExtras(incoming).column
        contentHash = Self.hash(incoming, key, [chapters, transcript, extras])
    }

    /// Whether there is a file to fetch: a stream is none, and an AI-made episode may not be ready.
    var isDownloadable: Bool {
        !incoming.enclosures.isEmpty && !incoming.isStream && (incoming.status ?? "ready") == "ready"
    }

    private static func hash(_ incoming: IncomingEpisode, _ key: EpisodeKey, _ lists: [String?]) -> Int64 {
        var hash = ContentHash()
        let enclosure = incoming.enclosures.first
        let texts = [
            key.guid, key.title, key.link, key.enclosureURL, enclosure?.type, incoming.image,
            incoming.summary,
            incoming.contentHTML, incoming.author, incoming.episodeType, incoming.status,
        ]
        for text in texts + lists {
            hash.combine(text)
        }
        let numbers = [
            key.published, key.duration, enclosure?.length, incoming.updated?.stored,
            incoming.season.map(Int64.init), incoming.episode.map(Int64.init), incoming.isExplicit?.stored,
            incoming.isStream.stored,
        ]
        for number in numbers {
            hash.combine(number)
        }
        return Int64(bitPattern: hash.value)
    }
}

/// The parts of an episode that are shown and that no query looks into, in one JSON column.
struct EpisodeExtras: Codable, Equatable {
    /// Only where there is more to them than the columns of the first one hold.
    var enclosures: [Enclosure]?
    var alternateEnclosures: [AlternateEnclosure]?
    var chaptersURL: ChaptersLink?
    var transcripts: [TranscriptLink]?
    var persons: [Person]?
    var categories: [String]?

    init() {}

    init(_ incoming: IncomingEpisode) {
        if incoming.enclosures.count > 1 || incoming.enclosures.first?.title != nil {
            enclosures = incoming.enclosures
        }
        alternateEnclosures = nilIfEmpty(incoming.alternateEnclosures)
        chaptersURL = incoming.chaptersURL
        transcripts = nilIfEmpty(incoming.transcripts)
        persons = nilIfEmpty(incoming.persons)
        categories = nilIfEmpty(incoming.categories)
    }

    var column: String? {
        self == EpisodeExtras() ? nil : jsonColumn(self)
    }
}

private func nilIfEmpty<Element>(_ list: [Element]) -> [Element]? {
    list.isEmpty ? nil : list
}

/// Returns a text without blanks around it; `nil` where nothing is left.
private func trimmed(_ text: String) -> String? {
    guard text.first?.isWhitespace == true || text.last?.isWhitespace == true || text.isEmpty else {
        return text
    }
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(start[...last])
}
