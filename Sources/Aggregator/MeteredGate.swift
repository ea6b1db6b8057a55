import Downloader
import EpisodeStore
import Synchronization

/// Holds automatic downloads back while the connection costs by volume.
///
/// What the user asked for by hand passes, and files of local feeds do.
final class MeteredGate: Sendable {
    static let reason = "for a connection that is not metered"

    /// What the user asked for in this run.
    private let askedFor: Set<EpisodeID>
    private let watched: Watched
    private let watcher: Task<Void, Never>

    private final class Watched: Sendable {
        let isMetered: Mutex<Bool>

        init(_ isMetered: Bool) {
            self.isMetered = Mutex(isMetered)
        }
    }

    /// Asks for the state, and follows its changes as long as the gate lives.
    init(
        _ connection: MeteredConnection = MeteredConnection(), except askedFor: Set<EpisodeID> = []
    ) async {
        self.askedFor = askedFor
        let watched = Watched(await connection.isMetered())
        self.watched = watched
        watcher = Task {
            for await isMetered in connection.states() { watched.isMetered.withLock { $0 = isMetered } }
        }
    }

    deinit {
        watcher.cancel()
    }

    func holds(_ download: QueuedDownload) -> Bool {
        download.origin == .policy && !askedFor.contains(download.id) && !download.url.hasPrefix("file:")
            && watched.isMetered.withLock { $0 }
    }
}
