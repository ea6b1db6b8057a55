import FoundationEssentials

/// Text as a feed gives it: HTML, or characters that mean themselves.
struct RichText {
    var text: String
    var isHTML: Bool

    /// One line without markup.
    var plain: String? { isHTML ? plainLine(text) : foldedLine(text) }

    var html: String { isHTML ? text : escapedForHTML(text) }
}

/// Writes characters so that HTML shows them as they are.
func escapedForHTML(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
        return text
    }
    return text.reduce(into: "") { escaped, character in
        switch character {
        case "<": escaped += "&lt;"
        case "&": escaped += "&amp;"
        default: escaped.append(character)
        }
    }
}

/// An episode while it is being read: what is settled, and candidates for what several elements may give.
struct EntryDraft {
    /// What an entry begins as; a copy is cheaper than a new one.
    static let blank = EntryDraft()

    var value = Episode()
    var isOpen = false
    /// Set where the entry is a live item.
    var live: LiveItem?
    var title = Best<String>()
    var guid = Best<String>()
    var link = Best<String>()
    var published = Best<Date>()
    var updated = Best<Date>()
    var summary = Best<RichText>()
    var content = Best<RichText>()
    var author = Best<String>()
    var image = Best<String>()
    var duration = Best<Double>()
    var season = Best<Int>()
    var episode = Best<Int>()
    var explicit = Best<Bool>()
    var chaptersURL = Best<ChaptersReference>()

    /// Puts the best candidates in their places: the value is then the episode.
    mutating func finish() {
        value.title = title.value
        value.guid = guid.value
        value.link = link.value
        value.published = published.value
        value.updated = updated.value
        value.summary = summary.value?.plain ?? content.value?.plain
        if let content = content.value {
            value.contentHTML = content.html.nonBlank
        } else if let summary = summary.value, summary.isHTML, mayHoldMarkup(summary.text) {
            value.contentHTML = summary.text.nonBlank
        }
        value.author = author.value
        value.image = image.value
        value.duration = duration.value
        value.season = season.value
        value.episode = episode.value
        value.explicit = explicit.value
        value.chaptersURL = chaptersURL.value
        value.chapters.sort { $0.start < $1.start }
        value.categories = value.categories.withoutRepetitions()
        value.enclosures = rankedEnclosures(value.enclosures)
        if value.enclosures.isEmpty, let link = link.value, mediaKind(type: nil, url: link) == .audio {
            value.enclosures = [Enclosure(url: link)]
        }
    }
}
