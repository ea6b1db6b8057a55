import EpisodeStore

/// A count with its noun, such as `1 episode` or `1,200 episodes`.
func counted(_ count: Int, _ noun: String, in environment: Environment) -> String {
    "\(environment.format.number(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// The state of an episode in a list, with what the user did: `downloaded, kept, played`.
func stateAndMarks(_ record: EpisodeRecord) -> String {
    let spared = record.isKept ? "kept" : record.isRequested ? "requested" : ""
    let heard = record.isPlayed ? "played" : record.position > .zero ? "started" : ""
    return [stateWord(record), spared, heard]
        .filter { !$0.isEmpty }.joined(separator: ", ")
}

/// Why no rule deletes the file, under the name of that; the value is nil where one may.
func sparedLine(_ record: EpisodeRecord) -> (name: String, value: String?) {
    let wayBack = "'podget mark unkeep \(record.id)' lets the rules have it"
    if record.isKept { return ("Kept", "marked 'keep'; \(wayBack)") }
    let words = "by hand, so that no rule deletes it, but 'delete' and 'clean --played' do; \(wayBack)"
    return ("Requested", record.isRequested ? words : nil)
}

/// What and where in its show an episode is, such as `season 2, episode 5` or `trailer`; nil where its feed tells nothing
/// of that.
func placeWords(_ record: EpisodeRecord) -> String? {
    let words = [
        record.season.map { "season \($0)" }, record.episode.map { "episode \($0)" },
        unusualType(record.episodeType),
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
}

/// The same in few columns: `S2E5`, `S2 trailer`, `E7`; empty where nothing is told.
func placeText(season: Int?, episode: Int?, type: String?) -> String {
    let number = (season.map { "S\($0)" } ?? "") + (episode.map { "E\($0)" } ?? "")
    return [number, unusualType(type) ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
}

private func unusualType(_ type: String?) -> String? {
    type.map { $0.lowercased() }.flatMap { ["trailer", "bonus"].contains($0) ? $0 : nil }
}

/// How to get a file back.
func fetchAgain(_ record: EpisodeRecord) -> String {
    record.isDownloadable
        ? "'podget download \(record.id)' fetches it again" : "the feed offers it no more"
}

/// Whether it was played, and how far; nil where it was not begun.
func playedWords(_ record: EpisodeRecord, _ format: HumanFormat) -> String? {
    if record.isPlayed { return "yes" }
    return record.position > .zero
        ? "up to \(format.duration(seconds: record.position / .seconds(1)))" : nil
}

/// What happens to the bytes of a download that has stopped once it goes on; nil where none have arrived.
func nextTimeWords(hasResumeData: Bool, byteCount: Int64) -> String? {
    hasResumeData || byteCount > 0 ? nextTimeWords(canResume: hasResumeData) : nil
}

/// What happens the next time to the bytes of a download that has stopped.
func nextTimeWords(canResume: Bool) -> String {
    canResume ? "resumes there" : "starts over"
}

/// A state in a user's words.
func stateWord(_ state: DownloadState) -> String {
    switch state {
    case .none: "not downloaded"
    case .active: "downloading"
    case .done: "downloaded"
    case .queued, .waiting, .paused, .failed, .missing, .deleted, .skipped: state.rawValue
    }
}

/// The state of a single episode, which is never empty.
func stateText(_ record: EpisodeRecord) -> String {
    let word = stateWord(record)
    return word.isEmpty ? stateWord(.none) : word
}

/// The state of an episode in a list: what it is, and what can be done where that is not plain.
func stateWord(_ record: EpisodeRecord) -> String {
    switch record.state {
    case .none: record.isDownloadable ? "" : "no file"
    case .failed: "failed (\(record.verb?.rawValue ?? ""))"
    case .paused:
        nextTimeWords(hasResumeData: record.hasResumeData, byteCount: record.byteCount ?? 0)
            .map { "paused (\($0))" } ?? "paused"
    case .done: "downloaded"
    case .queued, .waiting, .active, .missing, .deleted, .skipped: record.state.rawValue
    }
}
