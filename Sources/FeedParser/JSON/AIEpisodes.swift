/// Reads the episodes that an AI podcast service made for a listener or a show; nil where there are none.
///
/// There is no standard for them: any member may be missing, and most go by several names.
func aiEpisodes(_ root: JSONValue, context: ParseContext) -> JSONFeedParts? {
    let top = JSONObject(root, context: context)
    let data = top?.object("data")
    let isEpisodes = { (list: JSONElements) in
        var list = list
        guard let first = list.next() else { return true }
        return ([first] + list.prefix(10)).contains {
            JSONObject($0, context: context).map(isAIEpisode) == true
        }
    }
    // Other answers of a service are lists too, under names as plain as these.
    let lists = [root.isList ? root.elements : nil, top?.elements("items", "data"), data?.elements("items")]
    guard
        let episodes = top?.elements("episodes") ?? data?.elements("episodes")
            ?? lists.lazy.compactMap({ $0 }).first(where: isEpisodes)
    else { return nil }
    let shows = [top?.object("show", "feed", "podcast"), data?.object("show", "feed", "podcast"), data, top]
    return JSONFeedParts(
        feed: aiShow(shows.compactMap { $0 }), episodes: episodes, readEpisode: aiEpisode)
}

/// Reads what is said of the show; an object that comes earlier knows better.
private func aiShow(_ objects: [JSONObject]) -> Feed {
    var feed = Feed(format: .dialogue)
    guard let first = objects.first else { return feed }
    let show = objects.dropFirst().reduce(first) { $0.completed(by: $1) }
    feed.title = show.line("title", "name")
    feed.description = show.line("description", "summary")
    feed.language = show.line("language")
    feed.author = show.objects("author", textAs: "name").first?.line("name")
    feed.link = show.url("link", "url")
    feed.image = show.url("image_url", "image")
    feed.persons = hosts(show)
    feed.nextPageURL = nextPage(show)
    return feed
}

private func nextPage(_ show: JSONObject) -> String? {
    let pagination = show.object("pagination")
    return [show.text("next"), show.text("next_page"), pagination?.text("next")].lazy
        .compactMap { $0 }.first(where: isPageReference).flatMap(show.absoluteURL)
}

/// Whether a text can be an address: some services give the number of a page, or a token.
private func isPageReference(_ text: String) -> Bool {
    isWebAddress(text) || ["/", "?", "."].contains(text.prefix(1))
}

private func isAIEpisode(_ object: JSONObject) -> Bool {
    object.line("title", "topic") != nil || audio(object) != nil
}

private func aiEpisode(_ object: JSONObject) -> Episode? {
    guard isAIEpisode(object) else { return nil }
    var entry = EntryDraft()
    entry.guid.offer(object.text("id", "uuid", "guid"), rank: 0)
    entry.title.offer(object.line("title", "topic"), rank: 0)
    entry.summary.offer(object.text("summary", "description").flatMap(htmlText), rank: 0)
    entry.content.offer(notes(object), rank: 0)
    entry.link.offer(object.url("link", "url"), rank: 0)
    entry.published.offer(object.date("published_at", "created_at", "date"), rank: 0)
    entry.updated.offer(object.date("updated_at"), rank: 0)
    entry.duration.offer(object.duration("duration", "duration_seconds"), rank: 0)
    entry.season.offer(object.wholeNumber("season"), rank: 0)
    entry.episode.offer(object.wholeNumber("episode", "number", "episode_number"), rank: 0)
    entry.image.offer(object.url("image_url", "image"), rank: 0)
    if let audio = audio(object) {
        entry.value.enclosures = [audio.enclosure]
        entry.duration.offer(audio.duration, rank: 1)
    }
    entry.value.status = status(object)
    entry.value.persons = hosts(object)
    entry.value.chapters = chapters(object)
    entry.value.transcript = transcript(object)
    entry.value.transcripts = object.url("transcript_url").map { [TranscriptReference(url: $0)] } ?? []
    return entry.finished()
}

private func audio(_ episode: JSONObject) -> (enclosure: Enclosure, duration: Double?)? {
    let audio = episode.objects("audio", textAs: "url").first
    guard let url = episode.url("audio_url") ?? audio?.url("url") else { return nil }
    let enclosure = Enclosure(
        url: url, type: audio?.line("content_type", "mime_type", "type") ?? episode.line("audio_type"),
        length: audio?.byteCount("size_bytes", "size", "length"))
    return (enclosure, audio?.duration("duration_seconds", "duration"))
}

/// The state in our terms: every word for a finished episode is `ready`, and so is none.
private func status(_ episode: JSONObject) -> String {
    switch episode.line("status", "state")?.lowercased() {
    case nil, "completed", "done", "published": "ready"
    case .some(let status): status
    }
}

private func hosts(_ object: JSONObject) -> [Person] {
    object.objects("hosts", textAs: "name").compactMap { host in
        host.line("name").map { Person(name: $0, role: "host") }
    }
}

private func chapters(_ episode: JSONObject) -> [Chapter] {
    episode.objects("chapters", textAs: "title").compactMap { chapter in
        chapter.seconds("start", "start_time", "start_seconds").map {
            Chapter(start: $0, title: chapter.line("title"))
        }
    }
}

private func transcript(_ episode: JSONObject) -> [TranscriptSegment] {
    let segments = episode.object("transcript")?.objects("segments", textAs: "text")
    return (segments ?? episode.objects("transcript", textAs: "text")).compactMap { segment in
        segment.text("text").map { text in
            TranscriptSegment(
                speaker: segment.line("speaker"), text: text, start: segment.seconds("start", "start_time"),
                end: segment.seconds("end", "end_time"))
        }
    }
}

/// Writes the notes of an episode as HTML, its sources at the end.
private func notes(_ episode: JSONObject) -> RichText? {
    let text = episode.text("description", "summary")
    var html = text.map { mayHoldMarkup($0) ? $0 : htmlFromPlainNotes($0) } ?? ""
    let sources = episode.objects("sources", textAs: "title").compactMap(source)
    if !sources.isEmpty { html += "<ul>" + sources.joined() + "</ul>" }
    return htmlText(html)
}

private func source(_ source: JSONObject) -> String? {
    let title = source.line("title")
    let url = source.url("url") ?? title
    guard let url, isWebAddress(url) else { return title.map { "<li>\(escapedForHTML($0))</li>" } }
    return "<li><a href=\"\(escapedForHTML(url))\">\(escapedForHTML(title ?? url))</a></li>"
}
