// RSS 0.90 to 2.0 and RSS 1.0 (RDF).

let feedLevel = Rule.level(.feed)

let entryLevel = Rule.level(
    .entry,
    begin: { draft, field in draft.beginEntry(field) },
    end: { draft, _ in draft.endEntry() })

let feedImageLevel = Rule.level(
    .image,
    end: { draft, field in
        draft.feed.image.offer(draft.url(draft.imageAddress ?? field.text.nonBlank), rank: 1)
    })

let rssFeedRules: [String: Rule] = [
    "item": entryLevel,
    "entry": entryLevel,
    // Some feeds put a second channel within the first.
    "channel": .transparent,
    "title": .markup { $0.feed.title.offer($0.title($1.text), rank: 0) },
    "link": .text { draft, field in
        draft.feed.link.offer(draft.url(field.text.nonBlank ?? field["href"]), rank: 0)
    },
    "description": .markup { $0.feed.description.offer(plainLine($1.text), rank: 0) },
    "tagline": .markup { $0.feed.description.offer(plainLine($1.text), rank: 3) },
    "language": .text { $0.feed.language.offer($1.text.nonBlank, rank: 0) },
    "copyright": .markup { $0.feed.copyright.offer(plainLine($1.text), rank: 0) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.feed.author.offer(draft.personName(or: field.text), rank: 2)
    },
    "managingeditor": .markup { $0.feed.author.offer(plainLine($1.text), rank: 3) },
    "webmaster": .markup { $0.feed.author.offer(plainLine($1.text), rank: 8) },
    "generator": .markup { $0.feed.generator.offer(plainLine($1.text), rank: 0) },
    "pubdate": .text { draft, field in draft.feed.published.offer(draft.date(field.text), rank: 0) },
    "lastbuilddate": .text { draft, field in draft.feed.updated.offer(draft.date(field.text), rank: 0) },
    "ttl": .text { $0.feed.value.ttl = wholeNumber($1.text) ?? $0.feed.value.ttl },
    "category": .markup { draft, field in draft.appendFeedCategory(plainLine(field.text)) },
    "image": feedImageLevel,
    "skiphours": .level(.skipHours),
    "skipdays": .level(.skipDays),
]

let imageRules: [String: Rule] = [
    "url": .text { $0.imageAddress = $1.text.nonBlank }
]

let rssEntryRules: [String: Rule] = [
    // An item that was not closed ends where the next begins.
    "item": entryLevel,
    "title": .markup { $0.entry.title.offer($0.title($1.text), rank: 0) },
    "link": .text { draft, field in
        draft.entry.link.offer(draft.url(field.text.nonBlank ?? field["href"]), rank: 0)
    },
    "guid": .text { draft, field in
        draft.entry.guid.offer(field.text.nonBlank, rank: 0)
        let isPermalink = field["ispermalink"]?.lowercased() != "false"
        if isPermalink, isWebAddress(field.text) {
            draft.entry.link.offer(draft.url(field.text.nonBlank), rank: 5)
        }
    },
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 1) },
    "summary": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 2) },
    "body": .markup { $0.entry.content.offer(htmlText($1.text), rank: 2) },
    "content": .markup { $0.entry.content.offer(htmlText($1.text), rank: 3) },
    "fullitem": .markup { $0.entry.content.offer(htmlText($1.text), rank: 3) },
    "author": .level(.person, begin: beginPerson) { draft, field in
        draft.entry.author.offer(draft.personName(or: field.text), rank: 0)
    },
    "category": .markup { draft, field in draft.appendEntryCategory(plainLine(field.text)) },
    "pubdate": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 0) },
    "date": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 4) },
    "enclosure": .attributes { draft, field in
        draft.appendEnclosure(field, url: field["url"] ?? field["href"] ?? field["resource"])
    },
    "image": .level(.image) { draft, field in
        draft.entry.image.offer(draft.url(draft.imageAddress ?? field.text.nonBlank), rank: 3)
    },
]

/// Text that is HTML unless it is blank.
func htmlText(_ text: String) -> RichText? {
    text.nonBlank.map { RichText(text: $0, isHTML: true) }
}

/// Whether a text can be opened in a browser.
func isWebAddress(_ text: String) -> Bool {
    let text = text.trimmed
    return text.hasPrefix("http://") || text.hasPrefix("https://")
}

@Sendable func beginPerson(_ draft: inout Draft, _ field: Field) {
    draft.person = PersonDraft()
}

let personRules: [String: Rule] = [
    "name": .markup { $0.person.name = plainLine($1.text) },
    "email": .text { $0.person.email = $1.text.nonBlank },
    "uri": .text { $0.person.uri = $1.text.nonBlank },
    "url": .text { $0.person.uri = $1.text.nonBlank },
    "homepage": .text { $0.person.uri = $1.text.nonBlank },
]

extension Draft {
    mutating func beginEntry(_ field: Field) {
        if entry.isOpen { endEntry() }
        entry = .blank
        entry.isOpen = true
        imageAddress = nil
    }

    mutating func endEntry() {
        guard entry.isOpen else { return }
        entry.isOpen = false
        entry.finish()
        if var live = entry.live {
            live.episode = entry.value
            feed.value.liveItems.append(live, limit: listLimit)
        } else {
            handOverEntry()
        }
    }

    /// The name of the person that was read; else the email, else the given text.
    func personName(or text: String) -> String? {
        person.name ?? plainLine(text) ?? person.email
    }

    mutating func appendFeedCategory(_ category: String?) {
        feed.value.categories.append(category, limit: listLimit)
    }

    mutating func appendEntryCategory(_ category: String?) {
        entry.value.categories.append(category, limit: listLimit)
    }

    /// Adds a category to the entry that is open, else to the feed.
    mutating func appendCategory(_ category: String?) {
        if entry.isOpen { appendEntryCategory(category) } else { appendFeedCategory(category) }
    }

    /// Adds a playable file from the attributes `type`, `length` and `title`.
    mutating func appendEnclosure(_ field: Field, url reference: String?) {
        guard let url = url(reference) else { return }
        let enclosure = Enclosure(
            url: url, type: field["type"], length: byteCount(field["length"]), title: field["title"])
        entry.value.enclosures.append(enclosure, limit: listLimit)
    }
}
