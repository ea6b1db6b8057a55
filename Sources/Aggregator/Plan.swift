import EpisodeStore

/// Chooses the episodes of one feed that the policy wants downloaded: the newest `latest` that are files.
///
/// `episodes` come newest first. A deleted or missing one keeps its place in the count, so that removing the newest
/// does not fetch an older one instead. Suspected duplicates and episodes that left the feed are not wanted.
func planDownloads(of episodes: [EpisodeRecord], latest: Int) -> [EpisodeRecord] {
    Array(episodes.filter { $0.isDownloadable && $0.isListed && !$0.isSuspectedDuplicate }.prefix(latest))
}
