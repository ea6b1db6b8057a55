/// How far a clock is from UTC.
enum DateZone: Equatable {
    case fixed(minutes: Int)
    case region(standardMinutes: Int, DaylightRule)

    static let utc = Self.fixed(minutes: 0)
    static let korea = Self.fixed(minutes: 540)
}

/// When a region's clocks are an hour ahead; today's rules, for all years.
enum DaylightRule {
    /// From the last Sunday of March to the last of October, at 01:00 UTC.
    case european
    /// From the second Sunday of March to the first of November, at 02:00 by the clock.
    case american
}

/// The zone that a lower-cased word names: an abbreviation, or a region such as `europe/brussels`.
func dateZone(named word: String) -> DateZone? {
    if let minutes = zoneMinutes[word] { return .fixed(minutes: minutes) }
    if let minutes = americanRegions[word] { return .region(standardMinutes: minutes, .american) }
    if let minutes = europeanRegions[word] { return .region(standardMinutes: minutes, .european) }
    return nil
}

extension DateZone {
    /// The seconds to take from a local time to get UTC.
    ///
    /// `localSeconds` counts from 1970 by the region's own clock.
    func offsetSeconds(atLocal localSeconds: Int) -> Int {
        switch self {
        case .fixed(let minutes):
            return minutes * 60
        case .region(let standardMinutes, let rule):
            let standard = standardMinutes * 60
            let year = civilDate(daysSince1970: floorDivide(localSeconds, 86_400)).year
            let period: Range<Int>
            switch rule {
            case .european:
                let begin = lastSunday(year, 3) * 86_400 + 3_600 + standard
                let end = lastSunday(year, 10) * 86_400 + 3_600 + standard + 3_600
                period = begin..<end
            case .american:
                let begin = (firstSunday(year, 3) + 7) * 86_400 + 7_200
                let end = firstSunday(year, 11) * 86_400 + 7_200
                period = begin..<end
            }
            return period.contains(localSeconds) ? standard + 3_600 : standard
        }
    }
}

/// The day number of a month's first Sunday.
private func firstSunday(_ year: Int, _ month: Int) -> Int {
    let first = daysSince1970(year: year, month: month, day: 1)
    return first + (7 - weekday(daysSince1970: first)) % 7
}

/// The day number of the last Sunday of a month with 31 days.
private func lastSunday(_ year: Int, _ month: Int) -> Int {
    let last = daysSince1970(year: year, month: month, day: 31)
    return last - weekday(daysSince1970: last)
}

/// Minutes east of UTC; where an abbreviation has several meanings, the one with the most speakers.
private let zoneMinutes: [String: Int] = [
    "z": 0, "gmt": 0, "utc": 0, "ut": 0, "wet": 0, "etc/gmt": 0, "etc/utc": 0,
    "bst": 60, "west": 60, "cet": 60, "met": 60, "mez": 60, "wat": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "sast": 120, "cat": 120,
    "eest": 180, "msk": 180, "eat": 180, "trt": 180, "msd": 240, "gst": 240, "pkt": 300, "ist": 330,
    "ict": 420, "wib": 420, "hkt": 480, "sgt": 480, "pht": 480, "awst": 480, "jst": 540, "kst": 540,
    "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
    "ndt": -150, "nst": -210, "adt": -180, "ast": -240, "brt": -180, "art": -180, "clt": -240,
    "edt": -240, "est": -300, "cdt": -300, "cst": -360, "mdt": -360, "mst": -420, "pdt": -420, "pst": -480,
    "akdt": -480, "akst": -540, "hst": -600,
    "asia/tokyo": 540, "asia/seoul": 540, "asia/shanghai": 480, "asia/hong_kong": 480, "asia/singapore": 480,
    "asia/kolkata": 330, "asia/dubai": 240, "europe/moscow": 180, "europe/istanbul": 180,
    "america/sao_paulo": -180, "america/phoenix": -420, "australia/brisbane": 600,
]

private let americanRegions: [String: Int] = [
    "at": -240, "et": -300, "ct": -360, "mt": -420, "pt": -480,
    "america/halifax": -240, "america/new_york": -300, "america/toronto": -300, "america/detroit": -300,
    "america/chicago": -360, "america/winnipeg": -360, "america/denver": -420, "america/edmonton": -420,
    "america/los_angeles": -480, "america/vancouver": -480, "america/anchorage": -540,
    "us/eastern": -300, "us/central": -360, "us/mountain": -420, "us/pacific": -480,
]

private let europeanRegions: [String: Int] = [
    "europe/london": 0, "europe/dublin": 0, "europe/lisbon": 0,
    "europe/amsterdam": 60, "europe/belgrade": 60, "europe/berlin": 60, "europe/brussels": 60,
    "europe/budapest": 60, "europe/copenhagen": 60, "europe/madrid": 60, "europe/oslo": 60,
    "europe/paris": 60, "europe/prague": 60, "europe/rome": 60, "europe/stockholm": 60,
    "europe/vienna": 60, "europe/warsaw": 60, "europe/zurich": 60,
    "europe/athens": 120, "europe/bucharest": 120, "europe/helsinki": 120, "europe/kiev": 120,
    "europe/kyiv": 120, "europe/sofia": 120,
]
