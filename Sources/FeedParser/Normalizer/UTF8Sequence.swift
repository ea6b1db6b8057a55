/// What stands at one place of bytes that may be UTF-8.
enum UTF8Sequence: Equatable {
    /// A whole character of this many bytes, one that XML allows.
    case character(length: Int)

    /// The beginning of a character whose rest has not come yet.
    case incomplete

    /// No UTF-8, or a character that XML forbids.
    case invalid
}

/// Reads the sequence at the beginning of `bytes`, whose first byte is not ASCII (RFC 3629 §4).
func utf8Sequence(_ bytes: UnsafeRawBufferPointer) -> UTF8Sequence {
    let length: Int
    // The least and greatest second byte: they exclude overlong forms, surrogates and what is past U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[0] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return .invalid
    }
    for index in 1..<length {
        guard index < bytes.count else { return .incomplete }
        guard (index == 1 ? second : 0x80...0xBF).contains(bytes[index]) else { return .invalid }
    }
    // U+FFFE and U+FFFF are no characters of XML (XML 1.0 §2.2).
    if bytes[0] == 0xEF, bytes[1] == 0xBF, bytes[2] >= 0xBE { return .invalid }
    return .character(length: length)
}
