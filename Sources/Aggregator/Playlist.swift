/// One line of a playlist.
public struct PlaylistEntry: Equatable, Sendable {
    /// The path as the playlist is to name it: relative to the playlist's folder, or absolute.
    public var path: String
    public var title: String
    public var feedTitle: String
    public var duration: Duration?

    public init(path: String, title: String, feedTitle: String, duration: Duration? = nil) {
        self.path = path
        self.title = title
        self.feedTitle = feedTitle
        self.duration = duration
    }
}

/// The second line of every playlist of ours, by which a later run knows that it may rewrite the file.
let playlistMark = "# Written by podget; changes are lost at the next sync"

/// Writes entries as an extended M3U in UTF-8 (M3U8).
///
/// A line break would begin another entry, and a path that begins with `#` would be a comment: both are prevented.
public func m3u8Playlist(_ entries: [PlaylistEntry], title: String) -> String {
    var text = "#EXTM3U\n\(playlistMark)\n#PLAYLIST:\(oneLine(title))\n"
    for entry in entries {
        // Players read whole seconds here, and -1 for unknown.
        let seconds = entry.duration.map { String(Int64(($0 / .seconds(1)).rounded())) } ?? "-1"
        // The comma ends the attributes; players take all that follows it as the title.
        text += "#EXTINF:\(seconds),\(oneLine(entry.feedTitle)) - \(oneLine(entry.title))\n"
        let isRelative = !entry.path.hasPrefix("/")
        text += (isRelative && entry.path.hasPrefix("#") ? "./" : "") + entry.path + "\n"
    }
    return text
}

/// The text without line breaks and other control characters.
private func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
}
