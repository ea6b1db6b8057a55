/// Decides what a request to download comes to.
///
/// The user may ask for anything. The policy never undoes what the user did (deleted, paused, removed by hand), and
/// asks again for a failed download only if the failure was temporary: a 404 is not tried in a circle.
func decideEnqueue(
    _ state: DownloadState, origin: DownloadOrigin, isDownloadable: Bool, mayRecover: Bool
) -> EnqueueOutcome {
    switch (state, origin) {
    case (.done, _): .alreadyDone
    case (.queued, _), (.waiting, _), (.active, _): .alreadyQueued
    case _ where !isDownloadable: .notDownloadable
    case (_, .user), (.none, .policy), (.skipped, .policy): .queued
    case (.failed, .policy): mayRecover ? .queued : .refused(.failed)
    case (.paused, .policy), (.missing, .policy), (.deleted, .policy): .refused(state)
    }
}
