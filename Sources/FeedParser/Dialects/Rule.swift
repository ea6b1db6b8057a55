/// What the parser does with an element that it knows.
enum Rule: Sendable {
    typealias Handler = @Sendable (inout Draft, Field) -> Void

    /// Takes the attributes and leaves out what the element contains.
    case attributes(Handler)

    /// Takes the attributes and the text; tags within it are left out.
    case text(Handler)

    /// Takes the attributes and the text; tags within it are kept as markup.
    case markup(Handler)

    /// Goes on with the rules of another level; the handlers are called at the start and the end tag.
    ///
    /// The field at the end holds the text that stands directly in the element.
    case level(Level, begin: Handler? = nil, end: Handler? = nil)

    /// Looks at the children as if the element were not there.
    case transparent
}

/// A place in a document, with the elements that are known there.
enum Level: Int, CaseIterable, Sendable {
    /// Right under `rss` or `rdf:RDF`.
    case root
    case feed
    case entry
    /// Under an element that is not known: feeds and entries are still found there.
    case wrapper
    case person
    case image
    case skipHours, skipDays
    case itunesCategory
    case podroll, publisher
    case value
    case alternateEnclosure
    case mediaContent
    case chapters
}

/// The content of one element: its attributes and its text.
struct Field {
    let element: Element
    let attributes: [Attribute]
    var text: String
    /// Whether tags stood in the text and were kept.
    var hasMarkup = false

    /// An attribute's value without blanks around it; nil where it is empty or absent.
    subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value.nonBlank
    }
}

/// The best of the values that a document gives for one thing.
struct Best<Value> {
    private(set) var value: Value?
    private var rank = Int.max

    init() {}

    /// Takes a value of a lower rank than the one before; of equals, the first.
    mutating func offer(_ candidate: Value?, rank newRank: Int) {
        guard let candidate, newRank < rank else { return }
        value = candidate
        rank = newRank
    }
}

extension Best: Sendable where Value: Sendable {}
