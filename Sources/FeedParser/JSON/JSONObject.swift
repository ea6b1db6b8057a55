import FoundationEssentials

/// The members of a JSON object, read as the values that feeds are made of.
///
/// Names are compared in snake case: `audioURL` is `audio_url`. Each reader takes several names and gives the first
/// value that is there and makes sense.
struct JSONObject {
    private var members: [String: JSONValue] = [:]
    private let context: ParseContext
    private let resolver: URLResolver

    /// Takes the members of an object; nil for any other value.
    ///
    /// Of members with the same name the first counts; a `null` is no member.
    init?(_ value: JSONValue, context: ParseContext) {
        guard value.isObject else { return nil }
        self.context = context
        resolver = URLResolver(base: context.baseURL)
        for (name, value) in value.members where !value.isNull {
            guard members.count < context.limits.attributeCount else {
                context.note(
                    .tooManyAttributes, "the members beyond \(context.limits.attributeCount) were left out")
                break
            }
            let name = snakeCase(name)
            if members[name] == nil { members[name] = value }
        }
    }

    /// Adds those members of another object whose names are new.
    func completed(by other: JSONObject) -> JSONObject {
        var object = self
        object.members.merge(other.members) { own, _ in own }
        return object
    }

    func has(_ names: String...) -> Bool {
        names.contains { members[$0] != nil }
    }

    /// A string or number as text without blanks around it.
    func text(_ names: String...) -> String? {
        first(names, fieldText)
    }

    /// A string or number as one line of plain text.
    func line(_ names: String...) -> String? {
        first(names, fieldLine)
    }

    /// An address, made absolute.
    func url(_ names: String...) -> String? {
        first(names) { $0.text.flatMap(absoluteURL) }
    }

    func absoluteURL(_ reference: String) -> String? {
        resolver.resolve(reference)
    }

    /// A date as text, in Unix seconds or in Unix milliseconds.
    func date(_ names: String...) -> Date? {
        first(names) { $0.number.flatMap(unixDate) ?? context.date($0.text) }
    }

    /// A point in an episode, in seconds.
    func seconds(_ names: String...) -> Double? {
        first(names, fieldSeconds)
    }

    /// A duration in seconds; zero is what writers put who do not know it.
    func duration(_ names: String...) -> Double? {
        first(names) { fieldSeconds($0).flatMap { $0 > 0 ? $0 : nil } }
    }

    func wholeNumber(_ names: String...) -> Int? {
        first(names) { FeedParser.wholeNumber($0.number ?? $0.text) }
    }

    /// A number of bytes that is plausible.
    func byteCount(_ names: String...) -> Int64? {
        first(names) { FeedParser.byteCount(FeedParser.wholeNumber($0.number ?? $0.text).map { "\($0)" }) }
    }

    func flag(_ names: String...) -> Bool? {
        first(names) { $0.bool ?? FeedParser.flag($0.number ?? $0.text) }
    }

    func object(_ names: String...) -> JSONObject? {
        first(names) { JSONObject($0, context: context) }
    }

    /// The values of a list, unread and of any number.
    func elements(_ names: String...) -> JSONElements? {
        first(names) { $0.isList ? $0.elements : nil }
    }

    /// The texts of a list, each as one line; a lone one counts as a list.
    func lines(_ names: String...) -> [String] {
        first(names) { values($0).compactMap(fieldLine).nonEmpty } ?? []
    }

    /// The objects of a list; a lone one counts as a list, and a text as an object with one member.
    func objects(_ names: String..., textAs name: String) -> [JSONObject] {
        first(names) { value in
            values(value).compactMap { JSONObject($0, context: context) ?? only(name, $0) }.nonEmpty
        } ?? []
    }

    private func values(_ value: JSONValue) -> [JSONValue] {
        value.isList ? Array(value.elements.prefix(context.limits.listCount)) : [value]
    }

    /// An object with one member.
    private func only(_ name: String, _ value: JSONValue) -> JSONObject? {
        guard value.text != nil else { return nil }
        var object = self
        object.members = [name: value]
        return object
    }

    private func first<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> Value? {
        for name in names {
            if let value = members[name].flatMap(read) { return value }
        }
        return nil
    }

    private func fieldText(_ value: JSONValue) -> String? {
        guard let text = (value.text ?? value.number)?.nonBlank else { return nil }
        let limit = context.limits.fieldByteCount
        guard text.utf8.count > limit else { return text }
        context.note(.fieldTooLong, "a text was cut")
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    private func fieldLine(_ value: JSONValue) -> String? {
        fieldText(value).flatMap(plainLine)
    }

    private func fieldSeconds(_ value: JSONValue) -> Double? {
        // Numbers such as `1e3` become ones that the reader of durations knows.
        context.duration(value.number.flatMap(Double.init).map { "\($0)" } ?? value.text)
    }

    /// Reads the time since 1970; a number is never a date before 1973.
    private func unixDate(_ number: String) -> Date? {
        let value = Double(number) ?? 0
        // Seconds from 1e11 on would lie beyond the year 5138, milliseconds below it before 1973.
        let seconds = value < 1e11 ? value : value / 1_000
        guard (1e8..<1e11).contains(seconds) else { return context.date(number) }
        return Date(timeIntervalSince1970: seconds.rounded(.down))
    }
}

/// Writes `audioURL`, `audioUrl` and `audio-url` as `audio_url`.
func snakeCase(_ name: String) -> String {
    guard name.utf8.contains(where: { $0.isUpperCase || $0 == UInt8(ascii: "-") }) else { return name }
    var snake: [UInt8] = []
    var previous: UInt8 = 0
    for byte in name.utf8 {
        if byte.isUpperCase, !previous.isUpperCase, previous != UInt8(ascii: "_"), !snake.isEmpty {
            snake.append(UInt8(ascii: "_"))
        }
        snake.append(byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte.isUpperCase ? byte | 0x20 : byte)
        previous = snake.last == UInt8(ascii: "_") ? UInt8(ascii: "_") : byte
    }
    return String(decoding: snake, as: UTF8.self)
}

extension UInt8 {
    fileprivate var isUpperCase: Bool { self &- UInt8(ascii: "A") < 26 }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
