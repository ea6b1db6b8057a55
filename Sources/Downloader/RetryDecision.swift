/// What a download does after an attempt that failed.
enum RetryDecision: Equatable, Sendable {
    case retry(after: Duration)
    /// The server named the time.
    case retryAsTold(after: Duration)
    /// The host is away: probe it until it answers.
    case waitForNetwork
    case fail(isTemporary: Bool)
}

/// What came before the failure.
struct RetryHistory: Equatable, Sendable {
    /// Failures in a row, this one included, without progress beyond the furthest point ever reached.
    var failureCount = 0
    var requestCount = 0
    /// How long the loop has waited for hosts, this one and others, without any of them coming back.
    var networkWait: Duration = .zero
    /// Whether there is something to go on with, or the host has answered before: reasons to be patient.
    var canWaitForNetwork = false
    /// Whether the host has answered in this run: a reason to be more patient.
    var hasHostAnswered = false
    /// Whether another transfer of this run has waited for the host in vain.
    var isHostGivenUp = false
}

/// Decides whether a failed attempt is repeated, and when.
///
/// - Parameter jitter: A random number from 0 to 1, so that many clients do not come back in the same second.
func decideRetry(
    after error: TransferError, history: RetryHistory, policy: RetryPolicy, jitter: Double
) -> RetryDecision {
    switch kind(of: error) {
    case .permanent:
        return .fail(isTemporary: false)
    case .nextRun:
        return .fail(isTemporary: true)
    case .unreachable:
        if history.isHostGivenUp
            || history.networkWait >= policy.patience(hasAnswered: history.hasHostAnswered)
        {
            return .fail(isTemporary: true)
        }
        let isPatient = history.canWaitForNetwork || history.failureCount < policy.failureLimit
        return isPatient ? .waitForNetwork : .fail(isTemporary: true)
    case .repeatable(let told):
        guard history.failureCount < policy.failureLimit, history.requestCount < policy.requestLimit else {
            return .fail(isTemporary: true)
        }
        if let told {
            return told <= policy.retryAfterLimit ? .retryAsTold(after: told) : .fail(isTemporary: true)
        }
        return .retry(after: backoff(failureCount: history.failureCount, policy: policy, jitter: jitter))
    }
}

/// Decides whether an attempt brought enough to be patient for: a byte per request would hold the queue for ever.
func isProgress(_ byteCount: Int64, of total: Int64?, policy: RetryPolicy) -> Bool {
    if byteCount >= policy.progressByteCount { return true }
    guard byteCount > 0, let total else { return false }
    return byteCount >= total / 100
}

/// Doubles the pause with every failure, up to a limit, and takes up to half of it away by chance.
func backoff(failureCount: Int, policy: RetryPolicy, jitter: Double) -> Duration {
    let doublings = min(max(failureCount - 1, 0), 20)
    let full = min(policy.firstDelay * (1 << doublings), policy.maximumDelay)
    return full * (1 - jitter / 2)
}

private enum ErrorKind {
    case permanent
    /// Not now, and not in a circle: the next run tries again.
    case nextRun
    case unreachable
    case repeatable(retryAfter: Duration?)
}

private func kind(of error: TransferError) -> ErrorKind {
    switch error {
    case .unreachable: .unreachable
    case .connectionLost, .timedOut, .incomplete: .repeatable(retryAfter: nil)
    case .status(let head):
        switch head.status {
        case 408, 425, 429, 500...599: .repeatable(retryAfter: head.retryAfter)
        default: .permanent
        }
    // A login page of a hotel network is gone tomorrow; space and folders are the user's to mend.
    case .notMedia, .noSpace, .file, .loopUnavailable, .cancelled, .keyInUse, .insecure: .nextRun
    case .invalidURL, .refusedProtocol, .tooManyRedirects, .tooLarge, .digestMismatch, .refusedFile,
        .receiver:
        .permanent
    }
}
