import FoundationEssentials

/// What the parts of a parser share while they read one document.
final class ParseContext {
    let limits: ParserLimits
    /// The address of the document.
    let baseURL: String?
    /// The line of the document that is being read, counted from 1.
    var line = 0
    private(set) var diagnostics: [Diagnostic] = []

    init(limits: ParserLimits = ParserLimits(), baseURL: String? = nil) {
        self.limits = limits
        self.baseURL = baseURL
    }

    var takesMore: Bool { diagnostics.count < limits.diagnosticCount }

    /// Records a fault in the line that is being read.
    func note(_ code: Diagnostic.Code, _ message: @autoclosure () -> String) {
        note(line: line, code, message())
    }

    /// Records a fault; beyond the limit it is forgotten, and so is a repetition in the same line.
    func note(line: Int, _ code: Diagnostic.Code, _ message: @autoclosure () -> String) {
        guard takesMore else { return }
        if let last = diagnostics.last, last.line == line, last.code == code, line > 0 { return }
        diagnostics.append(Diagnostic(line: line, code: code, message: message()))
    }
}

extension ParseContext {
    /// Reads a date; one that cannot be read is dropped with a diagnostic.
    func date(_ text: String?) -> Date? {
        guard let text = text?.nonBlank else { return nil }
        if let date = parseFeedDate(text) { return date }
        note(.badDate, "'\(text.prefix(80))' is no date")
        return nil
    }

    /// Reads a duration in seconds; one that cannot be read is dropped with a diagnostic.
    func duration(_ text: String?) -> Double? {
        guard let text = text?.nonBlank else { return nil }
        if let duration = parseFeedDuration(text) { return duration }
        note(.badDuration, "'\(text.prefix(80))' is no duration")
        return nil
    }
}
