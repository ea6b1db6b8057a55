// Dublin Core: http://purl.org/dc/elements/1.1/ and http://purl.org/dc/terms/.

let dublinCoreFeedRules: [String: Rule] = [
    "title": .markup { $0.feed.title.offer($0.title($1.text), rank: 5) },
    "description": .markup { $0.feed.description.offer(plainLine($1.text), rank: 5) },
    "creator": .markup { $0.feed.author.offer(plainLine($1.text), rank: 4) },
    "author": .markup { $0.feed.author.offer(plainLine($1.text), rank: 4) },
    "publisher": .markup { $0.feed.author.offer(plainLine($1.text), rank: 7) },
    "language": .text { $0.feed.language.offer($1.text.nonBlank, rank: 1) },
    "rights": .markup { $0.feed.copyright.offer(plainLine($1.text), rank: 2) },
    "subject": .markup { draft, field in draft.appendFeedCategory(plainLine(field.text)) },
    "date": .text { draft, field in draft.feed.published.offer(draft.date(field.text), rank: 3) },
    "created": .text { draft, field in draft.feed.published.offer(draft.date(field.text), rank: 4) },
    "issued": .text { draft, field in draft.feed.published.offer(draft.date(field.text), rank: 2) },
    "modified": .text { draft, field in draft.feed.updated.offer(draft.date(field.text), rank: 2) },
]

let dublinCoreEntryRules: [String: Rule] = [
    "title": .markup { $0.entry.title.offer($0.title($1.text), rank: 5) },
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 5) },
    "creator": .markup { $0.entry.author.offer(plainLine($1.text), rank: 3) },
    "author": .markup { $0.entry.author.offer(plainLine($1.text), rank: 3) },
    "contributor": .markup { $0.entry.author.offer(plainLine($1.text), rank: 7) },
    "subject": .markup { draft, field in draft.appendEntryCategory(plainLine(field.text)) },
    "identifier": .text { $0.entry.guid.offer($1.text.nonBlank, rank: 3) },
    "date": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 3) },
    "created": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 4) },
    "issued": .text { draft, field in draft.entry.published.offer(draft.date(field.text), rank: 2) },
    "modified": .text { draft, field in draft.entry.updated.offer(draft.date(field.text), rank: 2) },
]
