import FoundationEssentials

@testable import EpisodeStore

/// An episode of an invented feed; its number is its day, so that a higher one is newer.
struct EpisodeFixture {
    var number: Int
    var title: String?
    var type: String?
    var duration: Duration?
    var isDurationOfFeed = true
    var season: Int?
    var episode: Int?
    var state = DownloadState.none
    var origin = DownloadOrigin.policy
    var reason: String?
    var mayRecover = false
    var isDownloadable = true
    var isListed = true
    var isSuspectedDuplicate = false
    var isOldNews = false
    var isPlayed = false
    var isKept = false
    var position = Duration.zero
    var byteCount: Int64?
    var downloadedOn: Double?

    init(_ number: Int) { self.number = number }

    func with(_ change: (inout EpisodeFixture) -> Void) -> EpisodeFixture {
        var copy = self
        change(&copy)
        return copy
    }

    var record: EpisodeRecord {
        let date = day(Double(number))
        return EpisodeRecord(
            id: EpisodeID(rawValue: Int64(number)), feedID: FeedID(rawValue: 1), feedSlug: "show",
            feedTitle: "Show", guid: "\(number)", title: title ?? "Part \(number)", link: nil, image: nil,
            published: date, firstSeen: date, sortDate: date, duration: duration,
            isDurationOfFeed: duration != nil && isDurationOfFeed, season: season,
            episode: episode,
            episodeType: type, enclosureURL: "https://a.example/\(number).mp3", enclosureType: "audio/mpeg",
            enclosureLength: byteCount, isDownloadable: isDownloadable, state: state, hasResumeData: false,
            mayRecover: mayRecover, origin: state == .none ? nil : origin, byteCount: byteCount,
            expectedByteCount: nil, isExpectedExact: false, filePath: nil,
            downloadedAt: downloadedOn.map(day), reason: reason, isPlayed: isPlayed, position: position,
            isNew: !isOldNews, isOldNews: isOldNews, isKept: isKept, isListed: isListed,
            isSuspectedDuplicate: isSuspectedDuplicate)
    }
}

/// A day of the invented calendar of these tests: day 0 is 2024-01-01 at noon, UTC.
func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_704_110_400 + number * 86_400)
}
