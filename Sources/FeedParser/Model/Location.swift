/// The place that a feed or an episode is about.
public struct Location: Sendable, Equatable, Encodable {
    public var name: String?
    /// A `geo:` address, RFC 5870.
    public var geo: String?
    /// An OpenStreetMap object.
    public var osm: String?
    public var country: String?

    public init(name: String? = nil, geo: String? = nil, osm: String? = nil, country: String? = nil) {
        self.name = name
        self.geo = geo
        self.osm = osm
        self.country = country
    }
}
