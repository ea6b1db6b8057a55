import FoundationEssentials

/// Whether a document is a JSON Feed: by its version, or, where that is missing, by keys that only JSON Feed has.
func isJSONFeed(_ document: JSONValue) -> Bool {
    if document["version"]?.text?.contains("jsonfeed.org") == true { return true }
    guard let items = document["items"] else { return false }
    if document["home_page_url"] != nil || document["feed_url"] != nil { return true }
    return items.list.contains {
        $0["content_html", "content_text", "date_published", "attachments"] != nil
    }
}

/// Reads a JSON Feed, <https://www.jsonfeed.org/version/1.1/>.
func readJSONFeed(_ document: JSONValue, _ draft: Draft) -> Feed {
    var feed = Feed(format: document["version"]?.text?.hasSuffix("1.1") == true ? .jsonFeed11 : .jsonFeed1)
    feed.title = draft.title(document["title"]?.text)
    feed.description = document["description"]?.text.flatMap(plainLine)
    feed.link = draft.url(document["home_page_url"]?.text)
    feed.feedURL = draft.url(document["feed_url"]?.text)
    feed.nextPageURL = draft.url(document["next_url"]?.text)
    feed.hubURL = draft.url(document["hubs"]?.list.first?["url"]?.text)
    feed.image = draft.url(document["icon", "favicon"]?.text)
    feed.language = document["language"]?.text
    feed.author = authors(document)
    feed.complete = document["expired"]?.flag
    feed.episodes = readEpisodes(document["items"], draft) { item in
        item["title", "content_html", "content_text", "summary", "attachments", "url", "id"] == nil
            ? nil : readItem(item, draft)
    }
    return feed
}

private func readItem(_ item: JSONValue, _ draft: Draft) -> Episode {
    var entry = EntryDraft()
    entry.guid.offer(item["id"]?.text, rank: 1)
    entry.title.offer(draft.title(item["title"]?.text), rank: 1)
    entry.link.offer(draft.url(item["url"]?.text), rank: 1)
    entry.link.offer(draft.url(item["external_url"]?.text), rank: 2)
    entry.summary.offer(item["summary"]?.text.map { RichText(text: $0, isHTML: true) }, rank: 1)
    entry.content.offer(item["content_html"]?.text.map { RichText(text: $0, isHTML: true) }, rank: 1)
    entry.summary.offer(item["content_text"]?.text.map { RichText(text: $0, isHTML: false) }, rank: 2)
    entry.published.offer(draft.date(item["date_published"]?.text), rank: 1)
    entry.updated.offer(draft.date(item["date_modified"]?.text), rank: 1)
    entry.image.offer(draft.url(item["image"]?.text), rank: 1)
    entry.image.offer(draft.url(item["banner_image"]?.text), rank: 2)
    entry.author.offer(authors(item), rank: 1)
    entry.value.categories = (item["tags"]?.list ?? []).prefix(draft.listLimit).compactMap { tag in
        tag.text.flatMap(plainLine)
    }
    for attachment in (item["attachments"]?.list ?? []).prefix(draft.listLimit) {
        guard let url = draft.url(attachment["url"]?.text) else { continue }
        entry.value.enclosures.append(
            Enclosure(
                url: url, type: attachment["mime_type"]?.text,
                length: byteCount(attachment["size_in_bytes"]?.text),
                title: attachment["title"]?.text.flatMap(plainLine)))
        entry.duration.offer(duration(attachment["duration_in_seconds"], draft), rank: 1)
    }
    entry.finish()
    return entry.value
}

/// The names of version 1.1's `authors`, else of version 1's `author`.
private func authors(_ object: JSONValue) -> String? {
    let people = object["authors"]?.list ?? object["author"]?.list ?? []
    let names = people.compactMap { ($0["name"] ?? $0).text.flatMap(plainLine) }
    return names.withoutRepetitions().joined(separator: ", ").nonBlank
}

/// Reads the episodes of a list; what is none is left out with a diagnostic.
func readEpisodes(
    _ items: JSONValue?, _ draft: Draft, _ read: (JSONValue) -> Episode?
) -> [Episode] {
    var episodes: [Episode] = []
    for (number, item) in (items?.list ?? []).enumerated() {
        guard episodes.count < draft.context.limits.episodeCount else {
            draft.context.note(
                .tooManyEpisodes,
                "the episodes beyond \(draft.context.limits.episodeCount) were left out")
            break
        }
        if let episode = read(item) {
            episodes.append(episode)
        } else {
            draft.context.note(.badEpisode, "entry \(number + 1) is no episode and was left out")
        }
    }
    return episodes
}

/// Reads a duration; zero is what writers put who do not know it.
func duration(_ value: JSONValue?, _ draft: Draft) -> Double? {
    seconds(value, draft).flatMap { $0 > 0 ? $0 : nil }
}

/// Reads a number of seconds, or a text such as `12:30`; nil for over a thousand hours.
func seconds(_ value: JSONValue?, _ draft: Draft) -> Double? {
    guard let value else { return nil }
    if let number = value.number { return (0...longestDuration).contains(number) ? number : nil }
    return draft.duration(value.text)
}
