import EpisodeStore
import FoundationEssentials
import Testing

@testable import Aggregator

@Suite struct RefreshScheduleTests {
    /// Sunday, 1 November 2026, 10:30 GMT.
    private static let now = Date(timeIntervalSince1970: 1_793_529_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var hints = FeedSchedule()
        var outcome = CheckOutcome.answered
        /// Hours from now, without what the feed's number adds.
        let hours: Double
        let reason: String

        init(
            _ name: String, _ hints: FeedSchedule = FeedSchedule(), _ outcome: CheckOutcome = .answered,
            hours: Double, _ reason: String
        ) {
            (self.name, self.hints, self.outcome, self.hours, self.reason) =
                (name, hints, outcome, hours, reason)
        }

        var testDescription: String { name }
    }

    private static func rhythm(days: Double, lastDaysAgo: Double = 0) -> FeedSchedule {
        var hints = FeedSchedule()
        hints.publicationGap = .seconds(days * 86_400)
        hints.lastPublished = now.addingTimeInterval(-lastDaysAgo * 86_400)
        return hints
    }

    private static func rule(_ text: String) -> FeedSchedule {
        var hints = FeedSchedule()
        hints.updateRule = text
        return hints
    }

    @Test(arguments: [
        Case("nothing known", hours: 3, "its rhythm is not known yet"),
        Case("hourly news", rhythm(days: 1.0 / 24), hours: 0.5, "an episode comes about every 60 minutes"),
        Case("a daily show", rhythm(days: 1), hours: 3, "an episode comes about every 24 hours"),
        Case("a weekly show", rhythm(days: 7), hours: 21, "an episode comes about every 7 days"),
        Case("a monthly show", rhythm(days: 30), hours: 24, "an episode comes about every 30 days"),
        Case(
            "a daily show on holiday", rhythm(days: 1, lastDaysAgo: 4), hours: 12, "no episode for 4 days"),
        Case(
            "a show that ended", rhythm(days: 1, lastDaysAgo: 900), hours: 24, "no episode for 900 days"),
        Case(
            "the dates win over the rule", FeedSchedule(updateFrequency: "FREQ=YEARLY"), hours: 24,
            "an episode comes about every 365 days"),
        Case("a weekly rule", rule("FREQ=WEEKLY;BYDAY=MO"), hours: 21, "an episode comes about every 7 days"),
        Case(
            "every second day", rule("FREQ=DAILY;INTERVAL=2"), hours: 6, "an episode comes about every 2 days"
        ),
        Case("a rule of nonsense", rule("FREQ=SECONDLY"), hours: 3, "its rhythm is not known yet"),
        Case(
            "a word", FeedSchedule(updateFrequency: "Daily"), hours: 3,
            "an episode comes about every 24 hours"),
        Case("ttl", FeedSchedule(ttl: .seconds(6 * 3600)), hours: 6, "the feed asks for a pause of 6 hours"),
        Case("a short ttl", FeedSchedule(ttl: .seconds(60)), hours: 3, "its rhythm is not known yet"),
        Case(
            "a ttl of a year", FeedSchedule(ttl: .seconds(365 * 86_400)), hours: 24,
            "the feed asks for a pause of 24 hours"),
        Case(
            "max-age", FeedSchedule(ttl: .seconds(4 * 3600), maxAge: .seconds(5 * 3600)), hours: 5,
            "its server asks for a pause of 5 hours"),
        Case(
            "sy:updatePeriod", FeedSchedule(updatePeriod: .seconds(12 * 3600)), hours: 12,
            "the feed asks for a pause of 12 hours"),
        Case("first failure", FeedSchedule(), .failed(count: 1), hours: 1, "it failed"),
        Case("third failure", FeedSchedule(), .failed(count: 3), hours: 4, "it failed 3 times in a row"),
        Case(
            "failure without end", FeedSchedule(), .failed(count: 5000), hours: 24,
            "it failed 5000 times in a row"),
        Case(
            "Retry-After", FeedSchedule(), .failed(count: 1, retryAfter: .seconds(7200)), hours: 2,
            "the server asks for a pause of 2 hours"),
        Case(
            "a short Retry-After", FeedSchedule(), .failed(count: 1, retryAfter: .seconds(7)), hours: 1,
            "it failed"),
        Case(
            "Retry-After of a year", FeedSchedule(), .failed(count: 1, retryAfter: .seconds(365 * 86_400)),
            hours: 7 * 24, "the server asks for a pause of 7 days"),
    ])
    func `the next check follows the feed's rhythm and its server's wishes`(_ test: Case) {
        // Feed 0 has nothing added.
        let next = scheduleNextCheck(
            of: FeedID(rawValue: 0), hints: test.hints, after: test.outcome, now: Self.now)
        #expect(next.date == Self.now.addingTimeInterval(test.hours * 3600))
        #expect(next.reason == test.reason)
    }

