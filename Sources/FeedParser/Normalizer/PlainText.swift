import Glibc

/// Whether a byte passes in text: everything but markup, `>` and control characters.
private func isPlainText(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: ">"): false
    default: !isForbiddenControl(byte)
    }
}

/// Whether a byte is a control character that is left out (XML 1.0 §2.2 forbids all but DEL).
private func isForbiddenControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F: true
    default: false
    }
}

/// The end of the stretch of text from `start` on that needs no change.
func endOfPlainText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    end(bytes, from: start, isPlainText) { block in
        zeroMark(block ^ repeated("<")) | zeroMark(block ^ repeated("&")) | zeroMark(block ^ repeated(">"))
    }
}

/// The end of the stretch of a CDATA section from `start` on that needs no change.
func endOfCharacterData(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let first = bytes.baseAddress, start < bytes.count else { return start }
    let bracket = memchr(first + start, Int32(UInt8(ascii: "]")), bytes.count - start)
    let end = bracket.map { first.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
    return endWithoutControls(UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: start)
}

/// The first control character that XML forbids, 32 bytes at a time.
func endWithoutControls(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 32 <= bytes.count {
        let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
        let marks =
            controlMarks(block[0]) | controlMarks(block[1]) | controlMarks(block[2]) | controlMarks(block[3])
        if marks & repeated("\u{80}") != 0 {
            let blockEnd = index + 32
            while index < blockEnd, !isForbiddenControl(bytes[index]) { index += 1 }
            if index < blockEnd { return index }
        } else {
            index += 32
        }
    }
    while index < bytes.count, !isForbiddenControl(bytes[index]) { index += 1 }
    return index
}

/// Goes on to the first byte that is not plain.
///
/// Eight bytes at a time where `marks` finds none among them, and no control character either.
@inline(__always)
private func end(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ isPlain: (UInt8) -> Bool, marks: (UInt64) -> UInt64
) -> Int {
    var index = start
    while index + 8 <= bytes.count {
        let block = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if (controlMarks(block) | marks(block)) & repeated("\u{80}") != 0 {
            let blockEnd = index + 8
            while index < blockEnd, isPlain(bytes[index]) { index += 1 }
            if index < blockEnd { return index }
        } else {
            index += 8
        }
    }
    while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    return index
}

/// Has the high bit of some byte set if and only if the block holds a control character of ASCII.
@inline(__always)
private func controlMarks(_ block: UInt64) -> UInt64 {
    (block &- repeated(" ")) & ~block | zeroMark(block ^ repeated("\u{7F}"))
}

/// Has the high bit of some byte set if and only if some byte of the block is zero.
@inline(__always)
private func zeroMark(_ block: UInt64) -> UInt64 {
    // A zero borrows from its high bit; the lowest byte that does so is zero.
    (block &- repeated("\u{1}")) & ~block
}

/// A block of eight equal bytes.
@inline(__always)
private func repeated(_ character: Unicode.Scalar) -> UInt64 {
    UInt64(character.value) &* 0x0101_0101_0101_0101
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

/// Counts the line feeds.
func lineBreakCount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    guard let first = bytes.baseAddress else { return 0 }
    var count = 0
    var index = 0
    // The C library looks at many bytes at once.
    while index < bytes.count, let found = memchr(first + index, 0x0A, bytes.count - index) {
        count += 1
        index = first.distance(to: UnsafeRawPointer(found)) + 1
    }
    return count
}
