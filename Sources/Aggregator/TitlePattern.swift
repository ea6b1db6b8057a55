import Glibc

/// A regular expression on titles, of the kind that `grep -E -i` takes.
///
/// The C library's matcher is used because titles come from strangers: it goes through a text once where a backtracking
/// one can be kept busy for hours.
final class TitlePattern {
    private let expression: UnsafeMutablePointer<regex_t>

    /// Returns nil for what is no regular expression; `\1` and its like are refused, for they need backtracking.
    init?(_ pattern: String) {
        guard pattern.utf8.count <= 1000, !Self.hasBackReference(pattern) else { return nil }
        let expression = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        guard regcomp(expression, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0 else {
            expression.deallocate()
            return nil
        }
        self.expression = expression
    }

    deinit {
        regfree(expression)
        expression.deallocate()
    }

    func fits(_ title: String) -> Bool {
        regexec(expression, title, 0, nil, 0) == 0
    }

    private static func hasBackReference(_ pattern: String) -> Bool {
        var isEscaped = false
        for byte in pattern.utf8 {
            if isEscaped, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }
}
