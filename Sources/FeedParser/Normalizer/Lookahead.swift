import Glibc

/// Searches the input for the end of a comment or section before it is believed to be one.
///
/// It remembers how far it has searched, so that no byte is looked at twice.
struct Lookahead {
    enum Result {
        case closed, open

        /// More of the input must come.
        case unknown
    }

    /// What may be the end; all begin with the same byte.
    let marks: [[UInt8]]

    /// Before this place, counted from the beginning of the input, no mark begins that was not passed.
    private var searchedByteCount = 0

    init(marks: [String]) {
        self.marks = marks.map { Array($0.utf8) }
    }

    /// Whether a mark begins at `start` or after it in a piece that has `offset` bytes of the input before it.
    mutating func isFound(in bytes: UnsafeRawBufferPointer, at offset: Int, from start: Int) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        var index = max(start, searchedByteCount - offset)
        while index < bytes.count, let found = memchr(base + index, Int32(marks[0][0]), bytes.count - index) {
            index = base.distance(to: UnsafeRawPointer(found))
            for mark in marks where bytes[index...].starts(with: mark) {
                searchedByteCount = offset + index
                return true
            }
            index += 1
        }
        // The last bytes may be the beginning of a mark.
        searchedByteCount = max(searchedByteCount, offset + max(start, bytes.count - 3))
        return false
    }
}

/// Where the first end tag of that name begins, upper or lower case.
func firstEndTag(of name: [UInt8], in bytes: UnsafeRawBufferPointer, after start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var index = start
    while index < bytes.count, let found = memchr(base + index, Int32(UInt8(ascii: "<")), bytes.count - index)
    {
        index = base.distance(to: UnsafeRawPointer(found))
        if isEndTag(of: name, in: bytes, at: index) { return index }
        index += 1
    }
    return nil
}

/// Where the last end tag of that name begins, upper or lower case.
func lastEndTag(of name: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = bytes.count
    while let found = bytes[..<index].lastIndex(of: UInt8(ascii: "<")) {
        if isEndTag(of: name, in: bytes, at: found) { return found }
        index = found
    }
    return nil
}

private func isEndTag(of name: [UInt8], in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    let nameStart = start + 2
    let end = nameStart + name.count
    guard end < bytes.count, bytes[start + 1] == UInt8(ascii: "/"),
        isBlank(bytes[end]) || bytes[end] == UInt8(ascii: ">")
    else { return false }
    return bytes[nameStart..<end].elementsEqual(name) { $0 | 0x20 == $1 | 0x20 }
}
