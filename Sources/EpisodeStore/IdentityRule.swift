/// The rule by which an incoming episode was recognised as one that is stored, or found to be new.
public enum IdentityRule: String, Codable, CaseIterable, Sendable {
    /// Nothing stored is the same.
    case new

    /// The guid is equal.
    case guid

    /// The enclosure has the same address but for its query, and the guid is new or absent.
    case enclosure

    /// There is no guid, and the link is equal.
    case link

    /// There is neither guid nor link, and the enclosure has the same address.
    case enclosureURL

    /// There is neither guid, link nor enclosure, and title and date are equal.
    case titleAndDate

    /// The whole catalogue was rewritten, and title and date are equal.
    case rewrittenCatalogue
}
