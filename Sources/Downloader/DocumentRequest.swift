/// One small document to fetch: a feed, a page, chapters.
public struct DocumentRequest: Sendable {
    public var url: String
    /// The validator of the copy at hand; an unchanged document then comes back as 304 without a body.
    public var etag: String?
    public var lastModified: String?
    public var userAgent: String?
    public var credentials: Credentials?
    /// The most bytes accepted, counted after decompression.
    public var byteLimit: Int64 = 64 << 20
    public var acceptHeader: String?
    public var totalTimeout: Duration = .seconds(120)

    public init(url: String) {
        self.url = url
    }
}

/// What came of a `DocumentRequest`.
public struct Document<Output: Sendable>: Sendable {
    public var head: ResponseHead
    /// What the receiver made of the body; nil for 304, which has none.
    public var output: Output?

    public init(head: ResponseHead, output: Output?) {
        self.head = head
        self.output = output
    }
}

/// Takes the body of one document, piece by piece.
///
/// Made, used and finished on the loop's thread, so it need not be `Sendable`. An error thrown here ends the
/// transfer and comes out as `TransferError.receiver`.
public protocol BodyReceiver: SendableMetatype {
    associatedtype Output: Sendable

    /// Takes the next bytes, which are gone after the call.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws

    mutating func finish() throws -> Output
}
