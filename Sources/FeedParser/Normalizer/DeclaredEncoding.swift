/// How the bytes of a document are to be read.
enum TextEncoding: Equatable {
    /// UTF-8, with Windows-1252 wherever the bytes are no UTF-8: what most feeds are, whatever they declare.
    case adaptive

    /// The same, where the document says so: Latin-1 and ASCII are Windows-1252 in the wild.
    case latin1

    /// One that iconv knows by this name.
    case named(String)
}

/// Decides the encoding from the first bytes of a document, in the order of RFC 7303 §3.
///
/// A byte order mark wins over the charset of the HTTP header, which wins over the XML declaration. `start` holds the
/// first kilobyte at most; `markLength` counts the bytes of the mark, which are to be skipped.
func declaredEncoding(start: [UInt8], contentType: String?) -> (encoding: TextEncoding, markLength: Int) {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.adaptive, 3) }
    if start.starts(with: [0xFF, 0xFE, 0, 0]) { return (.named("UTF-32LE"), 4) }
    if start.starts(with: [0, 0, 0xFE, 0xFF]) { return (.named("UTF-32BE"), 4) }
    if start.starts(with: [0xFF, 0xFE]) { return (.named("UTF-16LE"), 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.named("UTF-16BE"), 2) }
    // Without a mark, the zero bytes around the first markup tell UTF-32 and UTF-16.
    if let name = wideEncoding(start) { return (.named(name), 0) }
    let label = charset(inContentType: contentType) ?? encoding(inDeclaration: start)
    return (label.map(textEncoding) ?? .adaptive, 0)
}

/// Tells UTF-32 and UTF-16 by the zero bytes of the first two characters, the first of which begins markup or JSON.
private func wideEncoding(_ start: [UInt8]) -> String? {
    guard start.count >= 8 else { return nil }
    let zeros = start.prefix(8).map { $0 == 0 }
    func begins(at index: Int) -> Bool { "<{[".utf8.contains(start[index]) }
    if begins(at: 0), zeros[1...3] == [true, true, true], zeros[5...7] == [true, true, true] {
        return "UTF-32LE"
    }
    if begins(at: 3), zeros[0...2] == [true, true, true], zeros[4...6] == [true, true, true] {
        return "UTF-32BE"
    }
    if begins(at: 0), zeros[1], zeros[3] { return "UTF-16LE" }
    return begins(at: 1) && zeros[0] && zeros[2] ? "UTF-16BE" : nil
}

/// Finds the encoding for a label, as common practice reads it rather than as it is meant.
///
/// Latin-1 and ASCII are Windows-1252, and GB2312 is its superset GB18030 (WHATWG Encoding §4.2).
func textEncoding(_ label: String) -> TextEncoding {
    switch label.lowercased() {
    // What is called UTF-7 is not, and would hide markup if it were.
    case "utf-7", "utf-8", "utf8", "unicode-1-1-utf-8", "x-sjis-utf8", "": .adaptive
    case "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
        .latin1
    // A document that could be read so far is not UTF-16, whatever it says.
    case "utf-16", "utf-16le", "utf-16be", "ucs-2", "iso-10646-ucs-2", "utf-32": .adaptive
    case "gb2312", "gbk", "x-gbk", "gb_2312-80": .named("GB18030")
    case "shift_jis", "x-sjis", "shift-jis", "sjis": .named("CP932")
    case "ks_c_5601-1987", "euc-kr", "korean": .named("CP949")
    case "iso-8859-9", "latin5": .named("WINDOWS-1254")
    case let other: .named(other.uppercased())
    }
}

private func charset(inContentType contentType: String?) -> String? {
    guard let contentType else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmed.lowercased() == "charset" else { continue }
        let value = parts[1].trimmed.filter { $0 != "\"" && $0 != "'" }
        return value.isEmpty ? nil : value
    }
    return nil
}

/// Reads `encoding="…"` of an XML declaration that stands at the beginning, blanks before it allowed.
private func encoding(inDeclaration start: [UInt8]) -> String? {
    let text = String(decoding: start.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard let declaration = text.firstRange(of: "<?xml"),
        let keyword = text[declaration.upperBound...].firstRange(of: "encoding")
    else { return nil }
    let rest = text[keyword.upperBound...].drop {
        $0 == " " || $0 == "=" || $0 == "\t" || $0 == "\n" || $0 == "\r"
    }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let value = rest.dropFirst().prefix { $0 != quote }
    return value.isEmpty ? nil : String(value)
}
