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

/// What happens to the bytes of a download that has stopped once it goes on; nil where none have arrived.
func nextTimeWords(hasResumeData: Bool, byteCount: Int64) -> String? {
    hasResumeData || byteCount > 0 ? nextTimeWords(canResume: hasResumeData) : nil
}

/// What happens the next time to the bytes of a download that has stopped.
func nextTimeWords(canResume: Bool) -> String {
    canResume ? "resumes there" : "starts over"
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
