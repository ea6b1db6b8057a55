import Testing

@testable import FeedParser

@Suite struct CivilCalendarTests {
    @Test(arguments: [
        (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
        (-719_162, 1, 1, 1), (-25_508, 1900, 3, 1), (2_932_896, 9999, 12, 31),
    ])
    func `a day's number and its date tell the same`(days: Int, year: Int, month: Int, day: Int) {
        #expect(daysSince1970(year: year, month: month, day: day) == days)
        #expect(civilDate(daysSince1970: days) == (year, month, day))
    }

    @Test func `every day of four centuries follows the one before`() {
        var days = daysSince1970(year: 1800, month: 1, day: 1)
        for year in 1800..<2200 {
            for month in 1...12 {
                for day in 1...dayCount(year: year, month: month) {
                    guard daysSince1970(year: year, month: month, day: day) == days,
                        civilDate(daysSince1970: days) == (year, month, day)
                    else {
                        Issue.record("\(year)-\(month)-\(day) is not day \(days)")
                        return
                    }
                    days += 1
                }
            }
        }
    }

    @Test(arguments: [(0, 4), (3, 0), (-4, 0), (-5, 6), (19_942, 3)])
    func `weekdays count from Sunday`(days: Int, expected: Int) {
        #expect(weekday(daysSince1970: days) == expected)
    }
}
