import FoundationEssentials

/// Reads what an AI podcast service answers, DIALØGUE style; nil where a document holds no list of episodes.
///
/// There is no standard for it, so everything is read leniently: what is missing stays empty.
func readAIEpisodes(_ document: JSONValue, _ draft: Draft) -> Feed? {
    let body = document["episodes", "items"] == nil ? document["data"] ?? document : document
    let episodes: JSONValue
    switch body {
    case .array: episodes = body
    default:
        guard let list = body["episodes", "items"], case .array = list else { return nil }
        episodes = list
    }
    if case .array(let list) = document, !list.isEmpty, !list.contains(where: looksLikeEpisode) { return nil }
    let show = body["show", "feed", "podcast"] ?? document["show", "feed", "podcast"] ?? body
    var feed = Feed(format: .dialogue)
    feed.title = draft.title(show["title", "name"]?.text)
    feed.description = show["description", "summary"]?.text.flatMap(plainLine)
    feed.language = show["language"]?.text
    feed.image = draft.url(show["image_url", "image"]?.text)
    feed.author = show["author"].flatMap { ($0["name"] ?? $0).text }.flatMap(plainLine)
    feed.link = draft.url(show["link", "url"]?.text)
    feed.podcastGUID = show["id", "uuid", "guid"]?.text
    feed.persons = hosts(show["hosts"] ?? body["hosts"], draft)
    feed.nextPageURL = draft.url(nextPage(document) ?? nextPage(body))
    feed.episodes = readEpisodes(episodes, draft) { item in
        looksLikeEpisode(item) ? readEpisode(item, draft) : nil
    }
    return feed
}

private func looksLikeEpisode(_ item: JSONValue) -> Bool {
    item["title", "topic"]?.text != nil || audioAddress(item) != nil
}

private func readEpisode(_ item: JSONValue, _ draft: Draft) -> Episode {
    var entry = EntryDraft()
    let audio = item["audio"]
    entry.guid.offer(item["id", "uuid", "guid"]?.text, rank: 1)
    entry.title.offer(draft.title(item["title"]?.text), rank: 1)
    entry.title.offer(draft.title(item["topic"]?.text), rank: 2)
    entry.link.offer(draft.url(item["link", "url"]?.text), rank: 1)
    entry.published.offer(date(item["published_at", "created_at", "date"], draft), rank: 1)
    entry.updated.offer(date(item["updated_at"], draft), rank: 1)
    entry.image.offer(draft.url(item["image_url", "image"]?.text), rank: 1)
    entry.season.offer(item["season"]?.integer, rank: 1)
    entry.episode.offer(item["episode", "number", "episode_number"]?.integer, rank: 1)
    entry.duration.offer(duration(item["duration_seconds", "duration"], draft), rank: 1)
    entry.duration.offer(duration(audio?["duration_seconds", "duration"], draft), rank: 2)
    if let url = draft.url(audioAddress(item)) {
        entry.value.enclosures = [
            Enclosure(
                url: url, type: (audio?["content_type", "mime_type", "type"] ?? item["audio_type"])?.text,
                length: byteCount(audio?["size_bytes", "size", "length"]?.text))
        ]
    }
    entry.value.status = status(item["status", "state"]?.text)
    entry.value.persons = hosts(item["hosts"], draft)
    entry.value.chapters = (item["chapters"]?.list ?? []).prefix(draft.listLimit).compactMap { chapter in
        guard let start = seconds(chapter["start", "start_time", "start_seconds"], draft) else {
            return nil
        }
        return Chapter(start: start, title: chapter["title"]?.text.flatMap(plainLine))
    }
    readTranscript(item, &entry, draft)
    readNotes(item, &entry, draft)
    entry.finish()
    return entry.value
}

/// Summary and sources; the sources stand as links at the end of the notes.
private func readNotes(_ item: JSONValue, _ entry: inout EntryDraft, _ draft: Draft) {
    let summary = item["summary", "description"]?.text.map { RichText(text: $0, isHTML: mayHoldMarkup($0)) }
    entry.summary.offer(summary, rank: 1)
    let links = (item["sources"]?.list ?? []).prefix(draft.listLimit).compactMap { source -> String? in
        guard let url = draft.url((source["url"] ?? source).text) else { return nil }
        let title = source["title"]?.text.flatMap(plainLine) ?? url
        return
            "<li><a href=\"\(escapedForHTML(url).replacing("\"", with: "%22"))\">\(escapedForHTML(title))</a></li>"
    }
    guard !links.isEmpty else { return }
    let notes = summary.map { $0.isHTML ? $0.html : "<p>\($0.html)</p>" } ?? ""
    entry.content.offer(RichText(text: notes + "<ul>\(links.joined())</ul>", isHTML: true), rank: 1)
}

private func readTranscript(_ item: JSONValue, _ entry: inout EntryDraft, _ draft: Draft) {
    if let url = draft.url(item["transcript_url"]?.text) {
        entry.value.transcripts = [TranscriptReference(url: url)]
    }
    guard let transcript = item["transcript"] else { return }
    entry.value.transcript = inOrder(Array(transcriptSegments(transcript).prefix(draft.listLimit)))
}

/// A person for each host, who may be given as a name alone.
private func hosts(_ value: JSONValue?, _ draft: Draft) -> [Person] {
    (value?.list ?? []).prefix(draft.listLimit).compactMap { host in
        guard let name = (host["name"] ?? host).text.flatMap(plainLine) else { return nil }
        return Person(name: name, role: "host")
    }
}

private func audioAddress(_ item: JSONValue) -> String? {
    item["audio_url"]?.text ?? item["audio"]?["url"]?.text ?? item["audio"]?.text
}

/// The state in our terms: all the words for a finished episode are `ready`.
private func status(_ word: String?) -> String {
    guard let word = word?.lowercased() else { return "ready" }
    return ["ready", "completed", "done", "published"].contains(word) ? "ready" : word
}

private func nextPage(_ object: JSONValue) -> String? {
    let next = object["next", "next_page"] ?? object["pagination"]?["next"]
    guard case .string = next else { return nil }
    return next?.text
}

private func date(_ value: JSONValue?, _ draft: Draft) -> Date? {
    guard let value else { return nil }
    // Unix time: beyond the year 5000 it is in milliseconds.
    if let number = value.number, number > 0, number < 1e14 {
        return Date(timeIntervalSince1970: (number > 1e11 ? number / 1000 : number).rounded(.down))
    }
    return draft.date(value.text)
}
