import FoundationEssentials

/// When the system runs podget: at intervals, or at times of the day.
enum ScheduleTimes: Equatable, Sendable {
    case every(minutes: Int)

    /// At each of these times on each of these days; both in order, `days` empty for every day.
    case at([ClockTime], days: [Weekday])

    /// The intervals that cron can keep: those that divide an hour or a day evenly.
    static let cronMinutes =
        (5...60).filter { 60 % $0 == 0 } + (2...24).filter { 24 % $0 == 0 }.map { $0 * 60 }

    /// Such as `every 30 minutes` or `at 06:30 and 18:00 on mon, tue`.
    var words: String {
        switch self {
        case .every(let minutes):
            switch (minutes / 60, minutes % 60) {
            case (1, 0): "every hour"
            case (let hours, 0): "every \(hours) hours"
            default: "every \(minutes) minutes"
            }
        case .at(let times, let days):
            "at " + times.map(\.text).joined(separator: ", ")
                + (days.isEmpty ? " every day" : " on " + days.map(\.rawValue).joined(separator: ", "))
        }
    }

    /// The lines of the section `[Timer]` (systemd.timer(5), systemd.time(7)).
    var timerLines: [String] {
        switch self {
        case .every(let minutes): ["OnStartupSec=2min", "OnUnitInactiveSec=\(minutes)min"]
        case .at(let times, let days):
            times.map { time in
                let names = days.map { $0.rawValue.capitalized }.joined(separator: ",")
                return "OnCalendar=" + (names.isEmpty ? "" : names + " ") + "*-*-* \(time.text):00"
            }
                // What fell into a time without power is made up for.
                + ["Persistent=true"]
        }
    }

    /// Reads what `timerLines` wrote; nil where somebody wrote something else.
    init?(timer text: String) {
        let values = { (key: String) in
            text.split(separator: "\n").filter { $0.hasPrefix(key + "=") }.map { $0.dropFirst(key.count + 1) }
        }
        if let interval = values("OnUnitInactiveSec").first, interval.hasSuffix("min"),
            let minutes = Int(interval.dropLast(3))
        {
            self = .every(minutes: minutes)
            return
        }
        let calendar = values("OnCalendar").map { $0.split(separator: " ") }
        let times = calendar.compactMap { $0.last.flatMap { ClockTime(String($0.dropLast(3))) } }
        guard let first = calendar.first, times.count == calendar.count else { return nil }
        self = .at(times, days: first.count == 3 ? Weekday.list(String(first[0])) ?? [] : [])
    }

    /// The five fields of crontab(5), one text a line; nil for an interval that they cannot tell.
    var crontabTimes: [String]? {
        switch self {
        case .every(let minutes) where minutes < 60 && 60 % minutes == 0: ["*/\(minutes) * * * *"]
        case .every(60): ["7 * * * *"]
        case .every(1440): ["7 6 * * *"]
        case .every(let minutes) where minutes % 60 == 0 && 1440 % minutes == 0: ["7 */\(minutes / 60) * * *"]
        case .every: nil
        case .at(let times, let days):
            times.map { time in
                let numbers = days.map { String($0.cronNumber) }.joined(separator: ",")
                return "\(time.minute) \(time.hour) * * \(numbers.isEmpty ? "*" : numbers)"
            }
        }
    }
}

/// A time of the day.
struct ClockTime: Hashable, Comparable, Sendable {
    let hour: Int
    let minute: Int

    /// Reads `06:30`, `6:30` or `18`, of 24 hours, and `6am` or `6:30pm`, of twelve.
    init?(_ text: String) {
        var digits = text.lowercased()[...]
        let half = ["am", "pm"].first { digits.hasSuffix($0) }
        if half != nil { digits = digits.dropLast(2) }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard let hours = parts.first, (1...2).contains(hours.utf8.count), parts.count <= 2,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(hours), let minute = parts.count == 2 ? Int(parts[1]) : 0, minute < 60,
            half == nil ? hour < 24 : (1...12).contains(hour)
        else { return nil }
        // Twelve is the first hour of each half of the day.
        self.hour = half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)
        self.minute = minute
    }

    /// As `06:30`.
    var text: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }

    static func < (left: ClockTime, right: ClockTime) -> Bool {
        (left.hour, left.minute) < (right.hour, right.minute)
    }
}

/// A day of the week, by the name that systemd and people give it.
enum Weekday: String, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun

    /// Monday is 1 (crontab(5)).
    var cronNumber: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    /// Reads `mon,wed` or `mon-fri`, whole names too; nil where a word is no day.
    static func list(_ text: String) -> [Weekday]? {
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { day(named: $0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                first.cronNumber <= last.cronNumber
            else { return nil }
            days.formUnion(allCases.filter { (first.cronNumber...last.cronNumber).contains($0.cronNumber) })
        }
        return allCases.filter(days.contains)
    }

    private static func day(named word: Substring) -> Weekday? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return names.firstIndex { $0.prefix(3) == word || $0 == word }.map { allCases[$0] }
    }
}
