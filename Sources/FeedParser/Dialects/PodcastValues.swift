// The values of the podcast namespace that feeds and episodes share.

func person(_ draft: Draft, _ field: Field) -> Person? {
    guard let name = plainLine(field.text) else { return nil }
    return Person(
        name: name, role: field["role"], group: field["group"], href: draft.url(field["href"]),
        img: draft.url(field["img"]))
}

func funding(_ draft: Draft, _ field: Field) -> Funding? {
    draft.url(field["url"]).map { Funding(url: $0, text: plainLine(field.text)) }
}

func remoteFeed(_ draft: Draft, _ field: Field) -> RemoteFeed {
    RemoteFeed(
        feedGUID: field["feedguid"], feedURL: draft.url(field["feedurl"]), title: field["title"],
        medium: field["medium"])
}

func purposeText(_ field: Field) -> PurposeText? {
    plainLine(field.text).map { PurposeText(purpose: field["purpose"], text: $0) }
}

func location(_ field: Field) -> Location? {
    let location = Location(
        name: plainLine(field.text), geo: field["geo"], osm: field["osm"], country: field["country"])
    return location == Location() ? nil : location
}

func socialInteract(_ field: Field) -> SocialInteract? {
    field["protocol"].map { name in
        SocialInteract(
            protocol: name, uri: field["uri"], accountId: field["accountid"], accountUrl: field["accounturl"],
            priority: wholeNumber(field["priority"]))
    }
}

func trailer(_ draft: Draft, _ field: Field) -> Trailer? {
    draft.url(field["url"]).map { url in
        Trailer(
            title: plainLine(field.text), url: url, published: draft.date(field["pubdate"]),
            length: byteCount(field["length"]), type: field["type"], season: wholeNumber(field["season"]))
    }
}

func artwork(_ draft: Draft, _ field: Field) -> Artwork? {
    draft.url(field["href"] ?? field["url"]).map { url in
        Artwork(
            url: url, width: wholeNumber(field["width"]), height: wholeNumber(field["height"]),
            purpose: field["purpose"], type: field["type"], alt: field["alt"])
    }
}

/// Reads a `srcset`: addresses with their widths, such as `https://host/a.jpg 1500w, https://host/b.jpg 600w`.
func imageSet(_ draft: Draft, _ field: Field) -> [Artwork] {
    guard let set = field["srcset"] else { return [] }
    return set.split(separator: ",").prefix(32).compactMap { entry in
        let words = entry.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, let url = draft.url(String(first)) else { return nil }
        let width = words.dropFirst().first { $0.hasSuffix("w") }
        return Artwork(url: url, width: width.flatMap { Int($0.dropLast()) })
    }
}
