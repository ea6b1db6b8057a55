import EpisodeStore
import FoundationEssentials

/// How the check ended after which the next one is planned.
enum CheckOutcome: Equatable, Sendable {
    case answered

    /// `count` failures in a row, this one included; `retryAfter` is what the server asked for.
    case failed(count: Int, retryAfter: Duration? = nil)

    /// 410: nobody asks again until the user does.
    case gone
}

/// Decides when the scheduled sync asks a feed again.
///
/// A feed that answers is asked after an eighth of the time that usually lies between its episodes, at least every
/// day and at most every half hour, and never earlier than its server wishes: `Cache-Control: max-age` or `Expires`
/// (RFC 9111 §4.2.1), `ttl`, `skipHours` and `skipDays` (RSS 2.0), `sy:updatePeriod` (RSS 1.0 syndication module).
/// Such a wish counts up to a day. After failures the pause doubles, from an hour up to a day; `Retry-After`
/// (RFC 9110 §10.2.3) counts up to a week.
///
/// - Parameter feed: The feed's number. What is added to the pause follows from it, so that many feeds do not fall
///   due in one second and a test finds the same time each time.
func scheduleNextCheck(
    of feed: FeedID, hints: FeedSchedule, after outcome: CheckOutcome, now: Date
) -> NextCheck {
    let pause: (length: Duration, reason: String)
    switch outcome {
    case .gone:
        return NextCheck(date: nil, reason: "the server says that the feed is gone for good")
    case .failed(let count, let retryAfter):
        pause = pauseAfterFailure(count, retryAfter: retryAfter)
    case .answered:
        pause = pauseAfterAnswer(hints, now: now)
    }
    let spread = min(pause.length / 8, .seconds(3600)) * fraction(of: feed)
    let date = now.addingTimeInterval((pause.length + spread) / .seconds(1))
    let allowed = firstAllowedTime(from: date, hints)
    return NextCheck(
        date: allowed,
        reason: allowed == date ? pause.reason : pause.reason + "; the feed names hours or days to spare")
}

/// Whether the scheduled sync asks a feed now.
///
/// A date farther away than any pause comes from a clock that was wrong.
func isDue(_ nextCheck: Date?, isGone: Bool, now: Date) -> Bool {
    guard !isGone else { return false }
    guard let nextCheck else { return true }
    return nextCheck <= now || nextCheck.timeIntervalSince(now) > longestPause / .seconds(1)
}

/// Whether a feed is asked without conditions, so that whatever went wrong with them heals.
func isFullFetchDue(last: Date?, now: Date) -> Bool {
    last.map { abs(now.timeIntervalSince($0)) > day * 14 / .seconds(1) } ?? true
}

/// The usual time between two episodes: the median of the latest gaps; nil for fewer than three dates.
///
/// Only the eleven latest dates count, for a show may change its rhythm, and none in the future.
func publicationGap(_ dates: [Date], now: Date) -> Duration? {
    let latest = dates.filter { $0 <= now }.sorted(by: >).prefix(11)
    let gaps = zip(latest, latest.dropFirst()).map { $0.timeIntervalSince($1) }.filter { $0 > 0 }.sorted()
    guard gaps.count >= 2 else { return nil }
    return .seconds(Int64(gaps[gaps.count / 2]))
}

private let hour: Duration = .seconds(3600)
private let day = hour * 24
/// A week of `Retry-After`, the hour that is spread, and a week of skipped hours.
private let longestPause = day * 15

private func pauseAfterFailure(_ count: Int, retryAfter: Duration?) -> (Duration, String) {
    let backoff = min(hour * (1 << min(max(count - 1, 0), 10)), day)
    if let retryAfter, retryAfter > backoff {
        let pause = min(retryAfter, day * 7)
        return (pause, "the server asks for a pause of \(words(pause))")
    }
    return (backoff, count <= 1 ? "it failed" : "it failed \(count) times in a row")
}

private func pauseAfterAnswer(_ hints: FeedSchedule, now: Date) -> (Duration, String) {
    var pause = hour * 3
    var reason = "its rhythm is not known yet"
    if let gap = hints.publicationGap ?? recurrence(hints.updateRule ?? hints.updateFrequency) {
        // A show that has gone silent is asked ever more seldom.
        let silence = hints.lastPublished.map { Duration.seconds(Int64(now.timeIntervalSince($0))) } ?? .zero
        let isSilent = silence > gap * 2
        pause = min(max((isSilent ? silence : gap) / 8, hour / 2), day)
        reason =
            isSilent
            ? "no episode for \(words(silence))" : "an episode comes about every \(words(gap))"
    }
    let wishes = [
        (hints.maxAge, "its server"), (hints.ttl, "the feed"), (hints.updatePeriod, "the feed"),
    ]
    for case (let wish?, let who) in wishes where min(wish, day) > pause {
        pause = min(wish, day)
        reason = "\(who) asks for a pause of \(words(pause))"
    }
    return (pause, reason)
}

/// The time between two episodes by a recurrence rule (RFC 5545 §3.3.10, as in `podcast:updateFrequency`) or a word.
private func recurrence(_ text: String?) -> Duration? {
    guard let text = text?.uppercased() else { return nil }
    let frequencies: [(String, Duration)] = [
        ("HOURLY", hour), ("DAILY", day), ("BIWEEKLY", day * 14), ("WEEKLY", day * 7), ("MONTHLY", day * 30),
        ("YEARLY", day * 365),
    ]
    let parts = text.split(separator: ";")
    let word = parts.first { $0.hasPrefix("FREQ=") }?.dropFirst("FREQ=".count) ?? text[...]
    guard let frequency = frequencies.first(where: { $0.0 == word })?.1 else { return nil }
    let interval = parts.first { $0.hasPrefix("INTERVAL=") }.flatMap { Int($0.dropFirst("INTERVAL=".count)) }
    return frequency * min(max(interval ?? 1, 1), 100)
}

/// The first time that `skipHours` and `skipDays` allow; both are in GMT.
private func firstAllowedTime(from date: Date, _ hints: FeedSchedule) -> Date {
    guard !hints.skipHours.isEmpty || !hints.skipDays.isEmpty else { return date }
    let days = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
    let skippedDays = Set(hints.skipDays.map { $0.lowercased() })
    let first = Int(date.timeIntervalSince1970.rounded(.up))
    for step in 0..<(7 * 24) {
        let seconds = step == 0 ? first : (first / 3600 + step) * 3600
        let isSkipped =
            hints.skipHours.contains(seconds / 3600 % 24) || skippedDays.contains(days[seconds / 86_400 % 7])
        if !isSkipped { return step == 0 ? date : Date(timeIntervalSince1970: Double(seconds)) }
    }
    // A feed that skips every hour means something else.
    return date
}

/// A number from 0 up to 1 that is always the same for a feed, and another for its neighbours.
private func fraction(of feed: FeedID) -> Double {
    let mixed = UInt64(bitPattern: feed.rawValue) &* 0x9E37_79B9_7F4A_7C15
    return Double(mixed >> 11) / Double(1 << 53)
}

/// A duration in one unit, the largest of which there are at least two.
private func words(_ duration: Duration) -> String {
    let minutes = max(1, duration.components.seconds / 60)
    if minutes >= 2 * 1440 { return "\(minutes / 1440) days" }
    if minutes >= 120 { return "\(minutes / 60) hours" }
    return minutes == 1 ? "1 minute" : "\(minutes) minutes"
}
