internal import FoundationEssentials

/// Returns the titles of chapters, from their column, with a mark between them.
func searchText(ofChapters json: String) -> String {
    joined(json) { (chapter: Chapter) in chapter.title ?? "" }
}

/// Returns what is said in a transcript, from its column, with a mark between the segments.
func searchText(ofTranscript json: String) -> String {
    joined(json) { (segment: TranscriptSegment) in segment.text }
}

private func joined<Element: Decodable>(_ json: String, _ text: (Element) -> String) -> String {
    let list = try? JSONDecoder().decode([Element].self, from: Data(json.utf8))
    return (list ?? []).map(text).joined(separator: String(SearchMark.separator))
}

/// Returns the words of HTML notes: tags vanish, entities become characters.
///
/// It is made for the search index, where only words count. What was once indexed is taken out of the index by the
/// same text: a change here needs a migration that empties the index.
func searchText(ofHTML html: String) -> String {
    var html = html
    return html.withUTF8 { bytes in
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        // Where the next `>` is, looked for only once: notes full of `<` must not cost the square of their length.
        var nextEnd = -1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if nextEnd < index {
                    nextEnd = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
                }
                let name = nextEnd < bytes.endIndex ? tagName(bytes[(index + 1)..<nextEnd]) : nil
                // A word may go on behind the end of bold type, and not behind the end of a paragraph.
                if name.map(inlineTags.contains) != true { text.append(UInt8(ascii: " ")) }
                index = name == nil ? index + 1 : nextEnd + 1
            case UInt8(ascii: "&"):
                let entity = readEntity(bytes, from: index)
                text.append(contentsOf: entity.text)
                index = entity.end
            case let byte:
                text.append(byte)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private let inlineTags: Set<String> = [
    "a", "abbr", "b", "cite", "code", "em", "font", "i", "mark", "q", "s", "small", "span", "strong", "sub",
    "sup", "u",
]

/// Returns the name of the tag, in lower case; `nil` where what follows a `<` is no tag.
private func tagName(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    let opened = content.first == UInt8(ascii: "/") ? content.dropFirst() : content
    guard let first = opened.first else { return nil }
    let isMarkup = first == UInt8(ascii: "!") || first == UInt8(ascii: "?")
    guard isMarkup || isLetter(first) else { return nil }
    return String(decoding: opened.prefix(8).prefix(while: isLetter), as: UTF8.self).lowercased()
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func readEntity(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (text: [UInt8], end: Int) {
    let limit = min(bytes.endIndex, start + 12)
    guard let semicolon = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) else {
        return ([UInt8(ascii: "&")], start + 1)
    }
    let name = String(decoding: bytes[(start + 1)..<semicolon], as: UTF8.self)
    guard let scalar = entityScalar(name) else { return ([UInt8(ascii: "&")], start + 1) }
    return (Array(String(Character(scalar)).utf8), semicolon + 1)
}

private func entityScalar(_ name: String) -> Unicode.Scalar? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
        return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if name.hasPrefix("#") {
        return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    }
    return namedEntities[name]
}

/// The entities of HTML that stand in words or between them: Latin-1 and the usual punctuation.
private let namedEntities: [String: Unicode.Scalar] = {
    var entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "lsquo": "‘",
        "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "bull": "•", "euro": "€", "OElig": "Œ",
        "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ",
    ]
    // U+00A0 to U+00FF, in order.
    let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 \
        acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
        Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde \
        Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig \
        ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide \
        oslash ugrave uacute ucirc uuml yacute thorn yuml
        """
    for (offset, name) in latin1.split(separator: " ").enumerated() {
        entities[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
    }
    return entities
}()
