internal import FoundationEssentials

/// Writes a list as the text of a JSON column; an empty one as `NULL`.
func jsonColumn<Element: Encodable>(list: [Element]) -> String? {
    list.isEmpty ? nil : jsonColumn(list)
}

/// Writes a value as the text of a JSON column.
func jsonColumn(_ value: any Encodable) -> String? {
    let encoder = JSONEncoder()
    // The same value must always give the same text: it is compared to find out what changed.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    // Only a number that is not finite cannot be encoded, and a feed's nonsense is not worth an error.
    guard let data = try? encoder.encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
}

extension Statement {
    /// Reads the next column as JSON; `nil` for `NULL` and for what cannot be read.
    mutating func nextJSON<Value: Decodable>() -> Value? {
        guard let text: String = next() else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return try? decoder.decode(Value.self, from: Data(text.utf8))
    }
}
