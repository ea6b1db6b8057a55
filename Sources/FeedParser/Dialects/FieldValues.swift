/// Reads plain text of one line: markup stripped, entities decoded, white space folded.
func plainLine(_ text: String) -> String? {
    mayHoldMarkup(text) ? plainText(fromHTML: text).nonBlank : foldedLine(text)
}

/// Folds white space to single blanks and drops it at the ends; nil where nothing is left.
func foldedLine(_ text: String) -> String? {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    let bytes = text.utf8
    var blankBefore = true
    var needsFolding = false
    for byte in bytes {
        let blank = isBlank(byte)
        if blank, blankBefore || byte != 0x20 {
            needsFolding = true
            break
        }
        blankBefore = blank
    }
    // A no-break space at an end is white space too, and is rare.
    if !needsFolding, !blankBefore { return text.nonBlank }
    let folded = bytes.split(whereSeparator: isBlank).joined(separator: CollectionOfOne(0x20))
    return String(decoding: Array(folded), as: UTF8.self).nonBlank
}

/// Whether a text holds something that an HTML parser would not take as mere characters.
func mayHoldMarkup(_ text: String) -> Bool {
    var previous: UInt8 = 0
    for byte in text.utf8 {
        switch previous {
        case UInt8(ascii: "<"):
            if isNameStart(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") { return true }
        case UInt8(ascii: "&"):
            if isNameStart(byte) || byte == UInt8(ascii: "#") { return true }
        default: break
        }
        previous = byte
    }
    return false
}

/// Reads a whole number, such as `3`, ` 3 ` or `3.0`.
func wholeNumber(_ text: String?) -> Int? {
    guard let text = text?.trimmed else { return nil }
    if let number = Int(text) { return number }
    guard let number = Double(text), number.magnitude < 1e15, number.rounded() == number else { return nil }
    return Int(number)
}

/// Reads a number of bytes; zero is what writers put who do not know it.
func byteCount(_ text: String?) -> Int64? {
    guard let number = text.flatMap({ Int64($0.trimmed) }), number > 0 else { return nil }
    return number
}

/// Reads a yes or no as the namespaces write it.
func flag(_ text: String?) -> Bool? {
    switch text?.trimmed.lowercased() {
    case "yes", "true", "explicit", "1": true
    case "no", "false", "clean", "0", "not explicit": false
    default: nil
    }
}
