import FoundationEssentials
import Testing

@testable import EpisodeStore

@Suite struct QueueOrderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let queue: [QueuedDownload]
        let order: [EpisodeID]
    }

    @Test(arguments: [
        Case(
            testDescription: "the newest first",
            queue: [queued(1, day: 1), queued(3, day: 3), queued(2, day: 2)],
            order: [3, 2, 1]),
        Case(
            testDescription: "the user's own before the policy's",
            queue: [queued(1, day: 9), queued(2, day: 1, origin: .user)], order: [2, 1]),
        Case(
            testDescription: "a serial show from its beginning",
            queue: [
                queued(1, day: 1, serial: (2, 1)), queued(2, day: 2, serial: (1, 2)),
                queued(3, day: 3, serial: (1, 1)),
            ], order: [3, 2, 1]),
        Case(
            testDescription: "a serial show as one block where its newest stands",
            queue: [
                queued(1, feed: 1, day: 1, serial: (1, 1)), queued(2, feed: 1, day: 5, serial: (1, 2)),
                queued(3, feed: 2, day: 9), queued(4, feed: 2, day: 3),
            ], order: [3, 1, 2, 4]),
        Case(
            testDescription: "a serial show without numbers by date",
            queue: [queued(1, day: 2, serial: (nil, nil)), queued(2, day: 1, serial: (nil, nil))],
            order: [2, 1]),
        Case(
            testDescription: "equal dates: the one seen later first",
            queue: [queued(1, day: 1), queued(2, day: 1)],
            order: [2, 1]),
    ])
    func `the queue is ordered by who asks, then by what is listened to first`(_ test: Case) {
        #expect(inQueueOrder(test.queue).map(\.id) == test.order)
        #expect(inQueueOrder(test.queue.reversed()).map(\.id) == test.order)
    }
}

private func queued(
    _ id: EpisodeID, feed: FeedID = 1, day number: Double, origin: DownloadOrigin = .policy,
    serial: (season: Int?, episode: Int?)? = nil
) -> QueuedDownload {
    QueuedDownload(
        id: id, feedID: feed, feedTitle: "", feedURL: "", title: "", url: "", type: nil, claimedLength: nil,
        state: .queued, origin: origin, notBefore: nil, reason: nil, byteCount: 0, expectedByteCount: nil,
        isExpectedExact: false, hasResumeData: false, attemptCount: 0, folder: nil, fileStem: nil,
        published: day(number), sortDate: day(number), season: serial?.season, episode: serial?.episode,
        duration: nil, isSerial: serial != nil, quality: nil, owner: nil, rate: nil)
}
