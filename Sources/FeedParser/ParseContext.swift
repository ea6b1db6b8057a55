/// What the parts of a parser share while they read one document.
final class ParseContext {
    let limits: ParserLimits
    /// The address of the document.
    let baseURL: String?
    /// The line of the document that is being read, counted from 1.
    var line = 0
    /// Whether the document ended in its middle, so that what is open ends here too.
    var isCut = false
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
