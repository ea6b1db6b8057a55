/// An image in one of its sizes or uses.
public struct Artwork: Sendable, Equatable, Encodable {
    public var url: String
    /// Pixels.
    public var width: Int?
    /// Pixels.
    public var height: Int?
    public var purpose: String?
    public var type: String?
    public var alt: String?

    public init(
        url: String, width: Int? = nil, height: Int? = nil, purpose: String? = nil, type: String? = nil,
        alt: String? = nil
    ) {
        self.url = url
        self.width = width
        self.height = height
        self.purpose = purpose
        self.type = type
        self.alt = alt
    }
}
