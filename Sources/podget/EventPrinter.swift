import Aggregator
import Synchronization

/// Prints what happens during a sync: lines for people, or one JSON event a line.
///
/// Called from several tasks at once. A closed output is remembered and thrown by `finish`.
final class EventPrinter: Sendable {
    private let environment: Environment
    private let state = Mutex(State())

    private struct State {
        var progress = LiveLine()
        var writeError: (any Error)?
    }

    init(_ environment: Environment) {
        self.environment = environment
    }

    func print(_ event: SyncEvent) {
        state.withLock { state in
            do {
                if environment.options.wantsJSON {
                    try printJSON(event)
                } else {
                    try printText(event, &state.progress)
                }
            } catch {
                state.writeError = state.writeError ?? error
            }
        }
    }

    /// Ends without a summary.
    func finish() throws -> ExitCode {
        try state.withLock { state in
            try clear(&state.progress)
            if let error = state.writeError { throw error }
        }
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

    private func printText(_ event: SyncEvent, _ progress: inout LiveLine) throws {
        progress.note(event)
        if case .downloadProgressed = event {
            guard let width = environment.terminalWidth, !environment.options.isQuiet else { return }
            if let line = progress.line(environment.format, width: width, now: .now) {
                try environment.output.write("\r\u{1B}[K" + line)
            }
            return
        }
        guard let line = EventText(environment.format, isVerbose: environment.options.isVerbose).line(event)
        else {
            return
        }
        try clear(&progress)
        if line.isProblem {
            environment.complain(line.text)
        } else {
            try environment.say(line.text)
        }
    }

    private func clear(_ progress: inout LiveLine) throws {
        if progress.isShown {
            progress.isShown = false
            try environment.output.write("\r\u{1B}[K")
        }
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
            parts.append("\(counted(summary.failedFeeds, "feed", in: environment)) failed")
        }
        if summary.failedDownloads > 0 {
            parts.append("\(counted(summary.failedDownloads, "download", in: environment)) failed")
        }
        if summary.waitingDownloads > 0 {
            parts.append("\(counted(summary.waitingDownloads, "download", in: environment)) waiting")
        }
        if summary.heldDownloads > 0 {
            parts.append(
                "\(environment.format.number(summary.heldDownloads)) held while the connection is metered")
        }
        if summary.isDiskFull { parts.append("the disk is full") }
        if summary.interruptedDownloads > 0 {
            let count = counted(summary.interruptedDownloads, "download", in: environment)
            parts.append("\(count) interrupted; 'podget sync' goes on with them")
        }
        return parts.joined(separator: ", ")
    }
}
