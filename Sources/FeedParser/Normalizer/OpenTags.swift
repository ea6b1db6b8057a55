import Glibc

/// The names of the elements that are open, the innermost last.
struct OpenTags {
    private var names: [UInt8] = []
    private var starts: [Int] = []

    var isEmpty: Bool { starts.isEmpty }

    /// The name of the root element.
    var first: [UInt8]? {
        if isEmpty { return nil }
        return Array(names[..<(starts.count > 1 ? starts[1] : names.count)])
    }

    /// The name of the innermost element.
    var last: [UInt8]? { starts.last.map { Array(names[$0...]) } }

    mutating func push(_ name: Slice<UnsafeRawBufferPointer>) {
        starts.append(names.count)
        names.append(contentsOf: name)
    }

    mutating func pop() -> [UInt8]? {
        defer { dropLast() }
        return last
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

    /// Whether the innermost element has one of these names, which have two or three letters.
    func lastIs(oneOf candidates: [StaticString]) -> Bool {
        guard let start = starts.last, 2...3 ~= names.count - start else { return false }
        return names.withUnsafeBytes { names in candidates.contains { areEqual(names[start...], $0) } }
    }

    /// How many elements are open within the nearest one of that name; nil where none is open.
    ///
    /// Looks at a bounded number: an end tag that closes hundreds of levels is no end tag but an attack.
    func distance(to name: Slice<UnsafeRawBufferPointer>) -> Int? {
        // Feeds are careless with case.
        distance { areEqual($0, name) }
            ?? distance { $0.count == name.count && $0.elementsEqual(name, by: { $0 | 0x20 == $1 | 0x20 }) }
    }

    private func distance(to isWanted: (Slice<UnsafeRawBufferPointer>) -> Bool) -> Int? {
        names.withUnsafeBytes { names in
            var end = names.count
            var index = starts.count
            while index > max(0, starts.count - 64) {
                index -= 1
                if isWanted(names[starts[index]..<end]) { return starts.count - 1 - index }
                end = starts[index]
            }
            return nil
        }
    }
}

private func areEqual(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBytes = left.base.baseAddress, let rightBytes = right.base.baseAddress else { return true }
    return memcmp(leftBytes + left.startIndex, rightBytes + right.startIndex, left.count) == 0
}

/// Whether a name is exactly this one.
func areEqual(_ name: Slice<UnsafeRawBufferPointer>, _ expected: StaticString) -> Bool {
    guard name.count == expected.utf8CodeUnitCount, let bytes = name.base.baseAddress else { return false }
    return memcmp(bytes + name.startIndex, expected.utf8Start, name.count) == 0
}
