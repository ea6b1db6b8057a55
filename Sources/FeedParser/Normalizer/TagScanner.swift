/// A tag as it stands in the text, with the places of its parts.
struct ScannedTag {
    struct Attribute {
        var name: Range<Int>

        /// Without the quotes.
        var value: Range<Int>
    }

    var name = 0..<0
    var attributes: [Attribute] = []
    var isEnd = false

    /// Whether it closes itself with `/>`.
    var isEmpty = false

    /// Whether XML takes it as it stands.
    var isClean = true

    var hasTooManyAttributes = false

    /// Bytes from `<` to `>`.
    var length = 0

    fileprivate mutating func add(_ attribute: Attribute, in bytes: UnsafeRawBufferPointer, limit: Int) {
        if attributes.count >= limit {
            hasTooManyAttributes = true
            isClean = false
        } else if attributes.contains(where: { bytes[$0.name].elementsEqual(bytes[attribute.name]) }) {
            isClean = false
        } else {
            attributes.append(attribute)
        }
    }
}

enum TagScan {
    case tag

    /// The end has not come yet.
    case incomplete

    /// No tag begins here.
    case none
}

/// Reads the tag that begins at `start`, leniently: unquoted and missing values, and blanks where none belong.
///
/// A tag longer than `limit` bytes is no tag; attributes beyond `attributeLimit`, and those given twice, are left out.
/// `tag` is a new one, and is complete only where the result is `.tag`.
func scanTag(
    _ bytes: UnsafeRawBufferPointer, from start: Int, limit: Int, attributeLimit: Int,
    into tag: inout ScannedTag
) -> TagScan {
    let end = min(bytes.count, start + limit)
    let whenEnded: TagScan = end - start >= limit ? .none : .incomplete
    var index = start + 1
    guard index < end else { return whenEnded }

    if bytes[index] == UInt8(ascii: "/") {
        tag.isEnd = true
        index += 1
        guard index < end else { return whenEnded }
    }
    guard isNameStart(bytes[index]) else { return .none }
    let nameStart = index
    while index < end, isNameByte(bytes[index]) { index += 1 }
    guard index < end else { return whenEnded }
    tag.name = nameStart..<index

    while true {
        let gap = index
        while index < end, isBlank(bytes[index]) { index += 1 }
        guard index < end else { return whenEnded }
        switch bytes[index] {
        case UInt8(ascii: ">"):
            tag.length = index + 1 - start
            if tag.isEnd, !tag.attributes.isEmpty || tag.isEmpty { tag.isClean = false }
            return .tag
        case UInt8(ascii: "/"):
            index += 1
            guard index < end else { return whenEnded }
            if bytes[index] == UInt8(ascii: ">") { tag.isEmpty = true } else { tag.isClean = false }
        case UInt8(ascii: "<"):
            // The tag was never closed: it ends here, before the next one.
            guard tag.isEnd || !tag.attributes.isEmpty else { return .none }
            tag.isClean = false
            tag.length = index - start
            return .tag
        case let byte where isNameStart(byte):
            if gap == index { tag.isClean = false }
            guard scanAttribute(bytes, &index, end, &tag, attributeLimit) else { return whenEnded }
        default:
            // Stray bytes between attributes, such as a second quote.
            tag.isClean = false
            index += 1
        }
    }
}

/// Reads one attribute; false where the bytes end within it.
private func scanAttribute(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ end: Int, _ tag: inout ScannedTag,
    _ attributeLimit: Int
) -> Bool {
    let start = index
    while index < end, isNameByte(bytes[index]) { index += 1 }
    let name = start..<index
    while index < end, isBlank(bytes[index]) { index += 1 }
    guard index < end else { return false }
    guard bytes[index] == UInt8(ascii: "=") else {
        tag.isClean = false
        tag.add(.init(name: name, value: name), in: bytes, limit: attributeLimit)
        return true
    }
    index += 1
    while index < end, isBlank(bytes[index]) { index += 1 }
    guard index < end else { return false }
    let quote = bytes[index]
    let value: Range<Int>
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        index += 1
        let valueStart = index
        var firstGreaterThan: Int?
        while index < end, bytes[index] != quote {
            if !isCleanInValue(bytes[index]) {
                tag.isClean = false
                // A tag after a `>`: the quote was forgotten, and the tag ended there.
                if bytes[index] == UInt8(ascii: "<"), let tagEnd = firstGreaterThan {
                    index = tagEnd
                    break
                }
            } else if bytes[index] == UInt8(ascii: ">"), firstGreaterThan == nil {
                firstGreaterThan = index
            }
            index += 1
        }
        guard index < end else { return false }
        if bytes[index] != quote {
            let isEmptyTag = index > valueStart && bytes[index - 1] == UInt8(ascii: "/")
            value = valueStart..<(isEmptyTag ? index - 1 : index)
            if isEmptyTag { index -= 1 }
        } else if let next = startOfNextAttribute(bytes, valueStart..<index, end) {
            tag.isClean = false
            value = valueStart..<next
            index = next
        } else {
            value = valueStart..<index
            index += 1
        }
    } else {
        tag.isClean = false
        let valueStart = index
        while index < end, !isBlank(bytes[index]), bytes[index] != UInt8(ascii: ">") { index += 1 }
        guard index < end else { return false }
        // In `<a href=x/>` the slash closes the tag.
        if bytes[index] == UInt8(ascii: ">"), index > valueStart, bytes[index - 1] == UInt8(ascii: "/") {
            index -= 1
        }
        value = valueStart..<index
    }
    tag.add(.init(name: name, value: value), in: bytes, limit: attributeLimit)
    return true
}

/// Where the name of another attribute begins in a value, because the quote between them was forgotten.
///
/// `url="a length="10"` reads as a value that ends with ` length=`, and goes on right after it.
private func startOfNextAttribute(_ bytes: UnsafeRawBufferPointer, _ value: Range<Int>, _ end: Int) -> Int? {
    guard value.count > 2, bytes[value.upperBound - 1] == UInt8(ascii: "="), value.upperBound + 1 < end,
        isNameByte(bytes[value.upperBound + 1]) || bytes[value.upperBound + 1] == UInt8(ascii: "/")
    else { return nil }
    var start = value.upperBound - 1
    while start > value.lowerBound, isNameByte(bytes[start - 1]) { start -= 1 }
    let isName = start < value.upperBound - 1 && isNameStart(bytes[start])
    return isName && start > value.lowerBound && isBlank(bytes[start - 1]) ? start : nil
}

func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// Whether a name may begin with this byte (XML 1.0 §2.3, everything beyond ASCII taken as a letter).
func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
    default: false
    }
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: isNameStart(byte)
    }
}

func isReferenceByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "#"): true
    default: false
    }
}

/// Whether an attribute value may hold a byte as it is.
private func isCleanInValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), 0x7F, 0..<0x20: false
    default: true
    }
}
