import FoundationEssentials

// Atom 1.0, RFC 4287, and its draft 0.3; also the elements of Atom that stand in RSS.

let atomFeedRules: [String: Rule] = [
    "entry": entryLevel,
    "item": entryLevel,
    "channel": .transparent,
    "title": .markup { $0.feed.title.offer($0.title(atomText($1)), rank: 1) },
    "subtitle": .markup { $0.feed.description.offer(atomText($1)?.plain, rank: 1) },
    "tagline": .markup { $0.feed.description.offer(atomText($1)?.plain, rank: 1) },
    "description": .markup { $0.feed.description.offer(atomText($1)?.plain, rank: 1) },
    "info": .markup { $0.feed.description.offer(atomText($1)?.plain, rank: 7) },
    "link": .text(atomFeedLink),
    "updated": .text { draft, field in draft.feed.updated.offer(draft.date(field.text), rank: 1) },
    "modified": .text { draft, field in draft.feed.updated.offer(draft.date(field.text), rank: 1) },
    "published": .text { draft, field in draft.feed.published.offer(draft.date(field.text), rank: 1) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.feed.author.offer(draft.personName(or: field.text), rank: 2)
    },
    "category": .text { draft, field in
        draft.appendFeedCategory((field["term"] ?? field["label"] ?? field.text.nonBlank).flatMap(plainLine))
    },
    "generator": .markup { $0.feed.generator.offer(plainLine($1.text), rank: 1) },
    "icon": .text { draft, field in draft.feed.image.offer(draft.url(field.text.nonBlank), rank: 4) },
    "logo": .text { draft, field in draft.feed.image.offer(draft.url(field.text.nonBlank), rank: 2) },
    "rights": .markup { $0.feed.copyright.offer(atomText($1)?.plain, rank: 1) },
    "copyright": .markup { $0.feed.copyright.offer(atomText($1)?.plain, rank: 1) },
    "language": .text { $0.feed.language.offer($1.text.nonBlank, rank: 0) },
]

let atomEntryRules: [String: Rule] = [
    "entry": entryLevel,
    "item": entryLevel,
    "title": .markup { $0.entry.title.offer($0.title(atomText($1)), rank: 1) },
    "id": .text { $0.entry.guid.offer($1.text.nonBlank, rank: 1) },
    "guid": .text { $0.entry.guid.offer($1.text.nonBlank, rank: 1) },
    "link": .text(atomEntryLink),
    "summary": .markup { $0.entry.summary.offer(atomText($1), rank: 2) },
    "content": .markup(atomContent),
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 2) },
    "published": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 1) },
    "issued": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 2) },
    "created": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 3) },
    "updated": .text { draft, field in draft.entry.updated.offer(draft.date(field.text), rank: 1) },
    "modified": .text { draft, field in draft.entry.updated.offer(draft.date(field.text), rank: 1) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.entry.author.offer(draft.personName(or: field.text), rank: 2)
    },
    "category": .text { draft, field in
        draft.appendEntryCategory((field["term"] ?? field["label"] ?? field.text.nonBlank).flatMap(plainLine))
    },
]

/// Reads a text construct by its `type` and, in Atom 0.3, its `mode`; RFC 4287 section 3.1.
func atomText(_ field: Field) -> RichText? {
    let type = field["type"]?.lowercased() ?? "text"
    var text = field.text
    let isBase64 = field["mode"]?.lowercased() == "base64" || isBinary(type)
    if isBase64 {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return nil }
        text = String(decoding: data, as: UTF8.self)
    }
    guard let text = text.nonBlank else { return nil }
    let isHTML = field.hasMarkup || isBase64 || type.contains("html") || type.hasSuffix("xml")
    return RichText(text: text, isHTML: isHTML)
}

/// Whether content of this type must be in Base64, RFC 4287 section 4.1.3.3.
private func isBinary(_ type: String) -> Bool {
    type.contains("/") && !type.hasPrefix("text/") && !type.hasSuffix("xml") && !type.contains("html")
}

@Sendable private func atomFeedLink(_ draft: inout Draft, _ field: Field) {
    guard let url = draft.url(field["href"] ?? field.text.nonBlank) else { return }
    switch linkRelation(field) {
    case "alternate": draft.feed.link.offer(url, rank: isPage(field) ? 1 : 3)
    case "self": draft.feed.value.feedURL = draft.feed.value.feedURL ?? url
    case "next": draft.feed.value.nextPageURL = draft.feed.value.nextPageURL ?? url
    case "hub": draft.feed.value.hubURL = draft.feed.value.hubURL ?? url
    case "payment":
        draft.feed.value.funding.append(Funding(url: url, text: field["title"]), limit: draft.listLimit)
    default: break
    }
}

@Sendable private func atomEntryLink(_ draft: inout Draft, _ field: Field) {
    let reference = field["href"] ?? field.text.nonBlank
    switch linkRelation(field) {
    case "alternate": draft.entry.link.offer(draft.url(reference), rank: isPage(field) ? 1 : 3)
    case "enclosure": draft.appendEnclosure(field, url: reference)
    case "payment":
        guard let url = draft.url(reference) else { return }
        draft.entry.value.funding.append(Funding(url: url, text: field["title"]), limit: draft.listLimit)
    default: break
    }
}

@Sendable private func atomContent(_ draft: inout Draft, _ field: Field) {
    if let source = field["src"] {
        let type = field["type"]
        if let url = draft.url(source), [.audio, .video].contains(mediaKind(type: type, url: url)) {
            draft.entry.value.enclosures.append(Enclosure(url: url, type: type), limit: draft.listLimit)
        }
        return
    }
    draft.entry.content.offer(atomText(field), rank: 1)
}

private func linkRelation(_ field: Field) -> String {
    field["rel"]?.lowercased() ?? "alternate"
}

private func isPage(_ field: Field) -> Bool {
    field["type"].map { $0.lowercased().contains("html") } ?? true
}
