import FoundationEssentials
import FoundationInternationalization

/// Dates, sizes and durations as the user's locale writes them.
struct HumanFormat: Sendable {
    let locale: Locale
    let timeZone: TimeZone

    func bytes(_ count: Int64) -> String {
        // Spelt out it would be 'Zero kB', in English whatever the locale.
        count.formatted(.byteCount(style: .file, spellsOutZero: false).locale(locale))
    }

    func number(_ number: Int) -> String {
        number.formatted(.number.locale(locale))
    }

    func day(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, timeZone: timeZone))
    }

    func moment(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: timeZone))
    }

    /// A length of time as a clock shows it: `1:02:03`, or `2:03` under an hour.
    func duration(seconds: Double) -> String {
        let whole = Duration.seconds(Int64(min(max(seconds, 0), 359_999_999).rounded()))
        let pattern: Duration.TimeFormatStyle.Pattern =
            whole < .seconds(3600) ? .minuteSecond : .hourMinuteSecond
        return whole.formatted(.time(pattern: pattern).locale(locale))
    }

    /// How long something still takes, such as `1:20 left`.
    func timeLeft(seconds: Double) -> String {
        seconds < 5 ? "almost done" : duration(seconds: seconds) + " left"
    }

    /// A length of time in words, such as `2 hr, 5 min`; below a minute in seconds.
    func span(_ time: Duration) -> String {
        let units: Set<Duration.UnitsFormatStyle.Unit> =
            time < .seconds(60) ? [.seconds] : [.days, .hours, .minutes]
        return time.formatted(
            .units(allowed: units, width: .abbreviated, maximumUnitCount: 2).locale(locale))
    }

    func rate(bytesPerSecond: Double) -> String {
        bytes(Int64(min(max(bytesPerSecond, 0), 1e15))) + "/s"
    }
}

/// Chooses the locale for numbers and dates from the environment, as POSIX orders the variables.
///
/// `C` and `POSIX` ask for plain English.
func userLocale(_ variables: [String: String]) -> Locale {
    let names = ["LC_ALL", "LC_TIME", "LC_NUMERIC", "LANG"]
    let value = names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let name = value.prefix { $0 != "." && $0 != "@" }
    return Locale(identifier: isLocaleName(name) ? String(name) : "en_US_POSIX")
}

/// Whether a name is a language of two or three letters, with a territory or none; `C` and `POSIX` are not.
///
/// Foundation crashes on words that are far from it.
private func isLocaleName(_ name: Substring) -> Bool {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let isWord = { (part: Substring, lengths: ClosedRange<Int>) in
        lengths.contains(part.utf8.count) && part.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x7A ~= $0 }
    }
    guard let language = parts.first, parts.count <= 2, isWord(language, 2...3) else { return false }
    return parts.count == 1 || isWord(parts[1], 2...4)
}
