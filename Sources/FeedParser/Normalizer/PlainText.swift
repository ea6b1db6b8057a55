/// Bytes that pass in text: everything but markup, `>` and control characters.
private let isPlainText: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: ">"), 0x7F: false
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20: false
    default: true
    }
}

/// Bytes that pass in a CDATA section: everything but `]` and control characters.
private let isPlainCharacterData: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "]"), 0x7F: false
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20: false
    default: true
    }
}

/// The end of the stretch of text from `start` on that needs no change.
func endOfPlainText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    end(bytes, from: start, isPlainText) { block in
        zeroBytes(block ^ repeated("<")) | zeroBytes(block ^ repeated("&")) | zeroBytes(block ^ repeated(">"))
    }
}

/// The end of the stretch of a CDATA section from `start` on that needs no change.
func endOfCharacterData(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    end(bytes, from: start, isPlainCharacterData) { zeroBytes($0 ^ repeated("]")) }
}

/// Goes on to the first byte that is not plain.
///
/// Eight bytes at a time where `marks` finds none among them, and no control character either.
@inline(__always)
private func end(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ isPlain: [Bool], marks: (UInt64) -> UInt64
) -> Int {
    isPlain.withUnsafeBufferPointer { isPlain in
        var index = start
        while index + 8 <= bytes.count {
            let block = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let controls = zeroBytes(block & 0xE0E0_E0E0_E0E0_E0E0) | zeroBytes(block ^ repeated("\u{7F}"))
            if controls | marks(block) != 0 {
                let blockEnd = index + 8
                while index < blockEnd, isPlain[Int(bytes[index])] { index += 1 }
                if index < blockEnd { return index }
            } else {
                index += 8
            }
        }
        while index < bytes.count, isPlain[Int(bytes[index])] { index += 1 }
        return index
    }
}

/// The high bit of each byte that is zero.
@inline(__always)
private func zeroBytes(_ block: UInt64) -> UInt64 {
    // The sum stays within each byte, and sets its high bit unless the low seven are zero.
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~((block & low) &+ low | block | low)
}

/// A block of eight equal bytes.
@inline(__always)
private func repeated(_ character: Unicode.Scalar) -> UInt64 {
    UInt64(character.value) &* 0x0101_0101_0101_0101
}

/// The names of the elements that are open, the innermost last.
struct OpenTags {
    private var names: [UInt8] = []
    private var starts: [Int] = []

    var isEmpty: Bool { starts.isEmpty }

    mutating func push(_ name: Slice<UnsafeRawBufferPointer>) {
        starts.append(names.count)
        names.append(contentsOf: name)
    }

    mutating func pop() -> [UInt8]? {
        guard let start = starts.last else { return nil }
        let name = Array(names[start...])
        dropLast()
        return name
    }

    mutating func dropLast() {
        guard let start = starts.popLast() else { return }
        names.removeLast(names.count - start)
    }

    /// Whether the innermost element has this name.
    func lastIs(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let start = starts.last, names.count - start == name.count else { return false }
        return names.withUnsafeBytes { areEqual($0[start...], name) }
    }

    /// Whether the innermost element has one of these names.
    func lastIs(oneOf candidates: [[UInt8]]) -> Bool {
        guard let start = starts.last, names.count - start <= 3 else { return false }
        return candidates.contains { names[start...].elementsEqual($0) }
    }

    /// How many elements are open within the nearest one of that name; nil where none is open.
    ///
    /// Looks at a bounded number: an end tag that closes hundreds of levels is no end tag but an attack.
    func distance(to name: Slice<UnsafeRawBufferPointer>) -> Int? {
        var end = names.count
        return names.withUnsafeBytes { names in
            for (distance, start) in starts.reversed().prefix(64).enumerated() {
                if areEqual(names[start..<end], name) { return distance }
                end = start
            }
            // Feeds are careless with case.
            end = names.count
            for (distance, start) in starts.reversed().prefix(64).enumerated() {
                if names[start..<end].elementsEqual(name, by: { $0 | 0x20 == $1 | 0x20 }) { return distance }
                end = start
            }
            return nil
        }
    }
}

private func areEqual(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard left.count == right.count else { return false }
    for offset in 0..<left.count where left[left.startIndex + offset] != right[right.startIndex + offset] {
        return false
    }
    return true
}

/// Counts the lines of text that passed.
final class LineCounter {
    private(set) var line = 1
    /// How much of the present piece is counted, so that no byte is looked at twice.
    private var countedCount = 0

    /// Counts on to `index` of a piece, and gives the line there.
    func line(at index: Int, of piece: UnsafeRawBufferPointer) -> Int {
        if index > countedCount {
            line += lineBreakCount(piece[countedCount..<index])
            countedCount = index
        }
        return line
    }

    /// Ends a piece, of which the bytes up to `index` have passed.
    func endPiece(at index: Int, _ piece: UnsafeRawBufferPointer) {
        _ = line(at: index, of: piece)
        countedCount = 0
    }
}

/// Counts the line feeds, eight bytes at a time.
func lineBreakCount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    var count = 0
    var index = 0
    while index + 8 <= bytes.count {
        let block = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let lineFeeds = zeroBytes(block ^ repeated("\n"))
        if lineFeeds != 0 { count += lineFeeds.nonzeroBitCount }
        index += 8
    }
    while index < bytes.count {
        if bytes[index] == 0x0A { count += 1 }
        index += 1
    }
    return count
}
