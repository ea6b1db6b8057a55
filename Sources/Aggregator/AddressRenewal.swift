import Downloader
import EpisodeStore

/// Finds the present address of an episode whose known one was refused: a token in it may have expired.
///
/// Each feed is asked once in a run, however many of its episodes are refused.
actor AddressRenewal {
    private let aggregator: Aggregator
    private let loop: TransferLoop
    private var refreshes: [FeedID: Task<Void, Never>] = [:]

    init(_ aggregator: Aggregator, _ loop: TransferLoop) {
        self.aggregator = aggregator
        self.loop = loop
    }

    /// The address that the feed gives now, if it is another one.
    func newAddress(of download: QueuedDownload) async throws(StoreError) -> String? {
        await refresh(download.feedID).value
        let address = try await aggregator.library.episode(download.id)?.enclosureURL
        return address == download.url ? nil : address
    }

    private func refresh(_ id: FeedID) -> Task<Void, Never> {
        if let refresh = refreshes[id] { return refresh }
        let refresh = Task { [aggregator, loop] in
            // A feed that cannot be refreshed has no new address to offer; the refusal is what is told.
            guard let feed = try? await aggregator.library.feed(id) else { return }
            _ = try? await aggregator.refresh([feed], loop: loop) { _ in }
        }
        refreshes[id] = refresh
        return refresh
    }
}
