import Glibc

/// A regular expression on titles, of the kind that `grep -E -i` takes.
///
/// The C library's matcher is used because titles come from strangers: it goes through a text once where a backtracking
/// one can be kept busy for hours.
final class TitlePattern {
    private let expression: UnsafeMutablePointer<regex_t>

    /// Returns nil for what is no regular expression; `\1` and its like are refused, for they need backtracking, and
    /// repetitions within repetitions (`(a{99}){99}`), for the matcher writes them out.
    init?(_ pattern: String) {
        guard pattern.utf8.count <= 1000, !Self.hasBackReference(pattern),
            Self.repetitionProduct(pattern) <= 5000
        else { return nil }
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

    /// The product of all counts in braces: at least as often a character is written out.
    private static func repetitionProduct(_ pattern: String) -> Int {
        var product = 1
        for part in pattern.utf8.split(separator: UInt8(ascii: "{")).dropFirst() {
            let counts = part.prefix { $0 != UInt8(ascii: "}") }.split(separator: UInt8(ascii: ","))
                .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            let (result, overflow) = product.multipliedReportingOverflow(by: max(counts.max() ?? 1, 1))
            product = overflow ? .max : result
        }
        return product
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
