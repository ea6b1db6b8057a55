/// Reads JSON Feed 1.0 and 1.1, https://jsonfeed.org/version/1.1; nil where the root is something else.
///
/// A document without a known `version` is one if its items have the members of JSON Feed.
func jsonFeed(_ root: JSONValue, context: ParseContext) -> JSONFeedParts? {
    guard let object = JSONObject(root, context: context), isJSONFeed(object, context: context) else {
        return nil
    }
    var feed = Feed(format: object.text("version")?.hasSuffix("1.1") == true ? .jsonFeed11 : .jsonFeed1)
    feed.title = object.line("title")
    feed.description = object.line("description")
    feed.language = object.line("language")
    feed.author = authors(object)
    feed.link = object.url("home_page_url")
    feed.feedURL = object.url("feed_url")
    feed.nextPageURL = object.url("next_url")
    feed.image = object.url("icon", "favicon")
    feed.hubURL = object.objects("hubs", textAs: "url").lazy.compactMap { $0.url("url") }.first
    feed.complete = object.flag("expired")
    feed.categories = object.lines("tags").withoutRepetitions()
    return JSONFeedParts(
        feed: feed, episodes: object.elements("items") ?? JSONElements([]), readEpisode: jsonFeedItem)
}

private func isJSONFeed(_ object: JSONObject, context: ParseContext) -> Bool {
    if object.text("version")?.lowercased().contains("jsonfeed") == true { return true }
    guard let items = object.elements("items") else { return false }
    if object.has("home_page_url", "feed_url", "next_url", "user_comment") { return true }
    return items.prefix(10).contains { item in
        let item = JSONObject(item, context: context)
        return item?.has("content_html", "content_text", "date_published", "attachments") == true
    }
}

private func jsonFeedItem(_ item: JSONObject) -> Episode? {
    guard item.has("id", "url", "title", "content_html", "content_text", "attachments") else { return nil }
    var entry = EntryDraft()
    entry.guid.offer(item.text("id"), rank: 0)
    entry.title.offer(item.line("title"), rank: 0)
    entry.link.offer(item.url("url", "external_url"), rank: 0)
    entry.summary.offer(item.text("summary").flatMap(htmlText), rank: 0)
    entry.content.offer(item.text("content_html").flatMap(htmlText), rank: 0)
    if let notes = item.text("content_text") {
        entry.summary.offer(RichText(text: notes, isHTML: false), rank: 1)
        entry.content.offer(htmlText(htmlFromPlainNotes(notes)), rank: 1)
    }
    entry.published.offer(item.date("date_published"), rank: 0)
    entry.updated.offer(item.date("date_modified"), rank: 0)
    entry.author.offer(authors(item), rank: 0)
    entry.image.offer(item.url("image", "banner_image"), rank: 0)
    entry.value.categories = item.lines("tags")
    var durations: [String: Double] = [:]
    for attachment in item.objects("attachments", textAs: "url") {
        guard let enclosure = enclosure(attachment) else { continue }
        entry.value.enclosures.append(enclosure)
        durations[enclosure.url] = durations[enclosure.url] ?? attachment.duration("duration_in_seconds")
    }
    var episode = entry.finished()
    episode.duration = episode.enclosures.lazy.compactMap { durations[$0.url] }.first
    return episode
}

private func enclosure(_ attachment: JSONObject) -> Enclosure? {
    attachment.url("url").map { url in
        Enclosure(
            url: url, type: attachment.line("mime_type"),
            length: attachment.byteCount("size_in_bytes"), title: attachment.line("title"))
    }
}

/// The names of those who wrote a feed or an item, in one line.
private func authors(_ object: JSONObject) -> String? {
    // Version 1.0 has one `author`, version 1.1 a list of `authors`.
    let names = object.objects("authors", "author", textAs: "name").compactMap { $0.line("name") }
    return names.withoutRepetitions().joined(separator: ", ").nonBlank
}
