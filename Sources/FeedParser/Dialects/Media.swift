// Media RSS, http://search.yahoo.com/mrss/.

let mediaFeedRules: [String: Rule] = [
    "title": .markup { $0.feed.title.offer($0.title($1.text), rank: 6) },
    "description": .markup { $0.feed.description.offer(plainLine($1.text), rank: 7) },
    "thumbnail": .attributes { draft, field in draft.feed.image.offer(draft.url(field["url"]), rank: 3) },
    "copyright": .markup { $0.feed.copyright.offer(plainLine($1.text), rank: 3) },
    "credit": .markup { $0.feed.author.offer(plainLine($1.text), rank: 7) },
]

let mediaEntryRules: [String: Rule] = [
    "group": .transparent,
    "category": .markup { draft, field in draft.appendEntryCategory(plainLine(field.text)) },
    "content": .level(.mediaContent, begin: beginMediaContent, end: endMediaContent),
    "title": .markup { $0.entry.title.offer($0.title($1.text), rank: 6) },
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 6) },
    "thumbnail": .attributes { draft, field in draft.entry.image.offer(draft.url(field["url"]), rank: 2) },
    "credit": .markup { $0.entry.author.offer(plainLine($1.text), rank: 7) },
    "rating": mediaRating,
    "adult": .text { $0.entry.explicit.offer(flag($1.text), rank: 3) },
]

let mediaContentRules: [String: Rule] = [
    "title": .markup { draft, field in
        draft.mediaContent?.title = plainLine(field.text)
        draft.entry.title.offer(draft.title(field.text), rank: 7)
    },
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 7) },
    "thumbnail": .attributes { draft, field in draft.entry.image.offer(draft.url(field["url"]), rank: 2) },
    "credit": .markup { $0.entry.author.offer(plainLine($1.text), rank: 7) },
    "rating": mediaRating,
]

private let mediaRating = Rule.text { draft, field in
    switch field.text.nonBlank?.lowercased() {
    case "adult": draft.entry.explicit.offer(true, rank: 2)
    case "nonadult": draft.entry.explicit.offer(false, rank: 2)
    default: break
    }
}

@Sendable private func beginMediaContent(_ draft: inout Draft, _ field: Field) {
    draft.mediaContent = nil
    guard let url = draft.url(field["url"]) else { return }
    let isImage =
        field["medium"]?.lowercased() == "image" || mediaKind(type: field["type"], url: url) == .image
    if isImage {
        draft.entry.image.offer(url, rank: 4)
        return
    }
    draft.mediaContent = Enclosure(url: url, type: field["type"], length: byteCount(field["filesize"]))
    if let duration = field["duration"] { draft.entry.duration.offer(draft.duration(duration), rank: 3) }
}

@Sendable private func endMediaContent(_ draft: inout Draft, _ field: Field) {
    draft.entry.value.enclosures.append(draft.mediaContent, limit: draft.listLimit)
    draft.mediaContent = nil
}
