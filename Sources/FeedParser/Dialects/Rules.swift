/// Everything that the XML parser knows: what each element sets, by level and namespace.
let rules: [Level: [Namespace: [String: Rule]]] = [
    .root: [
        .rss: ["channel": feedLevel, "item": entryLevel, "entry": entryLevel, "image": feedImageLevel],
        .atom: ["entry": entryLevel, "feed": feedLevel],
        .itunes: itunesFeedRules,
    ],
    .wrapper: [
        .rss: ["channel": feedLevel, "item": entryLevel, "entry": entryLevel],
        .atom: ["feed": feedLevel, "entry": entryLevel],
    ],
    .feed: [
        .rss: rssFeedRules,
        .atom: atomFeedRules,
        .itunes: itunesFeedRules,
        .podcast: podcastFeedRules,
        .dublinCore: dublinCoreFeedRules,
        .dublinCoreTerms: dublinCoreFeedRules,
        .content: contentFeedRules,
        .media: mediaFeedRules,
        .syndication: syndicationRules,
        .googlePlay: googlePlayFeedRules,
        .rawVoice: rawVoiceFeedRules,
        .feedBurner: feedBurnerFeedRules,
        .creativeCommons: creativeCommonsFeedRules,
        .administration: administrationRules,
    ],
    .entry: [
        .rss: rssEntryRules,
        .atom: atomEntryRules,
        .itunes: itunesEntryRules,
        .podcast: podcastEntryRules,
        .dublinCore: dublinCoreEntryRules,
        .dublinCoreTerms: dublinCoreEntryRules,
        .content: contentEntryRules,
        .xhtml: xhtmlEntryRules,
        .media: mediaEntryRules,
        .podlove: podloveEntryRules,
        .googlePlay: googlePlayEntryRules,
        .rawVoice: rawVoiceEntryRules,
        .feedBurner: feedBurnerEntryRules,
        .creativeCommons: creativeCommonsEntryRules,
    ],
    .person: [
        .rss: personRules,
        .atom: personRules,
        .itunes: personRules,
    ],
    .image: [.rss: imageRules, .atom: imageRules],
    .skipHours: [
        .rss: [
            "hour": .text { draft, field in
                let hour = wholeNumber(field.text)
                // RSS 0.91 counts the hours from 1 to 24.
                if let hour, (0...24).contains(hour) {
                    draft.feed.value.skipHours.append(hour % 24, limit: 24)
                }
            }
        ]
    ],
    .skipDays: [
        .rss: ["day": .text { $0.feed.value.skipDays.append(plainLine($1.text), limit: 7) }]
    ],
    .itunesCategory: [.itunes: itunesCategoryRules],
    .podroll: [
        .podcast: [
            "remoteitem": .attributes {
                $0.feed.value.podroll.append(remoteFeed($0, $1), limit: $0.listLimit)
            }
        ]
    ],
    .publisher: [
        .podcast: ["remoteitem": .attributes { $0.feed.value.publisher = remoteFeed($0, $1) }]
    ],
    .value: [.podcast: valueRules],
    .alternateEnclosure: [.podcast: alternateEnclosureRules],
    .mediaContent: [.media: mediaContentRules],
    .chapters: [.podlove: chapterRules],
]

/// The elements with which a document may begin, in lower case.
let rootNames: Set<String> = ["rss", "rdf", "feed", "channel", "item", "entry", "html", "opml"]
