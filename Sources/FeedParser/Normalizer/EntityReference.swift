internal import CLibXML2

/// What an entity or character reference stands for.
enum ResolvedReference: Equatable {
    case character(UInt32)

    /// A character that XML does not allow.
    case forbidden

    /// No entity of XML or HTML.
    case unknown
}

/// Resolves the part of a reference between `&` and `;`.
///
/// Numbers from 128 to 159 are Windows-1252 in the wild, as in HTML (WHATWG HTML §13.2.5.80).
func resolveReference(_ name: String) -> ResolvedReference {
    if name.hasPrefix("#") {
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number else { return digits.allSatisfy(\.isHexDigit) ? .forbidden : .unknown }
        let codePoint = (0x80..<0xA0).contains(number) ? windows1252CodePoint(UInt8(number)) : number
        return isCharacter(codePoint) ? .character(codePoint) : .forbidden
    }
    if name == "apos" { return .character(0x27) }
    guard let entity = htmlEntityLookup(name) else { return .unknown }
    return .character(UInt32(entity.pointee.value))
}

/// Whether XML allows the code point (XML 1.0 §2.2).
private func isCharacter(_ codePoint: UInt32) -> Bool {
    switch codePoint {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
}
