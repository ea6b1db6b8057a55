// Apple's podcast namespace, http://www.itunes.com/dtds/podcast-1.0.dtd, and the two derived from it.

let itunesFeedRules: [String: Rule] = [
    "title": .markup { $0.feed.title.offer($0.title($1.text), rank: 2) },
    "subtitle": .markup { $0.feed.description.offer(plainLine($1.text), rank: 4) },
    "summary": .markup { $0.feed.description.offer(plainLine($1.text), rank: 2) },
    "description": .markup { $0.feed.description.offer(plainLine($1.text), rank: 2) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.feed.author.offer(draft.personName(or: field.text), rank: 1)
    },
    "owner": .level(.person, begin: beginPerson) { draft, _ in
        draft.feed.author.offer(draft.person.name ?? draft.person.email, rank: 6)
    },
    "image": itunesFeedImage,
    "link": itunesFeedImage,
    "category": itunesCategory,
    "keywords": .text { draft, field in
        for keyword in field.text.split(separator: ",") {
            draft.appendFeedCategory(plainLine(String(keyword)))
        }
    },
    "explicit": .text { $0.feed.explicit.offer(flag($1.text), rank: 0) },
    "complete": .text { $0.feed.value.complete = flag($1.text) },
    "type": .text { $0.feed.value.type = $1.text.nonBlank?.lowercased() },
    "new-feed-url": .text { draft, field in draft.feed.value.newFeedURL = draft.url(field.text.nonBlank) },
]

let itunesEntryRules: [String: Rule] = [
    "title": .markup { $0.entry.title.offer($0.title($1.text), rank: 2) },
    "subtitle": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 4) },
    "summary": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 0) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.entry.author.offer(draft.personName(or: field.text), rank: 1)
    },
    "image": itunesEntryImage,
    "link": itunesEntryImage,
    "duration": .text { draft, field in draft.entry.duration.offer(draft.duration(field.text), rank: 0) },
    "season": .text { $0.entry.season.offer(wholeNumber($1.text), rank: 1) },
    "episode": .text { $0.entry.episode.offer(wholeNumber($1.text), rank: 1) },
    "episodetype": .text { $0.entry.value.episodeType = $1.text.nonBlank?.lowercased() },
    "explicit": .text { $0.entry.explicit.offer(flag($1.text), rank: 0) },
    "category": itunesCategory,
    "keywords": .text { draft, field in
        for keyword in field.text.split(separator: ",") {
            draft.appendEntryCategory(plainLine(String(keyword)))
        }
    },
]

/// Categories within categories.
let itunesCategoryRules: [String: Rule] = ["category": itunesCategory]

/// A category with its path: `Arts`, and within it `Arts > Design`.
let itunesCategory = Rule.level(
    .itunesCategory,
    begin: { draft, field in
        draft.categoryPath.append(field["text"].flatMap(plainLine) ?? "")
        draft.appendCategory(draft.categoryPath.filter { !$0.isEmpty }.joined(separator: " > ").nonBlank)
    },
    end: { draft, field in
        let name = draft.categoryPath.popLast() ?? ""
        if name.isEmpty { draft.appendCategory(plainLine(field.text)) }
    })

private let itunesFeedImage = Rule.text { draft, field in
    draft.feed.image.offer(draft.url(imageReference(field)), rank: 0)
}

private let itunesEntryImage = Rule.text { draft, field in
    draft.entry.image.offer(draft.url(imageReference(field)), rank: 0)
}

/// The address in an `image`, or in a `link` of the older form `rel="image"`.
private func imageReference(_ field: Field) -> String? {
    if field.element.name == "link", field["rel"] != "image" { return nil }
    return field["href"] ?? field["url"] ?? field.text.nonBlank
}
