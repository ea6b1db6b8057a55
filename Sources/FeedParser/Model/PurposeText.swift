/// Free text for a stated purpose, such as proof of ownership.
public struct PurposeText: Sendable, Equatable, Encodable {
    public var purpose: String?
    public var text: String

    public init(purpose: String? = nil, text: String) {
        self.purpose = purpose
        self.text = text
    }
}
