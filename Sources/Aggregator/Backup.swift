import EpisodeStore

extension Aggregator {
    /// The daily copies of the library, of which the last three are kept.
    var backups: Backups { Backups(folder: places.backups) }

    /// Makes the copy of the day where there is none; that it fails is told and stops nothing.
    func backUp(report: SyncReport) async {
        guard !Task.isCancelled else { return }
        do throws(StoreError) {
            try await backups.makeDaily(of: library, now: now())
        } catch {
            report(.note("the daily backup was not made: \(error.description)"))
        }
    }
}
