// Small namespaces: syndication, Google Play, RawVoice, FeedBurner, Creative Commons, administration.

/// The syndication module.
///
/// <http://purl.org/rss/1.0/modules/syndication/>
let syndicationRules: [String: Rule] = [
    "updateperiod": .text { draft, field in
        let periods = [
            "hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000,
        ]
        guard let period = periods[field.text.trimmed.lowercased()] else { return }
        draft.feed.updatePeriod = period
        draft.feed.hasUpdatePeriod = true
    },
    "updatefrequency": .text { $0.feed.updateFrequency = wholeNumber($1.text) ?? $0.feed.updateFrequency },
]

/// Google Play's namespace.
///
/// <http://www.google.com/schemas/play-podcasts/1.0>
let googlePlayFeedRules: [String: Rule] = [
    "author": .markup { $0.feed.author.offer(plainLine($1.text), rank: 5) },
    "description": .markup { $0.feed.description.offer(plainLine($1.text), rank: 3) },
    "image": .attributes { draft, field in draft.feed.image.offer(draft.url(field["href"]), rank: 1) },
    "category": itunesCategory,
    "explicit": .text { $0.feed.explicit.offer(flag($1.text), rank: 1) },
]

let googlePlayEntryRules: [String: Rule] = [
    "author": .markup { $0.entry.author.offer(plainLine($1.text), rank: 5) },
    "description": .markup { $0.entry.summary.offer(htmlText($1.text), rank: 3) },
    "image": .attributes { draft, field in draft.entry.image.offer(draft.url(field["href"]), rank: 1) },
    "explicit": .text { $0.entry.explicit.offer(flag($1.text), rank: 1) },
]

/// RawVoice's module.
///
/// <http://www.rawvoice.com/rawvoiceRssModule/>
let rawVoiceFeedRules: [String: Rule] = [
    "donate": .text { draft, field in
        guard let url = draft.url(field["href"]) else { return }
        draft.feed.value.funding.append(
            Funding(url: url, text: plainLine(field.text)), limit: draft.listLimit)
    },
    "frequency": .text {
        $0.feed.value.updateFrequency = $0.feed.value.updateFrequency ?? plainLine($1.text)
    },
]

let rawVoiceEntryRules: [String: Rule] = [
    "poster": .attributes { draft, field in draft.entry.image.offer(draft.url(field["url"]), rank: 5) }
]

/// FeedBurner's extensions.
///
/// <http://rssnamespace.org/feedburner/ext/1.0>
let feedBurnerFeedRules: [String: Rule] = [
    "browserfriendly": .markup { $0.feed.description.offer(plainLine($1.text), rank: 9) }
]

let feedBurnerEntryRules: [String: Rule] = [
    "origlink": .text { draft, field in draft.entry.link.offer(draft.url(field.text.nonBlank), rank: 6) },
    "origenclosurelink": .text { draft, field in
        // The address behind FeedBurner's counting redirect; the enclosure itself counts for the publisher.
        guard draft.entry.value.enclosures.isEmpty, let url = draft.url(field.text.nonBlank) else { return }
        draft.entry.value.enclosures.append(Enclosure(url: url))
    },
]

/// The two Creative Commons modules.
///
/// <http://backend.userland.com/creativeCommonsRssModule> and <http://web.resource.org/cc/>
let creativeCommonsFeedRules: [String: Rule] = [
    "license": .text { draft, field in
        let reference = field["resource"] ?? field.text.nonBlank
        draft.feed.value.license = draft.feed.value.license ?? reference
    }
]

let creativeCommonsEntryRules: [String: Rule] = [
    "license": .text { draft, field in
        let reference = field["resource"] ?? field.text.nonBlank
        draft.entry.value.license = draft.entry.value.license ?? reference
    }
]

/// The administration module.
///
/// <http://webns.net/mvcb/>
let administrationRules: [String: Rule] = [
    "generatoragent": .attributes { $0.feed.generator.offer($1["resource"], rank: 2) }
]
