import FoundationEssentials

/// A feed while it is being read: what is settled, and candidates for what several elements may give.
struct FeedDraft {
    var value = Feed()
    var title = Best<String>()
    var description = Best<String>()
    var link = Best<String>()
    var image = Best<String>()
    var author = Best<String>()
    var language = Best<String>()
    var copyright = Best<String>()
    var generator = Best<String>()
    var published = Best<Date>()
    var updated = Best<Date>()
    var explicit = Best<Bool>()
    var updatePeriod = 86_400
    var updateFrequency: Int?
    var hasUpdatePeriod = false

    /// The feed with the best candidates in their places.
    func finished() -> Feed {
        var feed = value
        feed.title = title.value
        feed.description = description.value
        feed.link = link.value
        feed.image = image.value
        feed.author = author.value
        feed.language = language.value
        feed.copyright = copyright.value
        feed.generator = generator.value
        feed.published = published.value
        feed.updated = updated.value
        feed.explicit = explicit.value
        feed.categories = feed.categories.withoutRepetitions()
        feed.skipDays = feed.skipDays.withoutRepetitions()
        if hasUpdatePeriod || updateFrequency != nil {
            feed.updatePeriodSeconds = updatePeriod / max(1, updateFrequency ?? 1)
        }
        return feed
    }
}

extension [String] {
    /// The texts, each at its first place only.
    func withoutRepetitions() -> [String] {
        if count < 2 { return self }
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