    @Test(
        arguments: [
            // It is 10:30 on a Sunday; without a skip the next check is at 13:30.
            ([13], [], 14.0), ([13, 14, 15], [], 16.0), ([12], [], 13.5), ([], ["Monday"], 13.5),
            ([], ["Sunday"], 24.0), ([0, 1], ["sunday"], 26.0), (Array(0..<24), [], 13.5),
            ([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23], ["Monday", "Tuesday"], 72.0),
        ] as [([Int], [String], Double)])
    func `hours and days to skip are skipped`(_ hours: [Int], _ days: [String], _ expected: Double) {
        let hints = FeedSchedule(skipHours: hours, skipDays: days)
        let next = scheduleNextCheck(
            of: FeedID(rawValue: 0), hints: hints, after: .answered, now: Self.now)
        #expect(next.date == Self.now.addingTimeInterval((expected - 10.5) * 3600))
    }

    @Test func `each feed adds its own share, up to an eighth, and always the same`() {
        let dates = (0..<100).map { number in
            scheduleNextCheck(
                of: FeedID(rawValue: number), hints: FeedSchedule(), after: .answered, now: Self.now
            ).date
        }
        let again = scheduleNextCheck(
            of: FeedID(rawValue: 99), hints: FeedSchedule(), after: .answered, now: Self.now)
        #expect(dates.last == again.date)
        #expect(Set(dates).count == 100)
        let latest = Self.now.addingTimeInterval(3 * 3600 * 1.125)
        #expect(
            dates.allSatisfy { $0.map { $0 >= Self.now.addingTimeInterval(3 * 3600) && $0 < latest } == true }
        )
    }

    @Test func `a feed that is gone has no next check`() {
        let next = scheduleNextCheck(
            of: FeedID(rawValue: 1), hints: FeedSchedule(), after: .gone, now: Self.now)
        #expect(next.date == nil)
    }

    @Test(
        arguments: [
            (nil, false, true), (-1, false, true), (0, false, true), (60, false, false), (nil, true, false),
            (-1, true, false), (7 * 86_400, false, false), (60 * 86_400, false, true),
        ] as [(Double?, Bool, Bool)])
    func `a feed is due at its time, unless it is gone or the clock was wrong`(
        _ seconds: Double?, _ isGone: Bool, _ expected: Bool
    ) {
        let next = seconds.map { Self.now.addingTimeInterval($0) }
        #expect(isDue(next, isGone: isGone, now: Self.now) == expected)
    }

    @Test(
        arguments: [
            ([], nil), ([0, 1], nil), ([0, 1, 2], 1.0), ([0, 7, 14, 21, 100], 7.0), ([0, 0, 0, 0], nil),
            ([-5, 0, 1, 2], 1.0), (Array(stride(from: 0.0, to: 11, by: 1)) + [400, 800, 1200], 1.0),
        ] as [([Double], Double?)])
    func `the rhythm is the median of the latest gaps`(_ daysAgo: [Double], _ expected: Double?) {
        let dates = daysAgo.map { Self.now.addingTimeInterval(-$0 * 86_400) }
        #expect(publicationGap(dates.shuffled(), now: Self.now) == expected.map { .seconds($0 * 86_400) })
    }
}
