/// A fault in a document that was repaired or ignored.
public struct Diagnostic: Sendable, Equatable, Encodable {
    /// The line in the document, counted from 1; 0 where no line is known.
    public var line: Int
    public var code: Code
    public var message: String

    public init(line: Int, code: Code, message: String) {
        self.line = line
        self.code = code
        self.message = message
    }

    /// The kind of fault.
    public enum Code: String, Sendable, Equatable, Encodable {
        case ampersand
        case badDate
        case badDuration
        case badEpisode
        case badReference
        case controlCharacter
        case encoding
        case entity
        case fieldTooLong
        case junk
        case markup
        case tooManyAttributes
        case tooManyEpisodes
        case truncated
        case xml
    }
}
