extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
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
