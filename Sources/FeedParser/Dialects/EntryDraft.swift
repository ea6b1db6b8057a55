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

    /// The episode with the best candidates in their places.
    func finished() -> Episode {
        var episode = value
        episode.title = title.value
        episode.guid = guid.value
        episode.link = link.value
        episode.published = published.value
        episode.updated = updated.value
        episode.summary = summary.value?.plain ?? content.value?.plain
        if let content = content.value {
            episode.contentHTML = content.html.nonBlank
        } else if let summary = summary.value, summary.isHTML, mayHoldMarkup(summary.text) {
            episode.contentHTML = summary.text.nonBlank
        }
        episode.author = author.value
        episode.image = image.value
        episode.duration = duration.value
        episode.season = season.value
        episode.episode = self.episode.value
        episode.explicit = explicit.value
        episode.chaptersURL = chaptersURL.value
        episode.categories = episode.categories.withoutRepetitions()
        episode.enclosures = rankedEnclosures(episode.enclosures)
        if episode.enclosures.isEmpty, let link = link.value, mediaKind(type: nil, url: link) == .audio {
            episode.enclosures = [Enclosure(url: link)]
        }
        return episode
    }
}
