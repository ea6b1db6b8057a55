/// The characters of Windows-1252 from 0x80 to 0x9F, where it differs from Latin-1 (WHATWG Encoding, index).
private let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x9D,
    0x017E, 0x0178,
]

/// The code point of a Windows-1252 byte.
func windows1252CodePoint(_ byte: UInt8) -> UInt32 {
    (0x80..<0xA0).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt32(byte)
}

extension [UInt8] {
    /// Appends a code point as UTF-8; it must be none of the surrogates.
    mutating func appendUTF8(_ codePoint: UInt32) {
        switch codePoint {
        case 0..<0x80:
            append(UInt8(codePoint))
        case 0x80..<0x800:
            append(UInt8(0xC0 | codePoint >> 6))
            append(UInt8(0x80 | codePoint & 0x3F))
        case 0x800..<0x10000:
            append(UInt8(0xE0 | codePoint >> 12))
            append(UInt8(0x80 | codePoint >> 6 & 0x3F))
            append(UInt8(0x80 | codePoint & 0x3F))
        default:
            append(UInt8(0xF0 | codePoint >> 18 & 0x07))
            append(UInt8(0x80 | codePoint >> 12 & 0x3F))
            append(UInt8(0x80 | codePoint >> 6 & 0x3F))
            append(UInt8(0x80 | codePoint & 0x3F))
        }
    }
}
