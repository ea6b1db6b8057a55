import Aggregator
import EpisodeStore

/// Tells one event in one line, or not at all where it is of no interest.
struct EventText {
    struct Line {
        let text: String
        var isProblem = false
    }

    private let format: HumanFormat
    private let isVerbose: Bool

    init(_ format: HumanFormat, isVerbose: Bool) {
        self.format = format
        self.isVerbose = isVerbose
    }

    func line(_ event: SyncEvent) -> Line? {
        switch event {
        case .feedRefreshed(let feed, let new, _):
            guard new > 0 || isVerbose else { return nil }
            return Line(text: "\(feed.title): \(format.number(new)) new")
        case .feedFailed(let feed, let message):
            return Line(text: "\(feed.title): \(message)", isProblem: true)
        case .downloadStarted(let episode, let resumedFrom, let restartReason):
            if let restartReason {
                return Line(text: "Starting over: \(name(episode)): \(restartReason)")
            }
            if resumedFrom > 0 {
                return Line(text: "Resuming at \(format.bytes(resumedFrom)): \(name(episode))")
            }
            return isVerbose ? Line(text: "Downloading \(name(episode))") : nil
        case .downloadWaits(let episode, let reason, let seconds, let forHost):
            let pause = format.duration(seconds: seconds)
            guard forHost else { return Line(text: "Waiting \(pause): \(name(episode)): \(reason)") }
            return Line(
                text:
                    "Waiting: \(name(episode)): \(reason); it goes on as soon as the host answers, and is left to a later "
                    + "sync after \(pause)")
        case .downloadPostponed(let episode, let reason, let until):
            let then = until.map { "a sync after \(format.moment($0)) goes on with it" }
            return Line(
                text: "Waiting: \(name(episode)): \(reason); \(then ?? "a later sync goes on with it")",
                isProblem: true)
        case .downloadHeld(let episode, let reason):
            return Line(text: "Waiting: \(name(episode)): \(reason)")
        case .downloadFinished(let episode, let file):
            let doubt = file.isVerified ? "" : ", size not known beforehand"
            let exemption = file.exemption.map { "; \($0)" } ?? ""
            return Line(
                text: "Downloaded \(name(episode)) (\(format.bytes(file.byteCount))\(doubt))\(exemption)")
        case .downloadFailed(let episode, let message, let canResume):
            let rest =
                canResume ? "; what arrived is kept, and 'podget retry \(episode.id)' resumes there" : ""
            return Line(text: "\(name(episode)): \(message)\(rest)", isProblem: true)
        case .downloadInterrupted(let episode, let canResume):
            return Line(
                text: "Interrupted: \(name(episode)): \(nextTimeWords(canResume: canResume)) next time")
        case .fileDeleted(let episode, _, let byteCount, let reason):
            return Line(text: "Deleted \(name(episode)) (\(format.bytes(byteCount))): \(reason)")
        case .downloadStopped(_, .queued):
            // Paused and resumed at once: it goes on, and says so.
            return nil
        case .downloadStopped(let episode, let state):
            return Line(text: "\(state == .paused ? "Paused" : "Cancelled"): \(name(episode))")
        case .fileMissing(let episode, let path):
            return Line(
                text:
                    "\(name(episode)): the file is gone (\(path)); 'podget download \(episode.id)' fetches it again"
            )
        case .playlistWritten(let path, _):
            return isVerbose ? Line(text: "Wrote \(path)") : nil
        case .queueHeldElsewhere:
            return Line(text: "Another podget is downloading; following it")
        case .queueLeftElsewhere:
            return Line(
                text: "The other podget goes on: 'podget status --watch' follows it, 'podget pause' stops it")
        case .note(let text):
            return Line(text: text, isProblem: true)
        case .remark(let text):
            return Line(text: text)
        case .downloadProgressed, .queueRead:
            return nil
        }
    }

    private func name(_ episode: EpisodeReference) -> String {
        "\(episode.feedTitle): \(episode.title)"
    }
}
