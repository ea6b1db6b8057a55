/// What the parts of a parser share while they read one document.
final class ParseContext {
    let limits: ParserLimits
    /// The address of the document.
    let baseURL: String?
    private(set) var diagnostics: [Diagnostic] = []

    init(limits: ParserLimits = ParserLimits(), baseURL: String? = nil) {
        self.limits = limits
        self.baseURL = baseURL
    }

    /// Records a fault; beyond the limit it is forgotten, and so is a repetition in the same line.
    func note(line: Int = 0, _ code: Diagnostic.Code, _ message: @autoclosure () -> String) {
        guard diagnostics.count < limits.diagnosticCount else { return }
        if let last = diagnostics.last, last.line == line, last.code == code, line > 0 { return }
        diagnostics.append(Diagnostic(line: line, code: code, message: message()))
    }
}
