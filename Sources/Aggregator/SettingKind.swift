import FoundationEssentials

/// What the values of a setting may be, and how they are written.
struct SettingKind<Value: Sendable>: Sendable {
    let allowed: String
    let parse: @Sendable (String) -> Value?
    let text: @Sendable (Value) -> String

    /// The part of a wrong text that is wrong; nil where it is all of it.
    var wrongPart: @Sendable (String) -> String? = { _ in nil }

    func value(of text: String, for name: String) throws(SettingsError) -> Value {
        guard let value = parse(text) else {
            throw SettingsError(message: "'\(name)' must be \(allowed), not '\(wrongPart(text) ?? text)'")
        }
        return value
    }
}

extension SettingKind<Int> {
    static func wholeNumber(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            text: { String($0) })
    }
}

extension SettingKind<String> {
    static let words = SettingKind(
        allowed: "a text of one line",
        parse: { text in
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            return text.isEmpty || !isPlain ? nil : text
        },
        text: { $0 })

    static let folder = SettingKind(
        allowed: "an absolute path, or one that begins with ~/",
        parse: { $0.hasPrefix("/") || $0 == "~" || $0.hasPrefix("~/") ? $0 : nil },
        text: { $0 })

    static let pattern = SettingKind(
        allowed: "a regular expression as 'grep -E' takes it",
        parse: { TitlePattern($0) == nil ? nil : $0 },
        text: { $0 })

    static let keep = SettingKind(
        allowed: "a number of files (10), a time (30d, 4w) or all",
        parse: { Keep($0) == nil ? nil : $0 },
        text: { $0 })

    static let quality = SettingKind(
        allowed: "smallest, best, audio, video or a bitrate such as 64k",
        parse: { Quality($0) == nil ? nil : $0.lowercased() },
        text: { $0 })

    static func oneOf(_ words: [String]) -> SettingKind {
        SettingKind(
            allowed: words.joined(separator: " or "),
            parse: { words.contains($0.lowercased()) ? $0.lowercased() : nil },
            text: { $0 })
    }
}

extension SettingKind<[String]> {
    static let types = SettingKind(
        allowed: "a list of full, trailer and bonus, such as full,bonus",
        parse: { text in
            let named = typeWords(text)
            guard !named.isEmpty, named.allSatisfy(knownTypes.contains) else { return nil }
            return knownTypes.filter(named.contains)
        },
        text: { $0.joined(separator: ",") },
        wrongPart: { text in typeWords(text).first { !knownTypes.contains($0) } })

    private static let knownTypes = ["full", "trailer", "bonus"]

    private static func typeWords(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
    }
}

