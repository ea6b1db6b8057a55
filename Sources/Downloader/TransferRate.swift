/// The smoothed speed of one transfer and the time left.
///
/// A value with the clock passed in. Raw differences jump several-fold from one to the next, so old measurements
/// fade with a half-life of a few seconds.
public struct TransferRate: Sendable, Equatable {
    private var smoothed: Double?
    private var lastByteCount: Int64 = 0
    private var lastInstant: ContinuousClock.Instant?

    private static let halfLife = 3.0
    /// Shorter intervals measure the network's buffers, not the network.
    private static let shortestInterval: Duration = .milliseconds(100)

    public init() {}

    /// Notes how many bytes have arrived by an instant.
    ///
    /// - Parameter byteCount: Counted from any start, as long as it stays the same; a smaller number than before
    ///   begins anew.
    public mutating func record(byteCount: Int64, at instant: ContinuousClock.Instant) {
        guard let last = lastInstant, byteCount >= lastByteCount else {
            resume(byteCount: byteCount, at: instant)
            return
        }
        let interval = instant - last
        guard interval >= Self.shortestInterval else { return }
        let seconds = interval / .seconds(1)
        let measured = Double(byteCount - lastByteCount) / seconds
        let keep = smoothed == nil ? 0 : exponentialDecay(seconds: seconds)
        smoothed = (smoothed ?? 0) * keep + measured * (1 - keep)
        lastByteCount = byteCount
        lastInstant = instant
    }

    /// Starts measuring again after a pause; the speed of before is kept until there is a new one.
    public mutating func resume(byteCount: Int64, at instant: ContinuousClock.Instant) {
        lastByteCount = byteCount
        lastInstant = instant
    }

    /// Nil until something has been measured.
    public var bytesPerSecond: Double? { smoothed }

    /// How long the missing bytes take at this speed; nil without a speed or a known size.
    public func timeLeft(byteCount: Int64, expected: ExpectedSize) -> TimeLeft? {
        guard let total = expected.byteCount, total > byteCount, let smoothed, smoothed >= 1 else {
            return nil
        }
        let seconds = Double(total - byteCount) / smoothed
        guard seconds < 100 * 3600 else { return nil }
        return seconds < 5 ? .almostDone : .duration(.seconds(Int64(seconds.rounded(.up))))
    }

    private func exponentialDecay(seconds: Double) -> Double {
        // 2^(-t/h) by halving: exact enough for a display, and without a mathematics library.
        var keep = 1.0
        var rest = seconds / Self.halfLife
        while rest >= 1 && keep > 0.001 {
            keep /= 2
            rest -= 1
        }
        return keep * (1 - min(rest, 1) / 2)
    }
}

/// The time a transfer still takes.
public enum TimeLeft: Sendable, Equatable {
    /// Less than five seconds.
    case almostDone
    case duration(Duration)
}
