// Podlove Simple Chapters, http://podlove.org/simple-chapters.

let podloveEntryRules: [String: Rule] = [
    "chapters": .level(.chapters)
]

let chapterRules: [String: Rule] = [
    "chapter": .attributes { draft, field in
        guard let start = draft.duration(field["start"]) else { return }
        let chapter = Chapter(
            start: start, title: field["title"].flatMap(plainLine), url: draft.url(field["href"]),
            image: draft.url(field["image"]))
        draft.entry.value.chapters.append(chapter, limit: draft.listLimit)
    }
]
