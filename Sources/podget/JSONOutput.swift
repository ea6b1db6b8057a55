import FoundationEssentials

/// Writes a value as JSON: keys in alphabetical order, slashes as they are, dates as RFC 3339 in UTC.
func jsonText(_ value: some Encodable, isIndented: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting =
        isIndented
        ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    return escapedForTerminal(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
}

/// Escapes the characters that a terminal may obey and that JSON allows as they are.
///
/// They stand in strings only: DEL, the C1 controls, and those that change the direction of the text.
private func escapedForTerminal(_ json: String) -> String {
    let isObeyed = { (scalar: Unicode.Scalar) in
        switch scalar.value {
        case 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
    // All of them begin with one of three bytes, and most output holds none of these.
    guard json.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }),
        json.unicodeScalars.contains(where: isObeyed)
    else { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
        if isObeyed(scalar) {
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
            escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
