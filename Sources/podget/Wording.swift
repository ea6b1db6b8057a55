import EpisodeStore

/// A count with its noun, such as `1 episode` or `1,200 episodes`.
func counted(_ count: Int, _ noun: String, in environment: Environment) -> String {
    "\(environment.format.number(count)) \(noun)\(count == 1 ? "" : "s")"
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
