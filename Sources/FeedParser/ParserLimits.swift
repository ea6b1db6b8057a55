/// The bounds within which a document is read.
public struct ParserLimits: Sendable, Equatable {
    /// Bytes of the document after it was turned into UTF-8.
    public var decodedByteCount = 128 << 20
    /// Open XML elements at one time.
    public var depth = 250
    /// Episodes; those beyond are dropped with a diagnostic.
    public var episodeCount = 100_000
    /// Bytes of one element's text or of one attribute.
    public var fieldByteCount = 8 << 20
    /// Bytes of a title; what comes after is cut.
    public var titleByteCount = 16 << 10
    /// Bytes that are held back to see whether a comment or CDATA section has an end.
    public var lookaheadByteCount = 4 << 20
    /// Attributes and namespace declarations of one element.
    public var attributeCount = 256
    /// Entries of one list of an episode or feed, such as categories; those beyond are dropped.
    public var listCount = 10_000
    /// Segments of one transcript that a feed links to; those beyond are dropped.
    public var segmentCount = 200_000
    /// JSON objects and arrays within one another.
    public var jsonDepth = 128
    /// Values of a JSON document, which is decoded whole.
    public var jsonValueCount = 2_000_000
    /// Diagnostics; those beyond are dropped.
    public var diagnosticCount = 100

    public init() {}
}
