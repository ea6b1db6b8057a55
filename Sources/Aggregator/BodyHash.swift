/// A hash of a document's bytes, however they were cut into pieces.
///
/// It tells a document from the one before it, for servers that do not. It guards nothing: a feed that makes two of
/// its documents collide hides news from nobody but its own listeners.
struct BodyHash {
    private var value: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var byteCount: UInt64 = 0
    /// Up to seven bytes that wait for the next ones.
    private var rest: UInt64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while byteCount % 8 != 0, offset < bytes.count {
            addByte(bytes[offset])
            offset += 1
        }
        while offset + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
            byteCount += 8
        }
        for byte in bytes[offset...] { addByte(byte) }
    }

    /// The hash of all bytes so far, in hexadecimal digits.
    var text: String {
        var last = self
        last.mix(rest)
        last.mix(byteCount)
        return String(last.value, radix: 16)
    }

    private mutating func addByte(_ byte: UInt8) {
        rest |= UInt64(byte) << (byteCount % 8 * 8)
        byteCount += 1
        if byteCount % 8 == 0 {
            mix(rest)
            rest = 0
        }
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }
}
