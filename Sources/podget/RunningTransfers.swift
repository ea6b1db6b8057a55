import Aggregator
import Synchronization

/// The transfers that run now, as the events of a sync tell of them.
final class RunningTransfers: Sendable {
    private let transfers = Mutex<[EpisodeReference: TransferView]>([:])

    /// What is to come, by the episode's number: how much, where that is known.
    private let queued = Mutex<[Int64: Int64?]>([:])

    var queuedTotal: QueuedTotal {
        queued.withLock { queued in
            let sizes = queued.values.compactMap(\.self)
            return QueuedTotal(
                count: queued.count, byteCount: byteSum(sizes), isKnown: sizes.count == queued.count)
        }
    }

    /// In the order of their titles, so that no line jumps.
    var views: [TransferView] {
        transfers.withLock {
            $0.sorted { ($0.key.title, $0.key.id) < ($1.key.title, $1.key.id) }.map(\.value)
        }
    }

    func note(_ event: SyncEvent) {
        switch event {
        case .queueRead(let sizes):
            queued.withLock { queued in
                queued = Dictionary(sizes.map { ($0.id, $0.byteCount) }, uniquingKeysWith: { $1 })
            }
        case .downloadStarted(let episode, let resumedFrom, _):
            queued.withLock { $0[episode.id] = nil }
            change(episode) { $0 = view(episode, bytes: resumedFrom) }
        case .downloadProgressed(let episode, let progress):
            change(episode) { view in
                view.bytes = progress.byteCount
                view.expectedBytes = progress.expectedByteCount
                view.expectedIsExact = progress.expectedIsExact
                view.rate = progress.bytesPerSecond
                view.secondsLeft = progress.secondsLeft
                view.waits = nil
                view.waitEnd = nil
            }
        case .downloadWaits(let episode, let reason, let seconds, let forHost):
            change(episode) { view in
                view.waits = reason
                view.waitEnd = forHost ? .now + .seconds(seconds) : nil
                (view.rate, view.secondsLeft) = (nil, nil)
            }
        default:
            if let episode = event.endedDownload {
                queued.withLock { $0[episode.id] = nil }
                transfers.withLock { $0[episode] = nil }
            }
        }
    }

    private func view(_ episode: EpisodeReference, bytes: Int64) -> TransferView {
        TransferView(feedTitle: episode.feedTitle, title: episode.title, bytes: bytes)
    }

    private func change(_ episode: EpisodeReference, _ body: (inout TransferView) -> Void) {
        transfers.withLock { body(&$0[episode, default: view(episode, bytes: 0)]) }
    }
}

extension SyncEvent {
    /// The download that this event ends.
    fileprivate var endedDownload: EpisodeReference? {
        switch self {
        case .downloadFinished(let episode, _), .downloadFailed(let episode, _, _),
            .downloadInterrupted(let episode, _), .downloadStopped(let episode, _),
            .downloadPostponed(let episode, _, _), .downloadHeld(let episode, _):
            episode
        default: nil
        }
    }
}
