// http://purl.org/rss/1.0/modules/content/, and XHTML bodies.

let contentFeedRules: [String: Rule] = [
    "encoded": .markup { $0.feed.description.offer(plainLine($1.text), rank: 6) }
]

let contentEntryRules: [String: Rule] = [
    "encoded": .markup { $0.entry.content.offer(htmlText($1.text), rank: 0) }
]

let xhtmlEntryRules: [String: Rule] = [
    "body": .markup { $0.entry.content.offer(htmlText($1.text), rank: 2) },
    "div": .markup { $0.entry.content.offer(htmlText($1.text), rank: 2) },
]
