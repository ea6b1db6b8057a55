/// How sure it is that a server refused a request because it asked for a range.
enum RangeRefusal: Equatable, Sendable {
    /// The failure has another cause.
    case none
    /// It may have another cause as well: believed when it comes twice in a row.
    case suspected
    /// Nothing else in the request can have caused it.
    case certain
}

/// Decides whether a failed request for a range was refused for the range's sake; a 416 is judged by `decideResume`.
///
/// What may pass by itself or needs another address (401, 404, 408, 429, 5xx but 501) is none: the bytes at hand
/// are worth more than a server's bad hour.
///
/// - Parameter hasAnswer: Whether a response's head had come before the failure.
func judgeRangeRefusal(_ error: TransferError, hasAnswer: Bool) -> RangeRefusal {
    switch error {
    case .status(let head):
        switch head.status {
        // A client error for a request that was accepted without the range; 304 and 412 are answers to
        // conditions that `If-Range` does not set (RFC 9110 §13.1.5); 501 to a field that nobody implements.
        case 304, 400, 406, 412, 417, 501: .certain
        // Mostly an expired token, but some firewalls forbid ranges.
        case 403, 409: .suspected
        default: .none
        }
    case .connectionLost where !hasAnswer: .suspected
    default: .none
    }
}