extension SettingKind<[String]> {
    /// A program and its arguments: as a list in JSON, in which an argument may hold anything but NUL, or as words between
    /// blanks.
    static let program = SettingKind(
        allowed:
            "a program and its arguments, in which {file} and {start} (seconds) are filled in, such as 'vlc --start-time={start} {file}', or as a list: [\"vlc\", \"{file}\"]",
        parse: { text in
            let words =
                text.first { !$0.isWhitespace } == "["
                ? try? JSONDecoder().decode([String].self, from: Data(text.utf8))
                : plainWords(text)
            guard let words, words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) }),
                unknownPlaceholder(in: words) == nil
            else { return nil }
            return words
        },
        text: listText)

    /// Words between blanks; nil where quotes, backslashes or control characters leave open what is meant.
    private static func plainWords(_ text: String) -> [String]? {
        let unclear: Set<Character> = ["\"", "'", "\\"]
        let isPlain =
            !text.contains { unclear.contains($0) }
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPlain ? text.split(separator: " ").map(String.init) : nil
    }

    /// The list as JSON writes it.
    static func listText(_ words: [String]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Texts can always be encoded.
        return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension SettingKind<Bool> {
    static let yesOrNo = SettingKind(
        allowed: "true or false", parse: { Bool($0.lowercased()) }, text: { String($0) })
}

extension SettingKind<Duration> {
    static let length = SettingKind(
        allowed: "a length such as 90s, 10m, 1h30m or 1:30:00",
        parse: parseLength,
        text: { duration in
            let seconds = duration.components.seconds
            let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
            let words = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
            return words.isEmpty ? "0s" : words
        })
}

extension SettingKind<Int64> {
    static func byteCount(from least: Int64) -> SettingKind {
        SettingKind(
            allowed: "a size such as 500M, 20 GB or 1 GiB",
            parse: { parseByteCount($0, units: ["b"], from: least) }, text: byteText)
    }

    /// Bytes in a second.
    static func byteRate(from least: Int64) -> SettingKind {
        SettingKind(
            allowed: "bytes in a second, such as 300k, 500 KB/s or 2M",
            parse: { parseByteCount($0, units: ["b/s", "/s", "b"], from: least) },
            text: { byteText($0) + "/s" })
    }

    private static func byteText(_ count: Int64) -> String {
        let units: [(Int64, String)] = [
            (1_000_000_000, "GB"), (1 << 30, "GiB"), (1_000_000, "MB"), (1 << 20, "MiB"), (1_000, "kB"),
        ]
        guard let unit = units.first(where: { count % $0.0 == 0 }) else { return "\(count) B" }
        return "\(count / unit.0) \(unit.1)"
    }
}

/// How long the files of a feed stay.
enum Keep: Equatable, Sendable {
    case all
    case files(Int)
    case days(Int)

    init?(_ text: String) {
        let word = text.lowercased()
        if word == "all" {
            self = .all
        } else if let count = Int(word), (0...10_000).contains(count) {
            self = .files(count)
        } else if let unit = word.last, let count = Int(word.dropLast()), (1...10_000).contains(count) {
            switch unit {
            case "d": self = .days(count)
            case "w": self = .days(7 * count)
            default: return nil
            }
        } else {
            return nil
        }
    }
}

/// Reads `90s`, `10m`, `1h30m`, `10:00` or `1:30:00`; a bare number would leave its unit to guess.
public func parseLength(_ text: String) -> Duration? {
    let clock = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    if (2...3).contains(clock.count) {
        var seconds: Int64 = 0
        for part in clock {
            guard let part, (0...9999).contains(part) else { return nil }
            seconds = seconds * 60 + part
        }
        return .seconds(seconds)
    }
    let units: [Character: Int64] = ["h": 3600, "m": 60, "s": 1]
    var seconds: Int64 = 0
    var digits = ""
    for character in text.lowercased() where character != " " {
        if character.isASCII, character.isNumber {
            digits.append(character)
        } else {
            guard let unit = units[character], let number = Int64(digits), number <= 100_000 else {
                return nil
            }
            seconds += number * unit
            digits = ""
        }
    }
    return text.isEmpty || !digits.isEmpty ? nil : .seconds(seconds)
}

/// Reads a number with a unit: `300k`, `1.5M`, `20 GB`, `1 GiB`, where a thousand is 1000 and Ki is 1024.
///
/// `units` are what may follow the prefix, in lower case and the longest first, such as `b`. A bare number is read only
/// where `takesBareNumber` says what it counts.
func parseQuantity(_ text: String, units: [String], takesBareNumber: Bool = false) -> Double? {
    let word = text.lowercased().filter { $0 != " " }
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let rest = word.dropFirst(digits.count)
    let unit = units.first { rest.hasSuffix($0) } ?? ""
    let prefixes: [Substring: Double] = [
        "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        "ki": 1024, "mi": 1_048_576, "gi": 1_073_741_824, "ti": 1_099_511_627_776,
    ]
    guard let number = Double(digits), let prefix = prefixes[rest.dropLast(unit.count)],
        takesBareNumber || !rest.isEmpty
    else { return nil }
    return number * prefix
}

private func parseByteCount(_ text: String, units: [String], from least: Int64) -> Int64? {
    parseQuantity(text, units: units).flatMap { count in
        count < 1e18 && Int64(count) >= least ? Int64(count) : nil
    }
}
