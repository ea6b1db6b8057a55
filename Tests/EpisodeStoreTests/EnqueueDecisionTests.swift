import Testing

@testable import EpisodeStore

@Suite struct EnqueueDecisionTests {
    @Test(
        arguments: [
            (.none, .queued, .queued),
            (.queued, .alreadyQueued, .alreadyQueued),
            (.waiting, .alreadyQueued, .alreadyQueued),
            (.active, .alreadyQueued, .alreadyQueued),
            (.paused, .queued, .refused(.paused)),
            (.failed, .queued, .refused(.failed)),
            (.done, .alreadyDone, .alreadyDone),
            (.missing, .queued, .refused(.missing)),
            (.deleted, .queued, .refused(.deleted)),
            (.skipped, .queued, .queued),
        ] as [(DownloadState, EnqueueOutcome, EnqueueOutcome)])
    func `the user may ask for anything, the policy only for what nobody decided against`(
        state: DownloadState, forUser: EnqueueOutcome, forPolicy: EnqueueOutcome
    ) {
        #expect(decideEnqueue(state, origin: .user, isDownloadable: true, mayRecover: false) == forUser)
        #expect(decideEnqueue(state, origin: .policy, isDownloadable: true, mayRecover: false) == forPolicy)
    }

    @Test func `the policy tries again what failed for the moment`() {
        #expect(decideEnqueue(.failed, origin: .policy, isDownloadable: true, mayRecover: true) == .queued)
    }

    @Test func `what has no file cannot be asked for, and what is there stays there`() {
        #expect(
            decideEnqueue(.none, origin: .user, isDownloadable: false, mayRecover: false) == .notDownloadable)
        #expect(decideEnqueue(.done, origin: .user, isDownloadable: false, mayRecover: false) == .alreadyDone)
    }
}
