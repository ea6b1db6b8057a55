internal import FoundationEssentials

/// Writes a value as the text of a JSON column; an empty list as `NULL`.
func jsonColumn<Element: Encodable>(_ list: [Element]) -> String? {
    list.isEmpty ? nil : jsonColumn(list as (any Encodable))
}

/// Writes a value as the text of a JSON column.
func jsonColumn(_ value: any Encodable) -> String? {
    let encoder = JSONEncoder()
    // The same value must always give the same text: it is compared to find out what changed.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a number that is not finite cannot be encoded, and a feed's nonsense is not worth an error.
    guard let data = try? encoder.encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
}

extension Statement {
    /// Reads the next column as JSON; `nil` for `NULL` and for what cannot be read.
    mutating func nextJSON<Value: Decodable>() -> Value? {
        guard let text: String = next() else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
