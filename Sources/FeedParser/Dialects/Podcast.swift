// The podcast namespace ("Podcasting 2.0"), https://podcastindex.org/namespace/1.0.

let podcastFeedRules: [String: Rule] = [
    "guid": .text { $0.feed.value.podcastGUID = $1.text.nonBlank },
    "locked": .text { $0.feed.value.locked = flag($1.text) },
    "medium": .text { $0.feed.value.medium = $1.text.nonBlank },
    "updatefrequency": .text {
        $0.feed.value.updateFrequency = plainLine($1.text) ?? $1["rrule"]
        $0.feed.value.updateRule = $1["rrule"]
    },
    "podping": .attributes { $0.feed.value.usesPodping = flag($1["usespodping"]) },
    "funding": .text { $0.feed.value.funding.append(funding($0, $1), limit: $0.listLimit) },
    "person": .text { $0.feed.value.persons.append(person($0, $1), limit: $0.listLimit) },
    "location": .text { $0.feed.value.location = $0.feed.value.location ?? location($1) },
    "license": .text { $0.feed.value.license = plainLine($1.text) ?? $0.url($1["url"]) },
    "txt": .text { $0.feed.value.txt.append(purposeText($1), limit: $0.listLimit) },
    "socialinteract": .attributes {
        $0.feed.value.socialInteract.append(socialInteract($1), limit: $0.listLimit)
    },
    "images": .attributes { $0.feed.value.images += imageSet($0, $1) },
    "image": .attributes { draft, field in
        let artwork = artwork(draft, field)
        draft.feed.value.images.append(artwork, limit: draft.listLimit)
        draft.feed.image.offer(artwork?.url, rank: 2)
    },
    "block": .text { draft, field in
        guard flag(field.text) == true else { return }
        draft.feed.value.block.append(field["id"] ?? "*", limit: draft.listLimit)
    },
    "trailer": .text { $0.feed.value.trailers.append(trailer($0, $1), limit: $0.listLimit) },
    "podroll": .level(.podroll),
    "publisher": .level(.publisher),
    "value": .level(.value, begin: beginValue) { draft, _ in
        draft.feed.value.value = draft.feed.value.value ?? draft.value
    },
    "liveitem": .level(.entry, begin: beginLiveItem, end: { draft, _ in draft.endEntry() }),
]

let podcastEntryRules: [String: Rule] = [
    "season": .text { draft, field in
        draft.entry.season.offer(wholeNumber(field.text), rank: 0)
        draft.entry.value.seasonName = field["name"]
    },
    "episode": .text { draft, field in
        draft.entry.episode.offer(wholeNumber(field.text), rank: 0)
        draft.entry.value.episodeDisplay = field["display"]
    },
    "chapters": .attributes { draft, field in
        guard let url = draft.url(field["url"]) else { return }
        draft.entry.chaptersURL.offer(ChaptersReference(url: url, type: field["type"]), rank: 0)
    },
    "transcript": .attributes { draft, field in
        guard let url = draft.url(field["url"]) else { return }
        let reference = TranscriptReference(
            url: url, type: field["type"], language: field["language"] ?? field["lang"], rel: field["rel"])
        draft.entry.value.transcripts.append(reference, limit: draft.listLimit)
    },
    "soundbite": .text { draft, field in
        guard let start = draft.duration(field["starttime"]), let length = draft.duration(field["duration"])
        else {
            return
        }
        let soundbite = Soundbite(start: start, duration: length, title: plainLine(field.text))
        draft.entry.value.soundbites.append(soundbite, limit: draft.listLimit)
    },
    "person": .text { $0.entry.value.persons.append(person($0, $1), limit: $0.listLimit) },
    "funding": .text { $0.entry.value.funding.append(funding($0, $1), limit: $0.listLimit) },
    "location": .text { $0.entry.value.location = $0.entry.value.location ?? location($1) },
    "license": .text { $0.entry.value.license = plainLine($1.text) ?? $0.url($1["url"]) },
    "txt": .text { $0.entry.value.txt.append(purposeText($1), limit: $0.listLimit) },
    "socialinteract": .attributes {
        $0.entry.value.socialInteract.append(socialInteract($1), limit: $0.listLimit)
    },
    "images": .attributes { $0.entry.value.images += imageSet($0, $1) },
    "image": .attributes { draft, field in
        let artwork = artwork(draft, field)
        draft.entry.value.images.append(artwork, limit: draft.listLimit)
        draft.entry.image.offer(artwork?.url, rank: 2)
    },
    "value": .level(.value, begin: beginValue) { draft, _ in
        draft.entry.value.value = draft.entry.value.value ?? draft.value
    },
    "alternateenclosure": .level(.alternateEnclosure, begin: beginAlternateEnclosure) { draft, _ in
        draft.entry.value.alternateEnclosures.append(draft.alternateEnclosure, limit: draft.listLimit)
    },
    "contentlink": .text { draft, field in
        guard let href = draft.url(field["href"]) else { return }
        let link = LiveItem.ContentLink(href: href, text: plainLine(field.text))
        let limit = draft.listLimit
        draft.entry.live?.contentLinks.append(link, limit: limit)
    },
    "chat": .attributes { draft, field in
        draft.entry.live?.chat = LiveItem.Chat(
            server: field["server"], protocol: field["protocol"], accountId: field["accountid"],
            space: field["space"])
    },
]

let valueRules: [String: Rule] = [
    "valuerecipient": .attributes { draft, field in
        let recipient = PaymentValue.Recipient(
            name: field["name"], type: field["type"], address: field["address"],
            split: wholeNumber(field["split"]), fee: flag(field["fee"]), customKey: field["customkey"],
            customValue: field["customvalue"])
        draft.value.recipients.append(recipient, limit: draft.listLimit)
    }
]

let alternateEnclosureRules: [String: Rule] = [
    "source": .attributes { draft, field in
        guard let url = draft.url(field["uri"] ?? field["url"]) else { return }
        let source = AlternateEnclosure.Source(url: url, type: field["contenttype"] ?? field["type"])
        draft.alternateEnclosure.sources.append(source, limit: draft.listLimit)
    },
    "integrity": .attributes { draft, field in
        guard let type = field["type"], let value = field["value"] else { return }
        draft.alternateEnclosure.integrity = AlternateEnclosure.Integrity(type: type, value: value)
    },
]

@Sendable private func beginValue(_ draft: inout Draft, _ field: Field) {
    draft.value = PaymentValue(type: field["type"], method: field["method"], suggested: field["suggested"])
}

@Sendable private func beginAlternateEnclosure(_ draft: inout Draft, _ field: Field) {
    var alternate = AlternateEnclosure(type: field["type"])
    alternate.length = byteCount(field["length"])
    alternate.bitrate = field["bitrate"].flatMap(Double.init)
    alternate.height = wholeNumber(field["height"])
    alternate.lang = field["lang"]
    alternate.title = field["title"].flatMap(plainLine)
    alternate.rel = field["rel"]
    alternate.codecs = field["codecs"]
    alternate.isDefault = flag(field["default"])
    draft.alternateEnclosure = alternate
}

@Sendable private func beginLiveItem(_ draft: inout Draft, _ field: Field) {
    draft.beginEntry(field)
    draft.entry.live = LiveItem(
        status: field["status"]?.lowercased(), start: draft.date(field["start"]),
        end: draft.date(field["end"]))
}
