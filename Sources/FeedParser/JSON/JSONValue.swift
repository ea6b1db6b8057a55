/// Any JSON value.
///
/// Its accessors are lenient: a number may be written as a text, an identifier as a number.
enum JSONValue: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(UInt64.self) {
            // An identifier: as a Double it would be another.
            self = .string(String(number))
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .array(list)
        } else if let object = try? value.decode([String: JSONValue].self) {
            self = .object(object)
        } else {
            // A number beyond all types, such as 1e999.
            self = .null
        }
    }

    /// The text of a string that is not blank, or of a number.
    var text: String? {
        switch self {
        case .string(let text): text.nonBlank
        case .integer(let number): String(number)
        case .number(let number): String(number)
        default: nil
        }
    }

    /// A finite number, which may be written as a text.
    var number: Double? {
        let number: Double? =
            switch self {
            case .integer(let number): Double(number)
            case .number(let number): number
            case .string(let text): Double(text.trimmed)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    var integer: Int? { text.flatMap { wholeNumber($0) } }

    var flag: Bool? {
        if case .bool(let flag) = self { return flag }
        return FeedParser.flag(text)
    }

    /// The members of a list, or the value itself as the only one; nothing for null.
    var list: [JSONValue] {
        switch self {
        case .array(let list): list
        case .null: []
        default: [self]
        }
    }

    /// The value of the first of these keys that an object has, with the value not null.
    ///
    /// Keys are given in `snake_case`; `camelCase` is found as well.
    subscript(keys: String...) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for key in keys {
            for spelling in spellings(of: key) {
                switch members[spelling] {
                case nil, .null: continue
                case .some(let value): return value
                }
            }
        }
        return nil
    }
}

/// The spellings of a key: `audio_url`, `audioUrl` and `audioURL`.
private func spellings(of key: String) -> [String] {
    let words = key.split(separator: "_")
    guard words.count > 1, let first = words.first else { return [key] }
    let camelCase = words.dropFirst().reduce(into: String(first)) { name, word in
        name += word.prefix(1).uppercased() + word.dropFirst()
    }
    return words.last == "url" ? [key, camelCase, camelCase.dropLast(3) + "URL"] : [key, camelCase]
}
