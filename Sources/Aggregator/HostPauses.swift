import Downloader
import EpisodeStore
import FoundationEssentials

/// The hosts that asked an earlier run for a pause, each with its end.
///
/// They hold back what the rules want of the same host, too; what the user asks for by hand goes there all the same.
struct HostPauses {
    private let ends: [String: Date]
    private let askedFor: Set<EpisodeID>

    /// - Parameters:
    ///   - queue: What is queued or waits.
    ///   - askedFor: What the user asked for by hand, whoever wanted it at first.
    init(_ queue: [QueuedDownload], askedFor: Set<EpisodeID> = [], now: Date) {
        self.askedFor = askedFor
        let paused = queue.filter { download in
            download.state == .waiting && download.reason == WaitReason.retryAfter.words(host: download.host)
        }
        ends = Dictionary(
            paused.compactMap { download in
                download.notBefore.flatMap { $0 > now ? (download.host, $0) : nil }
            }, uniquingKeysWith: max)
    }

    /// When the pause ends that holds a download back; nil where none does.
    func end(for download: QueuedDownload) -> Date? {
        download.origin == .user || askedFor.contains(download.id) ? nil : ends[download.host]
    }
}

/// Until when no sync takes a download up, and why.
struct Hold: Equatable {
    let until: Date
    let reason: String
}

extension QueuedDownload {
    /// What holds the download back: its own time to wait, else the pause that its host asked for.
    func hold(_ pauses: HostPauses, now: Date) -> Hold? {
        guard let until = notBefore ?? pauses.end(for: self), until > now else { return nil }
        let ownReason = notBefore == nil ? nil : reason
        return Hold(until: until, reason: ownReason ?? WaitReason.retryAfter.words(host: host))
    }
}
