import EpisodeStore

/// What is still to be fetched for a download besides its file.
struct ExtrasPlan: Equatable {
    var chapters: String?

    /// The links to try, the best first, until one of them gives a transcript.
    var transcripts: [TranscriptLink] = []
    var artwork: String?

    var isEmpty: Bool { chapters == nil && transcripts.isEmpty && artwork == nil }
}

/// Decides what is to be fetched: what the feed links to and does not say itself, and what was not settled before.
///
/// - Parameters:
///   - language: That of the feed; transcripts in another come last.
///   - hasArtwork: Whether the stored picture is still there.
func planExtras(
    _ episode: EpisodeDetail, image: String?, language: String?, stored: OfflineExtras, hasArtwork: Bool
) -> ExtrasPlan {
    let settled = Set(stored.settledLinks)
    var plan = ExtrasPlan()
    let feedHasChapters = !episode.chapters.isEmpty && episode.chapters != stored.chapters
    if !feedHasChapters, let link = episode.chaptersURL?.url, !settled.contains(link) {
        plan.chapters = link
    }
    let feedHasTranscript = !episode.transcript.isEmpty && episode.transcript != stored.transcript
    if !feedHasTranscript {
        // One without times gives way to one that has them, in the same language.
        let isTimed = stored.transcript.contains { $0.start != nil }
        let tried = transcriptOrder(
            episode.transcripts.filter { settled.contains($0.url) }, language: language)
        let source = tried.first { !TranscriptForm($0).isTimed } ?? tried.first
        let spoken = spokenLanguage(of: source, in: language)
        let wanted = episode.transcripts.filter { link in
            let isSame = spokenLanguage(of: link, in: language) == spoken
            return !settled.contains(link.url)
                && (stored.transcript.isEmpty || !isTimed && isSame && TranscriptForm(link).isTimed)
        }
        plan.transcripts = transcriptOrder(wanted, language: language)
    }
    if let image, !hasArtwork, !settled.contains(image) { plan.artwork = image }
    return plan
}

/// The language of a tag such as `en-GB`, without what follows it.
private func primaryLanguage(_ tag: String) -> String {
    tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
}

/// The language of a transcript, else that of its feed.
func spokenLanguage(of link: TranscriptLink?, in feedLanguage: String?) -> String? {
    (link?.language ?? feedLanguage).map(primaryLanguage)
}

/// Orders transcripts of one episode: the feed's language first, then forms with times before those without.
func transcriptOrder(_ links: [TranscriptLink], language: String?) -> [TranscriptLink] {
    func rank(_ link: TranscriptLink) -> Int {
        let isOther =
            link.language.flatMap { other in language.map { primaryLanguage(other) != primaryLanguage($0) } }
            ?? false
        return (isOther ? 100 : 0) + TranscriptForm(link).rawValue
    }
    return links.enumerated().sorted { left, right in
        (rank(left.element), left.offset) < (rank(right.element), right.offset)
    }.map(\.element)
}

/// The forms of transcripts, the best first: those with times, and among them those that tell them most plainly.
enum TranscriptForm: Int {
    case vtt, srt, json, html, text, unknown

    var isTimed: Bool { rawValue <= Self.json.rawValue }

    /// Guesses the form of a transcript by its type, else by the extension of its address.
    init(_ link: TranscriptLink) {
        let type = link.type?.lowercased() ?? ""
        let path = link.url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let known: [(Self, [String], [String])] = [
            (.vtt, ["vtt"], [".vtt"]), (.srt, ["srt", "subrip"], [".srt"]), (.json, ["json"], [".json"]),
            (.html, ["html"], [".html", ".htm"]), (.text, ["text/plain"], [".txt"]),
        ]
        self =
            known.first { $0.1.contains { type.contains($0) } }?.0
            ?? known.first { $0.2.contains { path.hasSuffix($0) } }?.0 ?? .unknown
    }
}
