extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        // Most text begins and ends with a letter of ASCII, and needs no look at what Unicode says of it.
        let endsInLetters = utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.first, let last = bytes.last else { return false }
            return 0x21...0x7E ~= first && 0x21...0x7E ~= last
        }
        if endsInLetters == true { return String(self) }
        let isBlank = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
        guard let first = self.first, let last = self.last, isBlank(first) || isBlank(last) else {
            return String(self)
        }
        let start = self.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...end])
    }

    /// The text, or nil where it holds nothing but white space.
    var nonBlank: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}
