import Foundation

/// Makes a file name's stem of any text: safe on every file system, and at most so many bytes in UTF-8.
///
/// Normalised to NFC; without path separators, control and bidi-control characters, leading dots, dashes and
/// blanks, trailing dots and blanks, and reserved DOS names; cut at a character boundary. Empty for a text that
/// holds nothing of use.
public func cleanFileStem(_ text: String, byteLimit: Int = longestFileNameByteCount) -> String {
    var fit = ""
    for scalar in text.unicodeScalars {
        if isForbidden(scalar) {
            fit += " "
        } else if !isInvisible(scalar) {
            fit.unicodeScalars.append(scalar)
        }
    }
    // What stood between two scalars may be gone: only now do they compose.
    fit = fit.precomposedStringWithCanonicalMapping
    // By scalars: a mark would join itself to the blank or dash before it, or to the slash of the folder.
    let words = fit.unicodeScalars.split(separator: " ").map { String($0) }.joined(separator: " ")
    let stem = cutStem(String(words.unicodeScalars.drop { isUnfitAtStart($0) }), toByteCount: byteLimit)
    // Once it is cut, for what is left may be such a name.
    return isReserved(stem) ? cutStem("_" + stem, toByteCount: byteLimit) : stem
}

/// Cuts a stem, and the dots and blanks that its end would then have.
private func cutStem(_ text: String, toByteCount limit: Int) -> String {
    var stem = cut(text, toByteCount: limit).unicodeScalars
    while let last = stem.last, ". ".unicodeScalars.contains(last) { stem.removeLast() }
    return String(stem)
}

private func isUnfitAtStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: ".- ".unicodeScalars.contains(scalar)
    }
}

/// Reserves a name that no other episode has.
///
/// - Parameters:
///   - text: What the template made, without extension.
///   - id: A short stable mark of the episode, appended only where the name is taken.
///   - isTaken: Whether a stem belongs to another episode or stands in the folder.
public func distinctFileStem(_ text: String, id: String, isTaken: (String) -> Bool) -> String {
    // Room for the dot and the longest extension.
    let limit = longestFileNameByteCount - 8
    let stem = cleanFileStem(text, byteLimit: limit)
    if !stem.isEmpty && !isTaken(stem) { return stem }
    let mark = cleanFileStem(id, byteLimit: 64)
    var number = 1
    while true {
        let suffix = number == 1 ? " (\(mark))" : " (\(mark)-\(number))"
        let room = limit - suffix.utf8.count
        let candidate =
            stem.isEmpty ? String(suffix.dropFirst(2).dropLast()) : cut(stem, toByteCount: room) + suffix
        if !isTaken(candidate) { return candidate }
        number += 1
    }
}

/// The longest name of a file on Linux, in bytes.
public let longestFileNameByteCount = 255

/// Cuts a text to so many bytes at a character boundary.
private func cut(_ text: String, toByteCount limit: Int) -> String {
    var result = ""
    var byteCount = 0
    for character in text {
        byteCount += character.utf8.count
        if byteCount > limit { break }
        result.append(character)
    }
    return result
}

/// What separates paths, names streams and drives, or is a wildcard or a quote somewhere.
private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    "/\\:*?\"<>|".unicodeScalars.contains(scalar)
        || scalar.properties.generalCategory == .control
        || scalar.properties.isWhitespace
}

/// Bidi controls, zero-width characters but joiners, and what no font shows.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D: false
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0x061C, 0xFFF9...0xFFFB: true
    default:
        scalar.properties.generalCategory == .unassigned || scalar.properties.generalCategory == .surrogate
    }
}

private func isReserved(_ stem: String) -> Bool {
    // Blanks before the dot do not count: they go where nothing else stands behind them.
    let name = stem.prefix { $0 != "." }.trimmingWhitespace.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(name) { return true }
    guard name.count == 4, let digit = name.last, digit.isNumber else { return false }
    return name.hasPrefix("COM") || name.hasPrefix("LPT")
}
