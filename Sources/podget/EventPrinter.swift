import Aggregator
import Synchronization

/// Prints what happens during a sync: lines for people, or one JSON event a line.
///
/// Called from several tasks at once. A closed output is remembered and thrown by `finish`.
final class EventPrinter: Sendable {
    private let environment: Environment
    private let transfers: RunningTransfers
    private let display: LiveDisplay?
    private let writeError = Mutex<(any Error)?>(nil)

    /// The feeds and downloads that failed, for the summary.
    private let failedFeeds = Mutex<[String]>([])
    private let failed = Mutex<[String]>([])

    init(_ environment: Environment) {
        self.environment = environment
        let transfers = RunningTransfers()
        self.transfers = transfers
        display = LiveDisplay(environment) { (transfers.views, transfers.queuedTotal) }
    }

    func print(_ event: SyncEvent) {
        if case .downloadFailed(let episode, _, _) = event {
            failed.withLock { $0.append("\(episode.feedTitle): \(episode.title)") }
        }
        if case .feedFailed(let feed, _) = event { failedFeeds.withLock { $0.append(feed.title) } }
        transfers.note(event)
        writeError.withLock { writeError in
            do {
                if environment.options.wantsJSON {
                    try printJSON(event)
                } else {
                    try printText(event)
                }
            } catch {
                writeError = writeError ?? error
            }
        }
    }

    /// Says a line that is no event, unless the output is JSON.
    func say(_ line: String) {
        writeError.withLock { writeError in
            do { try environment.say(line) } catch { writeError = writeError ?? error }
        }
    }

    /// Ends without a summary.
    func finish() throws -> ExitCode {
        try display?.end()
        if let error = writeError.withLock({ $0 }) { throw error }
        return Task.isCancelled ? .interrupted : .done
    }

    /// Prints the summary, and gives the exit code that it stands for.
    func finish(_ summary: SyncSummary) throws -> ExitCode {
        _ = try finish()
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(EventRow(summary), isIndented: false))
        } else {
            try environment.say(text(of: summary))
        }
        if summary.interruptedDownloads > 0 || Task.isCancelled { return .interrupted }
        return summary.hasFailures ? .partly : .done
    }

    private func printJSON(_ event: SyncEvent) throws {
        guard let row = EventRow(event) else { return }
        try environment.output.write(jsonText(row, isIndented: false))
    }

    private func printText(_ event: SyncEvent) throws {
        // Words and numbers that nobody reads cost more than a small file.
        if environment.options.isQuiet, case .downloadFinished = event { return }
        guard let line = EventText(environment.format, isVerbose: environment.options.isVerbose).line(event)
        else {
            return
        }
        let write = {
            if line.isProblem {
                self.environment.complain(line.text)
            } else {
                try self.environment.say(line.text)
            }
        }
        if let display { try display.interrupting(write) } else { try write() }
    }

    /// The first names of what failed, in brackets.
    private func inBrackets(_ names: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let more = names.count > 5 ? ["and \(environment.format.number(names.count - 5)) more"] : []
        return " (\((names.prefix(5) + more).joined(separator: "; ")))"
    }

    private func text(of summary: SyncSummary) -> String {
        var parts: [String] = []
        if summary.refreshed + summary.failedFeeds > 0 {
            parts.append("\(counted(summary.refreshed, "feed", in: environment)) refreshed")
            parts.append(counted(summary.newEpisodes, "new episode", in: environment))
        }
        parts.append("\(counted(summary.downloaded, "file", in: environment)) downloaded")
        if summary.deletedFiles > 0 {
            parts.append("\(counted(summary.deletedFiles, "file", in: environment)) deleted")
        }
        if summary.failedFeeds > 0 {
            parts.append(
                "\(counted(summary.failedFeeds, "feed", in: environment)) failed\(inBrackets(failedFeeds.withLock { $0 }))"
            )
        }
        if summary.failedDownloads > 0 {
            let count = counted(summary.failedDownloads, "download", in: environment)
            parts.append("\(count) failed\(inBrackets(failed.withLock { $0 }))")
        }
        if summary.waitingDownloads > 0 {
            parts.append("\(counted(summary.waitingDownloads, "download", in: environment)) waiting")
        }
        if summary.heldDownloads > 0 {
            parts.append(
                "\(environment.format.number(summary.heldDownloads)) held while the connection is metered")
        }
        if summary.pausedDownloads > 0 {
            let count = environment.format.number(summary.pausedDownloads)
            parts.append(
                "\(count) paused ('podget resume' goes on with \(summary.pausedDownloads == 1 ? "it" : "them"))"
            )
        }
        if summary.isDiskFull { parts.append("the disk is full") }
        if summary.isLibraryAbsent { parts.append("the library is not there") }
        if summary.interruptedDownloads > 0 {
            let count = counted(summary.interruptedDownloads, "download", in: environment)
            parts.append(
                "\(count) interrupted; 'podget sync' goes on with \(summary.interruptedDownloads == 1 ? "it" : "them")"
            )
        }
        if summary.queuedDownloads > 0 {
            parts.append("\(environment.format.number(summary.queuedDownloads)) more queued")
        }
        return parts.joined(separator: ", ")
    }
}
