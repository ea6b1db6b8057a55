public import FoundationEssentials

/// The second line of every list of ours, by which a later run knows that it may replace the file.
public let opmlMark = "<!-- Written by podget -->"

/// Writes a list of feeds as OPML 2.0, http://opml.org/spec2.opml.
///
/// Settings become attributes of a namespace of their own, which other programs pass over. Folders become outlines around their feeds, where the first of these stands; `category` names all places. The
/// second line tells by `opmlMark` who wrote the list.
public func writeOPML(_ document: OPMLDocument) -> Data {
    let top = Folder()
    for feed in document.feeds {
        let folder = feed.folders.reduce(top) { $0.folder(named: $1) }
        folder.entries.append(.feed(feed))
    }
    let namespace =
        document.feeds.contains { !$0.settings.isEmpty } ? " xmlns:podget=\"\(opmlSettingsNamespace)\"" : ""
    var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        \(opmlMark)
        <opml version="2.0"\(namespace)>
          <head>

        """
    if let title = document.title { text += "    <title>\(escapedForXML(title))</title>\n" }
    text += "  </head>\n  <body>\n"
    top.write(to: &text, indent: "    ")
    text += "  </body>\n</opml>\n"
    return Data(text.utf8)
}

/// The feeds and folders within a folder.
private final class Folder {
    enum Entry {
        case feed(OPMLFeed)
        case folder(name: String, Folder)
    }

    var entries: [Entry] = []
    private var folders: [String: Folder] = [:]

    /// Finds a folder, or adds it at the end.
    func folder(named name: String) -> Folder {
        if let folder = folders[name] { return folder }
        let folder = Folder()
        folders[name] = folder
        entries.append(.folder(name: name, folder))
        return folder
    }

    func write(to text: inout String, indent: String) {
        for entry in entries {
            switch entry {
            case .feed(let feed):
                text += "\(indent)<outline\(attributes(of: feed))/>\n"
            case .folder(let name, let folder):
                text += "\(indent)<outline text=\"\(escapedForXML(name))\">\n"
                folder.write(to: &text, indent: indent + "  ")
                text += "\(indent)</outline>\n"
            }
        }
    }
}

private func attributes(of feed: OPMLFeed) -> String {
    // Readers want `text` and `type` in every outline; `rss` stands for feeds of all formats.
    var attributes = [("type", "rss"), ("text", feed.title ?? feed.url)]
    if let title = feed.title { attributes.append(("title", title)) }
    attributes.append(("xmlUrl", feed.url))
    if let website = feed.website { attributes.append(("htmlUrl", website)) }
    if let category = category(feed.places) { attributes.append(("category", category)) }
    attributes += feed.settings.sorted { $0.key < $1.key }.map { ("podget:\($0.key)", $0.value) }
    return attributes.map { " \($0)=\"\(escapedForXML($1))\"" }.joined()
}

/// Writes places as categories, without those in which a name holds what would part it; nil where none is left.
private func category(_ places: [[String]]) -> String? {
    let writable = places.filter { place in
        place.allSatisfy { !$0.contains(",") && !$0.contains("/") }
    }
    let paths = writable.map { place in place.map { "/" + $0 }.joined() }
    return paths.isEmpty ? nil : paths.joined(separator: ",")
}

/// Escapes what XML does not take as it is, in text and in quoted values; control characters become blanks.
package func escapedForXML(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, character in
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "\u{0}"..<" ", "\u{7F}", "\u{FFFE}", "\u{FFFF}": escaped += " "
        default: escaped.unicodeScalars.append(character)
        }
    }
}
