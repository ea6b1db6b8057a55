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
    end(bytes, from: start, isPlainText)
}

/// The end of the stretch of a CDATA section from `start` on that needs no change.
func endOfCharacterData(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    end(bytes, from: start, isPlainCharacterData)
}

private func end(_ bytes: UnsafeRawBufferPointer, from start: Int, _ isPlain: [Bool]) -> Int {
    isPlain.withUnsafeBufferPointer { isPlain in
        var index = start
        while index < bytes.count, isPlain[Int(bytes[index])] { index += 1 }
        return index
    }
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
        guard let start = starts.popLast() else { return nil }
        let name = Array(names[start...])
        names.removeSubrange(start...)
        return name
    }

    /// How many elements are open within the nearest one of that name; nil where none is open.
    ///
    /// Looks at a bounded number: an end tag that closes hundreds of levels is no end tag but an attack.
    func distance(to name: Slice<UnsafeRawBufferPointer>) -> Int? {
        var end = names.count
        for (distance, start) in starts.reversed().prefix(64).enumerated() {
            if names[start..<end].elementsEqual(name) { return distance }
            end = start
        }
        return nil
    }
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

func lineBreakCount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    UnsafeRawBufferPointer(rebasing: bytes).reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
}
