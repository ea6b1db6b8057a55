/// A hash of all that a feed says about an episode, by which a refresh sees what really changed.
///
/// It is kept in the database, so it must be the same in every process: Swift's own `Hasher` is seeded. A feed that
/// makes two of its texts collide deceives nobody but itself.
struct ContentHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func combine(_ number: UInt64) {
        value = (value ^ number) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }

    mutating func combine(_ number: Int64?) {
        combine(number == nil ? 0 : 1 as UInt64)
        combine(UInt64(bitPattern: number ?? 0))
    }

    mutating func combine(_ text: String?) {
        guard var text else { return combine(UInt64.max) }
        text.withUTF8 { bytes in
            combine(UInt64(bytes.count))
            let raw = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset + 8 <= raw.count {
                combine(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            var rest: UInt64 = 0
            for byte in raw[offset...] {
                rest = rest << 8 | UInt64(byte)
            }
            combine(rest)
        }
    }
}
