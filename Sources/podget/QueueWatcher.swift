import Aggregator
import EpisodeStore
import Synchronization

/// Follows the downloads of another process until its queue is empty, or it has ended.
///
/// It looks twice a second. On a terminal it shows the lines that the other process shows; elsewhere, and above these
/// lines, one for each download that ended.
struct QueueWatcher {
    let aggregator: Aggregator
    let environment: Environment

    /// How often the store is looked at: the other process writes its rows every 1.5 seconds at most.
    private static let interval = Duration.milliseconds(500)

    func watch() async throws -> ExitCode {
        let seen = Mutex<DownloadsStatus>(DownloadsStatus())
        let display = LiveDisplay(environment) {
            let status = seen.withLock { $0 }
            let rest = status.queued + status.waiting
            let sizes = rest.compactMap { download in
                (download.expectedByteCount ?? download.claimedLength).map { max(0, $0 - download.byteCount) }
            }
            return (
                status.active.map(TransferView.init),
                QueuedTotal(
                    count: rest.count, byteCount: byteSum(sizes), isKnown: sizes.count == rest.count)
            )
        }
        let text = EventText(environment.format, isVerbose: environment.options.isVerbose)
        var running: Set<EpisodeID> = []
        var hasBegun = false
        while true {
            let sight = try await aggregator.lookAtQueue()
            seen.withLock { $0 = sight.status }
            let active = Set(sight.status.active.map(\.id))
            for id in running.subtracting(active).sorted() {
                guard let event = try await aggregator.ending(of: id), let line = text.line(event) else {
                    continue
                }
                let write = {
                    line.isProblem ? environment.complain(line.text) : try environment.say(line.text)
                }
                if let display { try display.interrupting(write) } else { try write() }
            }
            if running.isEmpty, display == nil, sight.isMoving, !hasBegun {
                // Without a display nothing would be seen before the first one ends.
                let queued = sight.status.queued.count + sight.status.waiting.count
                try environment.say(
                    "\(counted(active.count, "download", in: environment)) running, \(environment.format.number(queued)) queued"
                )
                hasBegun = true
            }
            if environment.options.isVerbose, display == nil {
                for download in sight.status.active where !running.contains(download.id) {
                    try environment.say("Downloading \(download.feedTitle): \(download.title)")
                }
            }
            running = active
            guard sight.isMoving else { break }
            try await Task.sleep(for: Self.interval)
        }
        try display?.end()
        try environment.say("Nothing is downloading now\(rest(seen.withLock { $0 }))")
        return .done
    }

    /// What is left of the queue, and what goes on with it.
    private func rest(_ status: DownloadsStatus) -> String {
        let parts = [
            (status.queued.count + status.waiting.count, "waiting ('podget sync' goes on)"),
            (status.paused.count, "paused ('podget resume' goes on)"),
            (status.failed.count, "failed ('podget retry' tries again)"),
        ]
        return parts.filter { $0.0 > 0 }.map { "; \(environment.format.number($0.0)) \($0.1)" }.joined()
    }

    /// Prints the queue as one JSON object a line, whenever it has changed.
    func follow() async throws -> ExitCode {
        var last = ""
        while true {
            let sight = try await aggregator.lookAtQueue()
            let line = try jsonText(StatusRow(sight.status), isIndented: false)
            if line != last { try environment.output.write(line) }
            last = line
            guard sight.isMoving else { return .done }
            try await Task.sleep(for: Self.interval)
        }
    }
}

extension TransferView {
    init(_ download: QueuedDownload) {
        let row = StatusRow.Item(download)
        self.init(
            feedTitle: download.feedTitle, title: download.title, bytes: row.bytes,
            expectedBytes: row.expectedBytes, expectedIsExact: row.expectedIsExact, rate: row.rate,
            secondsLeft: row.secondsLeft)
    }
}
