/// What a date's text says, before anybody decides which number is the day.
struct DateFields {
    /// The numbers that belong to neither the time nor the zone, in their order; at most three.
    var numbers: [DateNumber] = []
    /// The mark between the first two numbers, if any.
    var separator: UInt8?
    /// ISO 8601 writes a dash for a century left out: `-03-12`.
    var startsWithDash = false
    var month: Int?
    var weekday: Int?
    /// Seconds since midnight; a leap second counts into the next minute.
    var time: Int?
    var zone: DateZone?
}

extension DateFields {
    /// Reads tokens into fields; nil where something stands that no date holds.
    init?(_ tokens: [DateToken]) {
        var reader = DateFieldReader(tokens: tokens)
        guard reader.read() else { return nil }
        self = reader.fields
    }
}

/// Goes once through the tokens of a date.
private struct DateFieldReader {
    let tokens: [DateToken]
    var index = 0
    var fields = DateFields()
    private var hour: Int?
    private var secondsAfterHour = 0
    private var halfDay: Int?
    private var hasOffset = false
    private var skippedLeadingWord = false

    init(tokens: [DateToken]) {
        self.tokens = tokens
    }

    mutating func read() -> Bool {
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            let understood =
                switch token {
                case .number(let number): readNumber(number)
                case .word(let word): readWord(word)
                case .mark(let mark): readMark(mark)
                }
            guard understood else { return false }
        }
        return finishTime()
    }

    private mutating func readNumber(_ number: DateNumber) -> Bool {
        if hour == nil {
            if number.digits <= 2, accept(":") { return readClock(hour: number.value) }
            if index >= 2, tokens[index - 2] == .word("t") { return readCompactClock(number) }
            if number.digits <= 2, isHalfDay(next), !isNumber(token(after: 1)) {
                hour = number.value
                return true
            }
        }
        fields.numbers.append(number)
        return fields.numbers.count <= 3
    }

    /// Reads `MM` or `MM:SS` after `HH:`.
    private mutating func readClock(hour: Int) -> Bool {
        self.hour = hour
        guard let minute = acceptNumber(), minute.value < 60 else { return false }
        secondsAfterHour = minute.value * 60
        guard accept(":") else { return true }
        // Second 60 is a leap second.
        guard let second = acceptNumber(), second.value <= 60 else { return false }
        secondsAfterHour += second.value
        return true
    }

    /// Reads the `HH`, `HHMM` or `HHMMSS` of ISO 8601's basic format.
    private mutating func readCompactClock(_ number: DateNumber) -> Bool {
        switch number.digits {
        case 2: hour = number.value
        case 4: hour = number.value / 100
        case 6: hour = number.value / 10_000
        default: return false
        }
        let minute = number.digits == 6 ? number.value / 100 % 100 : number.value % 100
        let second = number.digits == 6 ? number.value % 100 : 0
        if number.digits > 2 { secondsAfterHour = minute * 60 + second }
        return number.digits == 2 || (minute < 60 && second <= 60)
    }

    private mutating func readWord(_ word: String) -> Bool {
        if let half = halfDayHours[word] {
            halfDay = half
        } else if hour == nil, let month = monthNumber(named: word) {
            // The last one wins: `mar., 01 déc.` is a French Tuesday in December.
            fields.month = month
        } else if hour == nil, dateFillers.contains(word) || (word == "t" && isNumber(next)) {
            // Says nothing.
        } else if hour != nil || fields.numbers.count > 1, readZone(word) {
            return true
        } else if hour == nil, let weekday = weekdayNumber(named: word) {
            fields.weekday = weekday
        } else if let zone = dateZone(named: word), fields.month != nil, !fields.numbers.isEmpty {
            fields.zone = fields.zone ?? zone
        } else if fields.numbers.isEmpty, fields.month == nil, !skippedLeadingWord {
            // A weekday in another language.
            skippedLeadingWord = true
        } else {
            return false
        }
        if koreanWords.contains(word) { fields.zone = fields.zone ?? .korea }
        return true
    }

    /// Takes a known zone's name, or after the time one unknown name for UTC; a second name says nothing new.
    private mutating func readZone(_ word: String) -> Bool {
        guard let zone = dateZone(named: word) else {
            guard hour != nil, fields.zone == nil else { return false }
            fields.zone = .utc
            return true
        }
        fields.zone = fields.zone ?? zone
        return true
    }

    private mutating func readMark(_ mark: UInt8) -> Bool {
        switch mark {
        case UInt8(ascii: ","):
            return true
        case UInt8(ascii: "("):
            // A comment, such as the zone's long name.
            while index < tokens.count, !accept(")") { index += 1 }
            return true
        case UInt8(ascii: "+"):
            return readOffset(sign: 1)
        case UInt8(ascii: "-") where hour != nil || fields.zone != nil:
            return readOffset(sign: -1)
        case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."):
            if index == 1 { fields.startsWithDash = mark == UInt8(ascii: "-") }
            if fields.numbers.count == 1, fields.separator == nil { fields.separator = mark }
            return true
        default:
            return false
        }
    }

    /// Reads `HH`, `HHMM` or `HH:MM` after a sign.
    private mutating func readOffset(sign: Int) -> Bool {
        guard !hasOffset, !fields.numbers.isEmpty, let number = acceptNumber(), number.digits <= 4 else {
            return false
        }
        var hours = number.value
        var minutes = 0
        if number.digits > 2 {
            (hours, minutes) = number.value.quotientAndRemainder(dividingBy: 100)
        } else if accept(":") {
            guard let following = acceptNumber() else { return false }
            minutes = following.value
        }
        guard hours < 24, minutes < 60 else { return false }
        fields.zone = .fixed(minutes: sign * (hours * 60 + minutes))
        hasOffset = true
        return true
    }

    private mutating func finishTime() -> Bool {
        guard var hour else { return true }
        if let halfDay, hour <= 12 { hour = hour % 12 + halfDay }
        // ISO 8601 ends a day with 24:00.
        guard hour < 24 || (hour == 24 && secondsAfterHour == 0) else { return false }
        fields.time = hour * 3_600 + secondsAfterHour
        return true
    }

    private var next: DateToken? {
        token(after: 0)
    }

    private func token(after count: Int) -> DateToken? {
        index + count < tokens.count ? tokens[index + count] : nil
    }

    private func isHalfDay(_ token: DateToken?) -> Bool {
        if case .word(let word)? = token { halfDayHours[word] != nil } else { false }
    }

    private func isNumber(_ token: DateToken?) -> Bool {
        if case .number? = token { true } else { false }
    }

    private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
        guard next == .mark(UInt8(ascii: mark)) else { return false }
        index += 1
        return true
    }

    private mutating func acceptNumber() -> DateNumber? {
        guard case .number(let number)? = next else { return nil }
        index += 1
        return number
    }
}
