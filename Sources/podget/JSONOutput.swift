import FoundationEssentials

/// Writes a value as JSON: keys in alphabetical order, slashes as they are, dates as RFC 3339 in UTC.
func jsonText(_ value: some Encodable, isIndented: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting =
        isIndented
        ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
