import Downloader
import EpisodeStore
import FeedParser

// The one place where what a document says becomes what the store keeps.

/// What is said of a feed whose end is missing.
let cutOffWords = "the feed is cut off; what could be read of it is kept"

extension IncomingFeed {
    /// A fetched feed with what its response said; `head` is nil for a local file.
    init(_ fetched: FetchedFeed, _ head: ResponseHead?) {
        let feed = fetched.feed
        self.init(title: feed.title, episodes: fetched.episodes)
        link = feed.link
        description = feed.description
        image = feed.image
        language = feed.language
        author = feed.author
        type = feed.type
        podcastGUID = feed.podcastGUID
        isTruncated = feed.isTruncated || fetched.hasMorePages
        liveItems = feed.liveItems.map(IncomingLiveItem.init)
        if feed.isTruncated { damage = cutOffWords }
        if !feed.isTruncated {
            // What was cut off must not pass for unchanged next time.
            validators = FeedValidators(
                etag: head?.etag, lastModified: head?.lastModified, bodyHash: fetched.bodyHash)
        }
        schedule = FeedSchedule(
            ttl: feed.ttl.map { .seconds(min(max($0, 0), 600_000) * 60) }, maxAge: head?.freshness,
            updatePeriod: feed.updatePeriodSeconds.map { .seconds($0) },
            updateFrequency: feed.updateFrequency, skipHours: feed.skipHours, skipDays: feed.skipDays)
        schedule.updateRule = feed.updateRule
        details = FeedDetails(
            copyright: feed.copyright, medium: feed.medium, isComplete: feed.complete,
            isExplicit: feed.explicit,
            categories: feed.categories, persons: feed.persons.map(EpisodeStore.Person.init),
            funding: feed.funding.map { FundingLink(url: $0.url, text: $0.text) })
    }
}

extension IncomingEpisode {
    init(_ episode: Episode) {
        self.init(
            guid: episode.guid, title: episode.title, published: episode.published,
            enclosures: episode.enclosures.map(EpisodeStore.Enclosure.init))
        link = episode.link
        updated = episode.updated
        summary = episode.summary
        contentHTML = episode.contentHTML
        author = episode.author
        image = episode.image
        duration = episode.duration.map(milliseconds)
        season = episode.season
        self.episode = episode.episode
        episodeType = episode.episodeType
        isExplicit = episode.explicit
        alternateEnclosures = episode.alternateEnclosures.map(EpisodeStore.AlternateEnclosure.init)
        chapters = episode.chapters.map(EpisodeStore.Chapter.init)
        chaptersURL = episode.chaptersURL.map { ChaptersLink(url: $0.url, type: $0.type) }
        transcripts = episode.transcripts.map {
            TranscriptLink(url: $0.url, type: $0.type, language: $0.language, rel: $0.rel)
        }
        transcript = episode.transcript.map(EpisodeStore.TranscriptSegment.init)
        persons = episode.persons.map(EpisodeStore.Person.init)
        categories = episode.categories
        status = episode.status
        isStream = episode.enclosures.first.map(isStreamPlaylist) ?? false
    }
}

extension IncomingLiveItem {
    init(_ item: LiveItem) {
        self.init(
            guid: item.episode.guid, title: item.episode.title, status: item.status, start: item.start,
            end: item.end)
        link = item.episode.link
        image = item.episode.image
        enclosures = item.episode.enclosures.map(EpisodeStore.Enclosure.init)
        contentLinks = item.contentLinks.map { FundingLink(url: $0.href, text: $0.text) }
        chat = item.chat?.accountId ?? item.chat?.server
    }
}

extension EpisodeStore.Enclosure {
    init(_ enclosure: FeedParser.Enclosure) {
        // One byte is what writers put who do not know the size: not even an estimate.
        let length = enclosure.length.flatMap { $0 > 1 ? $0 : nil }
        self.init(url: enclosure.url, type: enclosure.type, length: length, title: enclosure.title)
    }
}

extension EpisodeStore.Chapter {
    init(_ chapter: FeedParser.Chapter) {
        self.init(
            start: milliseconds(chapter.start), title: chapter.title, url: chapter.url, image: chapter.image)
    }
}

extension EpisodeStore.TranscriptSegment {
    init(_ segment: FeedParser.TranscriptSegment) {
        self.init(
            speaker: segment.speaker, text: segment.text, start: segment.start.map(milliseconds),
            end: segment.end.map(milliseconds))
    }
}

extension EpisodeStore.Person {
    init(_ person: FeedParser.Person) {
        self.init(
            name: person.name, role: person.role, group: person.group, href: person.href, image: person.img)
    }
}

extension EpisodeStore.AlternateEnclosure {
    init(_ alternate: FeedParser.AlternateEnclosure) {
        self.init(
            type: alternate.type, length: alternate.length,
            sources: alternate.sources.map { EpisodeStore.Enclosure(url: $0.url, type: $0.type) })
        bitrate = alternate.bitrate
        height = alternate.height
        language = alternate.lang
        title = alternate.title
        codecs = alternate.codecs
        isDefault = alternate.isDefault
        integrityType = alternate.integrity?.type
        integrityValue = alternate.integrity?.value
    }
}

/// Whether an enclosure is a playlist of a stream (HLS, M3U) and not a file that ends.
private func isStreamPlaylist(_ enclosure: FeedParser.Enclosure) -> Bool {
    if let type = enclosure.type?.utf8.prefix(while: { $0 != UInt8(ascii: ";") }),
        streamTypes.contains(where: { isEqualIgnoringCase(type, $0.utf8) })
    {
        return true
    }
    let path = enclosure.url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return streamExtensions.contains { isEqualIgnoringCase(path.suffix($0.utf8.count), $0.utf8) }
}

private let streamTypes = [
    "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
    "application/dash+xml",
]

private let streamExtensions = [".m3u8", ".m3u", ".mpd", ".pls"]

/// Compares with a text in lower case; of each episode's address, for which `lowercased` would cost too much.
private func isEqualIgnoringCase(_ text: Substring.UTF8View, _ lowercase: String.UTF8View) -> Bool {
    text.elementsEqual(lowercase) { byte, other in
        byte == other || byte | 0x20 == other && byte &- UInt8(ascii: "A") < 26
    }
}

/// A duration in whole milliseconds; a feed may claim anything, so it is held within a year.
private func milliseconds(_ seconds: Double) -> Duration {
    .milliseconds(Int64(min(max(seconds, 0), 31_536_000) * 1000))
}
