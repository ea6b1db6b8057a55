/// A namespace whose elements the parser knows.
enum Namespace: Hashable, Sendable {
    /// RSS in all its versions, whose elements have no namespace in most of them.
    case rss
    case atom
    case rdf
    case itunes
    case podcast
    case content
    case dublinCore
    case dublinCoreTerms
    case media
    case podlove
    case syndication
    case googlePlay
    case rawVoice
    case feedBurner
    case creativeCommons
    case administration
    case xhtml
    case xml
    /// One that is declared and not known.
    case unknown
}

/// Finds the namespace of an element or attribute from what its document declares.
///
/// A declared address decides where it is known; else the usual meaning of the prefix, for many feeds misspell
/// the address or do not declare the prefix at all.
func namespace(uri: String?, prefix: String?) -> Namespace {
    if let uri, let known = namespacesByAddress[comparableAddress(uri)] { return known }
    if let prefix { return namespacesByPrefix[prefix.lowercased()] ?? .unknown }
    return uri == nil ? .rss : .unknown
}

/// Drops what writers of feeds get wrong: case, scheme, `www.`, and a trailing slash or number sign.
private func comparableAddress(_ uri: String) -> String {
    var address = uri.trimmed.lowercased()[...]
    for scheme in ["http://", "https://"] where address.hasPrefix(scheme) {
        address = address.dropFirst(scheme.count)
    }
    if address.hasPrefix("www.") { address = address.dropFirst(4) }
    while let last = address.last, last == "/" || last == "#" { address = address.dropLast() }
    return String(address)
}

private let namespacesByAddress: [String: Namespace] = [
    "": .rss,
    "backend.userland.com/rss": .rss,
    "backend.userland.com/rss2": .rss,
    "backend.userland.com/rss091": .rss,
    "backend.userland.com/rss092": .rss,
    "blogs.law.harvard.edu/tech/rss": .rss,
    "cyber.law.harvard.edu/rss": .rss,
    "my.netscape.com/rdf/simple/0.9": .rss,
    "my.netscape.com/publish/formats/rss-0.91.dtd": .rss,
    "channel.netscape.com/rdf/simple/0.9": .rss,
    "purl.org/rss/1.0": .rss,
    "purl.org/net/rss1.1": .rss,
    "purl.org/rss/2.0": .rss,
    "rssboard.org/rss-specification": .rss,
    // Enclosures in RSS 1.0.
    "purl.oclc.org/net/rss_2.0/enc": .rss,
    "w3.org/2005/atom": .atom,
    "purl.org/atom/ns": .atom,
    "purl.org/atom/ns#": .atom,
    "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "itunes.com/dtds/podcast-1.0.dtd": .itunes,
    "itunes.com/dtds/podcast-1.0": .itunes,
    "example.com/dtds/podcast-1.0.dtd": .itunes,
    "podcastindex.org/namespace/1.0": .podcast,
    "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
    "purl.org/rss/1.0/modules/content": .content,
    "purl.org/dc/elements/1.1": .dublinCore,
    "purl.org/dc/elements/1.0": .dublinCore,
    "purl.org/dc/terms": .dublinCoreTerms,
    "search.yahoo.com/mrss": .media,
    "search.yahoo.com/mrss/rss": .media,
    "video.search.yahoo.com/mrss": .media,
    "tools.search.yahoo.com/mrss": .media,
    "podlove.org/simple-chapters": .podlove,
    "purl.org/rss/1.0/modules/syndication": .syndication,
    "google.com/schemas/play-podcasts/1.0": .googlePlay,
    "google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": .googlePlay,
    "rawvoice.com/rawvoicerssmodule": .rawVoice,
    "blubrry.com/developer/rawvoice-rss": .rawVoice,
    "rssnamespace.org/feedburner/ext/1.0": .feedBurner,
    "backend.userland.com/creativecommonsrssmodule": .creativeCommons,
    "web.resource.org/cc": .creativeCommons,
    "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": .creativeCommons,
    "creativecommons.org/ns": .creativeCommons,
    "webns.net/mvcb": .administration,
    "w3.org/1999/xhtml": .xhtml,
    "w3.org/xml/1998/namespace": .xml,
]

private let namespacesByPrefix: [String: Namespace] = [
    "rss": .rss,
    "enc": .rss,
    "atom": .atom,
    "atom10": .atom,
    "a10": .atom,
    "rdf": .rdf,
    "itunes": .itunes,
    "podcast": .podcast,
    "content": .content,
    "dc": .dublinCore,
    "dcterms": .dublinCoreTerms,
    "media": .media,
    "psc": .podlove,
    "sy": .syndication,
    "googleplay": .googlePlay,
    "rawvoice": .rawVoice,
    "feedburner": .feedBurner,
    "creativecommons": .creativeCommons,
    "cc": .creativeCommons,
    "admin": .administration,
    "xhtml": .xhtml,
    "xml": .xml,
]
