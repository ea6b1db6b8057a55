internal import FoundationEssentials

/// Orders the queue: the user's own requests first, then the policy's; the newest first, but a serial show in the
/// order of its seasons and episodes, as one block where its newest episode stands.
func inQueueOrder(_ downloads: [QueuedDownload]) -> [QueuedDownload] {
    struct Block: Hashable {
        let origin: DownloadOrigin
        let feed: FeedID
    }
    let serial = Dictionary(grouping: downloads.filter(\.isSerial)) {
        Block(origin: $0.origin, feed: $0.feedID)
    }
    let blockDates = serial.mapValues { block in block.map(\.sortDate).max() }
    func date(_ download: QueuedDownload) -> Double {
        let blockDate = blockDates[Block(origin: download.origin, feed: download.feedID)] ?? nil
        return (download.isSerial ? blockDate ?? download.sortDate : download.sortDate).timeIntervalSince1970
    }
    return downloads.sorted { left, right in
        if left.origin != right.origin { return left.origin == .user }
        if date(left) != date(right) { return date(left) > date(right) }
        if left.feedID != right.feedID { return left.feedID < right.feedID }
        guard left.isSerial else { return left.id > right.id }
        let leftPlace = (left.season ?? 0, left.episode ?? .max, left.sortDate, left.id)
        return leftPlace < (right.season ?? 0, right.episode ?? .max, right.sortDate, right.id)
    }
}
