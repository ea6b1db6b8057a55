import FeedParser

/// One line of a playlist.
public struct PlaylistEntry: Equatable, Sendable {
    /// The path as the playlist is to name it: relative to the playlist's folder, or absolute.
    public var path: String
    public var title: String
    public var feedTitle: String
    public var duration: Duration?

    /// The address of the artwork.
    public var image: String?

    /// The parts to list instead of the whole; only XSPF and EDL have them.
    public var chapters: [PlaylistChapter]

    public init(
        path: String, title: String, feedTitle: String, duration: Duration? = nil, image: String? = nil,
        chapters: [PlaylistChapter] = []
    ) {
        self.path = path
        self.title = title
        self.feedTitle = feedTitle
        self.duration = duration
        self.image = image
        self.chapters = chapters
    }
}

/// A format of playlist files, named as their extension.
public enum PlaylistFormat: String, CaseIterable, Sendable {
    case m3u8, pls, xspf

    /// mpv's Edit Decision List.
    case edl

    /// Whether an entry can be a chapter.
    public var hasChapters: Bool { self == .xspf || self == .edl }

    /// The format that the extension of a file names.
    public init?(file: String) {
        guard let dot = file.lastIndex(of: "."), !file[dot...].contains("/") else { return nil }
        self.init(rawValue: file[dot...].dropFirst().lowercased())
    }
}

/// Writes entries as a playlist in UTF-8, whose second line tells that it is ours.
///
/// `isKept` adds to that line that the next sync writes the file again.
public func playlistText(
    _ entries: [PlaylistEntry], title: String, format: PlaylistFormat = .m3u8, isKept: Bool = false
) -> String {
    let mark = ownershipMark + (isKept ? "; changes are lost at the next sync" : "")
    return switch format {
    case .m3u8: m3u8Playlist(entries, title: title, mark: mark)
    case .pls: plsPlaylist(entries, mark: mark)
    case .xspf: xspfPlaylist(entries, title: title, mark: mark)
    case .edl: edlPlaylist(entries, mark: mark)
    }
}

/// Extended M3U in UTF-8 (M3U8).
///
/// A line break would begin another entry, and a path that begins with `#` would be a comment: both are prevented.
private func m3u8Playlist(_ entries: [PlaylistEntry], title: String, mark: String) -> String {
    var text = "#EXTM3U\n# \(mark)\n#PLAYLIST:\(oneLine(title))\n"
    for entry in entries {
        guard let path = linePath(entry.path) else { continue }
        // The comma ends the attributes; players take all that follows it as the title.
        text += "#EXTINF:\(wholeSeconds(entry.duration)),\(lineTitle(entry))\n\(path)\n"
    }
    return text
}

/// The PLS format of Winamp and SHOUTcast, version 2.
private func plsPlaylist(_ entries: [PlaylistEntry], mark: String) -> String {
    var text = "[playlist]\n; \(mark)\n"
    var count = 0
    for entry in entries {
        guard let path = linePath(entry.path) else { continue }
        count += 1
        text += "File\(count)=\(path)\nTitle\(count)=\(lineTitle(entry))\n"
        text += "Length\(count)=\(wholeSeconds(entry.duration))\n"
    }
    return text + "NumberOfEntries=\(count)\nVersion=2\n"
}

/// XSPF version 1, https://www.xspf.org/spec, with the show as album and creator.
private func xspfPlaylist(_ entries: [PlaylistEntry], title: String, mark: String) -> String {
    // The name space of VLC's options, which only chapters have.
    let space =
        entries.allSatisfy(\.chapters.isEmpty)
        ? "" : " xmlns:vlc=\"http://www.videolan.org/vlc/playlist/ns/0/\""
    var text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- \(mark) -->
        <playlist version="1" xmlns="http://xspf.org/ns/0/"\(space)>
          <title>\(escapedForXML(title))</title>
          <trackList>

        """
    for entry in entries {
        if entry.chapters.isEmpty {
            text += xspfTrack(entry, title: entry.title, duration: entry.duration)
        }
        for chapter in entry.chapters { text += xspfChapter(chapter, of: entry) }
    }
    return text + "  </trackList>\n</playlist>\n"
}

/// One track of an XSPF playlist, its extensions last as the schema has it.
func xspfTrack(
    _ entry: PlaylistEntry, title: String, duration: Duration?, extensions: String = ""
) -> String {
    var text = "    <track>\n      <location>\(uriReference(entry.path))</location>\n"
    text += "      <title>\(escapedForXML(title))</title>\n"
    text += "      <creator>\(escapedForXML(entry.feedTitle))</creator>\n"
    if let image = entry.image.flatMap(webAddress) {
        text += "      <image>\(escapedForXML(image))</image>\n"
    }
    text += "      <album>\(escapedForXML(entry.feedTitle))</album>\n"
    if let duration, duration >= .zero {
        text += "      <duration>\(Int64(duration / .milliseconds(1)))</duration>\n"
    }
    return text + extensions + "    </track>\n"
}

/// A path on a line of its own; nil where the name holds a line break, which no such line can say.
func linePath(_ path: String) -> String? {
    guard !path.unicodeScalars.contains(where: isLineBreak) else { return nil }
    // `#` and `;` begin comments, and blanks at the beginning are cut off.
    let isMisread = path.first.map { "#;".contains($0) || $0.isWhitespace } ?? false
    return isMisread ? "./" + path : path
}

func lineTitle(_ entry: PlaylistEntry) -> String {
    "\(oneLine(entry.feedTitle)) - \(oneLine(entry.title))"
}

/// Players read whole seconds here, and -1 for unknown.
private func wholeSeconds(_ duration: Duration?) -> String {
    duration.map { String(Int64(($0 / .seconds(1)).rounded())) } ?? "-1"
}

/// The path as a URI reference (RFC 3986 §4): every byte but plain ones percent-encoded, so that no colon of a
/// relative path reads as the end of a scheme.
private func uriReference(_ path: String) -> String {
    let url = fileURL(path)
    return path.hasPrefix("/") ? url : String(url.dropFirst("file://".count))
}

/// An address as XML schemas take it: http or https, of the characters of RFC 3986 only, without credentials.
private func webAddress(_ url: String) -> String? {
    let shown = shownAddress(url)
    let isWeb = shown.lowercased().hasPrefix("http://") || shown.lowercased().hasPrefix("https://")
    let isPlain = shown.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
    return isWeb && isPlain ? shown : nil
}

/// The text without line breaks and other control characters.
func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
}

private func isLineBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
}
