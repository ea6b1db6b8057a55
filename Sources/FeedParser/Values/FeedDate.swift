import FoundationEssentials

/// Reads the date of a feed in any of the forms that feeds are dated in; nil where no date can be read.
///
/// RFC 822/2822, RFC 3339, ISO 8601, W3CDTF, `asctime`, Unix seconds and milliseconds, month names of a dozen
/// languages, and the usual damage to each. No zone, or an unknown one, means UTC. Whole seconds; the years
/// 1 to 9999. A date is never guessed: an impossible hour, month or day gives nil.
func parseFeedDate(_ text: some StringProtocol) -> Date? {
    if let seconds = text.utf8.withContiguousStorageIfAvailable(mailDateSeconds), let seconds {
        return Date(timeIntervalSince1970: Double(seconds))
    }
    let contiguous = text.utf8.withContiguousStorageIfAvailable { dateTokens(of: $0) }
    guard let tokens = contiguous ?? Array(text.utf8).withUnsafeBufferPointer({ dateTokens(of: $0) }) else {
        return nil
    }
    return DateFields(tokens)?.secondsSince1970.map { Date(timeIntervalSince1970: Double($0)) }
}

extension DateFields {
    /// The instant that the fields mean.
    fileprivate var secondsSince1970: Int? {
        if let seconds = unixSeconds { return seconds }
        let valid = dayCandidates.filter { $0.isValid }
        // `11 04 2020` on a Saturday is the 11th of April.
        guard let day = valid.first(where: { $0.weekday == weekday }) ?? valid.first else { return nil }
        let local = day.daysSince1970 * 86_400 + (time ?? 0)
        let seconds = local - (zone ?? .utc).offsetSeconds(atLocal: local)
        return Self.representable.contains(seconds) ? seconds : nil
    }

    /// From the first second of year 1 to the last of year 9999.
    private static let representable = -62_135_596_800...253_402_300_799

    /// A lone number of ten digits counts seconds, one of thirteen milliseconds.
    private var unixSeconds: Int? {
        guard numbers.count == 1, month == nil, time == nil, !startsWithDash else { return nil }
        switch numbers[0].digits {
        case 10: return numbers[0].value
        case 13: return numbers[0].value / 1_000
        default: return nil
        }
    }

    /// The days that the numbers may mean, the likeliest first.
    private var dayCandidates: [CalendarDay] {
        if let month { return dayCandidates(inMonth: month) }
        switch numbers.count {
        case 3: return dayCandidates(numbers[0], numbers[1], numbers[2])
        case 2: return dayCandidates(numbers[0], numbers[1])
        case 1: return dayCandidates(numbers[0])
        default: return []
        }
    }

    private func dayCandidates(inMonth month: Int) -> [CalendarDay] {
        switch numbers.count {
        case 1 where numbers[0].digits == 4:
            return [CalendarDay(year: numbers[0].value, month: month, day: 1)]
        case 2 where numbers[0].digits > 2:
            return [CalendarDay(year: fullYear(numbers[0]), month: month, day: numbers[1].value)]
        case 2:
            return [CalendarDay(year: fullYear(numbers[1]), month: month, day: numbers[0].value)]
        default:
            return []
        }
    }

    private func dayCandidates(_ first: DateNumber, _ second: DateNumber, _ third: DateNumber)
        -> [CalendarDay]
    {
        let yearFirst = CalendarDay(year: fullYear(first), month: second.value, day: third.value)
        let yearDayMonth = CalendarDay(year: fullYear(first), month: third.value, day: second.value)
        let dayFirst = CalendarDay(year: fullYear(third), month: second.value, day: first.value)
        let monthFirst = CalendarDay(year: fullYear(third), month: first.value, day: second.value)
        if first.digits > 2 { return [yearFirst, yearDayMonth] }
        switch separator {
        case UInt8(ascii: "/"): return [monthFirst, dayFirst]
        case UInt8(ascii: "-") where third.digits == 2: return [yearFirst, dayFirst]
        default: return [dayFirst, monthFirst]
        }
    }

    private func dayCandidates(_ first: DateNumber, _ second: DateNumber) -> [CalendarDay] {
        guard first.digits == 4 || (startsWithDash && first.digits == 2) else { return [] }
        let year = fullYear(first)
        if second.digits == 3 { return [CalendarDay(year: year, dayOfYear: second.value)] }
        return [CalendarDay(year: year, month: second.value, day: 1)]
    }

    private func dayCandidates(_ number: DateNumber) -> [CalendarDay] {
        let value = number.value
        switch (number.digits, startsWithDash) {
        case (4, true):
            return [CalendarDay(year: 2000 + value / 100, month: value % 100, day: 1)]
        case (4, false):
            return [CalendarDay(year: value, month: 1, day: 1)]
        case (5, false):
            return [CalendarDay(year: 2000 + value / 1_000, dayOfYear: value % 1_000)]
        case (6, false):
            return [CalendarDay(year: 2000 + value / 10_000, month: value / 100 % 100, day: value % 100)]
        case (7, false):
            return [CalendarDay(year: value / 1_000, dayOfYear: value % 1_000)]
        case (8, false):
            return [CalendarDay(year: value / 10_000, month: value / 100 % 100, day: value % 100)]
        default:
            return []
        }
    }

    /// RFC 2822 section 4.3: two digits up to 49 are of this century, other two or three count from 1900.
    private func fullYear(_ number: DateNumber) -> Int {
        switch number.digits {
        case ...2: number.value + (number.value < 50 ? 2000 : 1900)
        case 3: number.value + 1900
        default: number.value
        }
    }
}

/// A day of the calendar, perhaps an impossible one.
private struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day with a number in its year, 1 to 365 or 366; day 0 of no month if there is none.
    init(year: Int, dayOfYear: Int) {
        let length = dayCount(year: year, month: 2) == 29 ? 366 : 365
        guard (1...length).contains(dayOfYear) else {
            self.init(year: year, month: 0, day: 0)
            return
        }
        let first = FeedParser.daysSince1970(year: year, month: 1, day: 1)
        let (_, month, day) = civilDate(daysSince1970: first + dayOfYear - 1)
        self.init(year: year, month: month, day: day)
    }

    var isValid: Bool {
        guard (1...9999).contains(year), (1...12).contains(month) else { return false }
        return (1...dayCount(year: year, month: month)).contains(day)
    }

    var daysSince1970: Int {
        FeedParser.daysSince1970(year: year, month: month, day: day)
    }

    var weekday: Int {
        FeedParser.weekday(daysSince1970: daysSince1970)
    }
}
