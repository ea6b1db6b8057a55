import EpisodeStore

/// A count with its noun, such as `1 episode` or `1,200 episodes`.
func counted(_ count: Int, _ noun: String, in environment: Environment) -> String {
    "\(environment.format.number(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// The state of an episode in a list, with what the user did: `downloaded, kept, played`.
func stateAndMarks(_ record: EpisodeRecord) -> String {
    [stateWord(record), record.isSpared ? "kept" : "", record.isPlayed ? "played" : ""]
        .filter { !$0.isEmpty }.joined(separator: ", ")
}

/// Why no rule deletes the file; nil where one may.
func sparedWords(_ record: EpisodeRecord) -> String? {
    guard record.isSpared else { return nil }
    let why = record.isKept ? "marked 'keep'" : "requested by hand"
    return "\(why); 'podget mark unkeep \(record.id)' lets the rules have it"
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

/// The state of an episode in a list: what it is, and what can be done where that is not plain.
func stateWord(_ record: EpisodeRecord) -> String {
    switch record.state {
    case .none: record.isDownloadable ? "" : "no file"
    case .paused, .failed: "\(record.state.rawValue) (\(record.verb?.rawValue ?? ""))"
    case .done: "downloaded"
    case .queued, .waiting, .active, .missing, .deleted, .skipped: record.state.rawValue
    }
}
