/// A list of feeds as programs exchange it: OPML, http://opml.org/spec2.opml.
public struct OPMLDocument: Sendable, Equatable {
    public var title: String?
    /// In the order of the document, each address once.
    public var feeds: [OPMLFeed]
    /// Whether feeds are missing: the document was cut off, lists more than the limit, or has an outline beyond it.
    public var isTruncated = false

    public init(title: String? = nil, feeds: [OPMLFeed] = []) {
        self.title = title
        self.feeds = feeds
    }
}

/// One feed of an OPML document.
public struct OPMLFeed: Sendable, Equatable {
    public var url: String
    public var title: String?
    public var website: String?
    /// The folders that the feed is in, one within another, the outermost first.
    public var folders: [String]

    /// Further places of the feed: of a second entry in another folder, and of its categories.
    public var otherFolders: [[String]] = []

    /// The settings that a list of ours carries, by name; as they are read, the names are in lower case.
    public var settings: [String: String] = [:]

    public init(
        url: String, title: String? = nil, website: String? = nil, folders: [String] = [],
        otherFolders: [[String]] = []
    ) {
        self.url = url
        self.title = title
        self.website = website
        self.folders = folders
        self.otherFolders = otherFolders
    }

    /// All places of the feed, `folders` first.
    public var places: [[String]] { (folders.isEmpty ? [] : [folders]) + otherFolders }
}

/// The namespace of the attributes by which a list of ours carries settings.
public let opmlSettingsNamespace: StaticString = "urn:podget:settings"
