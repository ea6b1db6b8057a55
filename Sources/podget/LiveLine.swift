import Aggregator

/// The one line that shows the running downloads on a terminal, redrawn at most ten times a second.
struct LiveLine {
    var isShown = false
    private var running: [EpisodeReference: DownloadProgress] = [:]
    private var lastDrawn: ContinuousClock.Instant?

    mutating func note(_ event: SyncEvent) {
        switch event {
        case .downloadProgressed(let episode, let progress): running[episode] = progress
        case .downloadFinished(let episode, _), .downloadFailed(let episode, _, _),
            .downloadPostponed(let episode, _), .downloadHeld(let episode, _),
            .downloadInterrupted(let episode, _):
            running[episode] = nil
        default: break
        }
    }

    /// The line to draw now, or nil if it was drawn a moment ago.
    mutating func line(_ format: HumanFormat, width: Int, now: ContinuousClock.Instant) -> String? {
        if let lastDrawn, lastDrawn.duration(to: now) < .milliseconds(100) { return nil }
        lastDrawn = now
        isShown = true
        let rate = running.values.compactMap(\.bytesPerSecond).reduce(0, +)
        let left = running.values.compactMap(\.secondsLeft).max()
        let names = running.keys.map(\.title).sorted().joined(separator: ", ")
        let written = running.values.reduce(0) { $0 + $1.byteCount }
        let expected = running.values.compactMap(\.expectedByteCount).reduce(0, +)
        var parts = [format.bytes(written) + (expected > 0 ? " / " + format.bytes(expected) : "")]
        if rate > 0 { parts.append(format.rate(bytesPerSecond: rate)) }
        if let left { parts.append(left < 5 ? "almost done" : format.duration(seconds: left) + " left") }
        return truncated(parts.joined(separator: " · ") + "  " + terminalText(names), toColumns: width - 1)
    }
}
