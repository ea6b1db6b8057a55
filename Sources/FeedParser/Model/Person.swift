/// Somebody who takes part in a feed or an episode.
public struct Person: Sendable, Equatable, Encodable {
    public var name: String
    public var role: String?
    public var group: String?
    public var href: String?
    public var img: String?

    public init(
        name: String, role: String? = nil, group: String? = nil, href: String? = nil, img: String? = nil
    ) {
        self.name = name
        self.role = role
        self.group = group
        self.href = href
        self.img = img
    }
}
