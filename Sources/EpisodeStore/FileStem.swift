/// Chooses a file name without extension that no other in the folder equals.
///
/// Names that differ only in case or in the composition of their accents are one file on some systems. The episode's
/// number tells equal names apart, so that the choice depends on nothing that happens later. The result is at most
/// `maxByteCount` bytes long and cut between two characters; what is left of 255 is for the extension and for a
/// temporary name. `isTaken` is asked for names in lower case.
func chooseFileStem(
    _ preferred: String, number: EpisodeID, maxByteCount: Int = 240, isTaken: (String) -> Bool
) -> String {
    // Swift compares strings by canonical equivalence, so that composed and decomposed accents are equal.
    let plain = cut(preferred, maxByteCount)
    guard isTaken(plain.lowercased()) else { return plain }
    var suffix = " (\(number))"
    var attempt = 1
    while true {
        let stem = cut(preferred, maxByteCount - suffix.utf8.count) + suffix
        guard isTaken(stem.lowercased()) else { return stem }
        attempt += 1
        suffix = " (\(number)-\(attempt))"
    }
}

private func cut(_ text: String, _ byteCount: Int) -> String {
    guard text.utf8.count > byteCount else { return text }
    var result = ""
    var count = 0
    for character in text {
        count += character.utf8.count
        guard count <= byteCount else { break }
        result.append(character)
    }
    while let last = result.last, last == " " || last == "." {
        result.removeLast()
    }
    return result
}
