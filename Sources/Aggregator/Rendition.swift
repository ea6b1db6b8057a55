import Downloader
import EpisodeStore

/// Which of the files that an episode offers is downloaded.
enum Quality: Equatable {
    case smallest, best, audio, video

    /// The best that has at most so many bits per second.
    case bitrate(Double)

    /// Reads `smallest`, `best`, `audio`, `video`, or a bitrate such as `64k` or `64000`.
    init?(_ text: String) {
        let word = text.lowercased()
        switch word {
        case "smallest": self = .smallest
        case "best": self = .best
        case "audio": self = .audio
        case "video": self = .video
        default:
            let units = ["bit/s", "bps", "bit"]
            guard let rate = parseQuantity(word, units: units, takesBareNumber: true),
                (1...1e9).contains(rate)
            else { return nil }
            self = .bitrate(rate)
        }
    }
}

/// A file of an episode other than its enclosure, chosen to be downloaded.
struct Rendition: Equatable, Sendable {
    let url: String
    let type: String?
    let length: Int64?

    /// Digests that the file must have.
    let integrity: [Integrity]
}

/// Chooses among the enclosure of an episode and its alternates; nil for the enclosure.
///
/// `smallest`, `best` and a bitrate stay with sound or picture, as the enclosure is; sizes that are not told are not
/// compared. An alternate in another language than the default one is another programme.
func chooseRendition(
    _ quality: Quality, enclosure: Enclosure, alternates: [AlternateEnclosure], duration: Duration?
) -> Rendition? {
    let main = alternates.first { $0.isDefault == true }
    var choices = [
        Choice(
            kind: kind(enclosure.type ?? main?.type),
            bitrate: main?.bitrate ?? averageBitrate(enclosure.length ?? main?.length, duration),
            rendition: nil)
    ]
    for alternate in alternates where alternate.isDefault != true {
        if let language = alternate.language, let own = main?.language, language != own { continue }
        guard let source = alternate.sources.first(where: { isFetchable($0.url) }) else { continue }
        let type = alternate.type ?? source.type
        choices.append(
            Choice(
                kind: kind(type), bitrate: alternate.bitrate ?? averageBitrate(alternate.length, duration),
                rendition: Rendition(
                    url: source.url, type: type, length: alternate.length,
                    integrity: alternate.integrityType?.lowercased() == "sri"
                        ? Integrity.parse(subresource: alternate.integrityValue ?? "") : [])))
    }
    switch quality {
    case .audio: return best(of: choices, .audio)
    case .video: return best(of: choices, .video)
    case .best, .smallest, .bitrate: break
    }
    // What is no sound and no picture is no choice; neither is one whose size nobody tells.
    let measured = choices.filter { $0.kind != nil && $0.kind == choices[0].kind && $0.bitrate != nil }
        .sorted { ($0.bitrate ?? 0) < ($1.bitrate ?? 0) }
    switch quality {
    case .smallest: return measured.first?.rendition
    case .bitrate(let limit):
        return (measured.last { ($0.bitrate ?? 0) <= limit } ?? measured.first)?.rendition
    default: return measured.last?.rendition
    }
}

private enum Kind { case audio, video }

private struct Choice {
    let kind: Kind?

    /// Bits per second.
    let bitrate: Double?

    /// Nil for the enclosure.
    let rendition: Rendition?
}

/// The enclosure where it is of that kind, else the alternate of that kind with most bits.
private func best(of choices: [Choice], _ kind: Kind) -> Rendition? {
    if choices[0].kind == kind { return nil }
    return choices.filter { $0.kind == kind }.max { ($0.bitrate ?? 0) < ($1.bitrate ?? 0) }?.rendition
}

private func kind(_ type: String?) -> Kind? {
    let type = type?.lowercased() ?? ""
    // Types of streams begin so too, and are no files.
    if type.contains("mpegurl") { return nil }
    if type.hasPrefix("audio/") { return .audio }
    return type.hasPrefix("video/") ? .video : nil
}

private func isFetchable(_ url: String) -> Bool {
    let url = url.lowercased()
    return ["http://", "https://", "file:"].contains { url.hasPrefix($0) }
}

private func averageBitrate(_ length: Int64?, _ duration: Duration?) -> Double? {
    guard let length, length > 0 else { return nil }
    // Without a duration the lengths still compare, as if all were an hour long.
    let seconds = duration.map { $0 / .seconds(1) } ?? 0
    return Double(length) * 8 / (seconds > 0 ? seconds : 3600)
}

extension Aggregator {
    /// The file to download instead of the enclosure, by the setting `quality` of the feed.
    func rendition(of download: QueuedDownload) async throws(StoreError) -> Rendition? {
        guard let quality = (download.quality ?? settings.forFeeds.quality).flatMap(Quality.init),
            let detail = try await library.episodeDetail(download.id), !detail.alternateEnclosures.isEmpty
        else { return nil }
        return chooseRendition(
            quality,
            enclosure: Enclosure(url: download.url, type: download.type, length: download.claimedLength),
            alternates: detail.alternateEnclosures, duration: download.duration)
    }
}
