/// A part of a playlist's entry that is listed by itself.
public struct PlaylistChapter: Equatable, Sendable {
    public var start: Duration

    /// Nil for the end of the file.
    public var end: Duration?
    public var title: String

    public init(start: Duration, end: Duration? = nil, title: String) {
        self.start = start
        self.end = end
        self.title = title
    }
}

/// Gives each chapter its end, the start of the next one; what comes before the first is a part as well.
///
/// Chapters that begin together or after the end of the file are one too many, and left out. Empty without chapters.
func playlistChapters(
    _ marks: [(start: Duration, title: String?)], title: String, duration: Duration?
) -> [PlaylistChapter] {
    var chapters: [PlaylistChapter] = []
    for mark in marks.sorted(by: { $0.start < $1.start }) {
        if let duration, mark.start >= duration { continue }
        if mark.start == chapters.last?.start { continue }
        if chapters.isEmpty, mark.start > .zero {
            chapters.append(PlaylistChapter(start: .zero, title: title))
        }
        if !chapters.isEmpty { chapters[chapters.count - 1].end = mark.start }
        chapters.append(PlaylistChapter(start: mark.start, title: mark.title ?? "Part \(chapters.count + 1)"))
    }
    return chapters
}

/// mpv's Edit Decision List, version 0 (https://mpv.io, DOCS/edl-mpv.rst): one timeline, a segment for each chapter.
///
/// Each text is preceded by its count of bytes, so that no character in it is taken for another's.
func edlPlaylist(_ entries: [PlaylistEntry], mark: String) -> String {
    func text(_ text: String) -> String { "%\(text.utf8.count)%\(text)" }
    var lines = ["# mpv EDL v0", "# \(mark)"]
    for entry in entries {
        // A line break would end the line, whatever count stands before it.
        guard let path = linePath(entry.path) else { continue }
        if entry.chapters.isEmpty {
            lines.append("\(text(path)),title=\(text(lineTitle(entry)))")
        }
        for chapter in entry.chapters {
            var line = "\(text(path)),start=\(seconds(chapter.start))"
            if let end = chapter.end { line += ",length=\(seconds(end - chapter.start))" }
            lines.append(line + ",title=\(text(oneLine(chapter.title)))")
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

/// A chapter as a track of its own, with VLC's extension that starts and stops it there.
func xspfChapter(_ chapter: PlaylistChapter, of entry: PlaylistEntry) -> String {
    var options = "<vlc:option>start-time=\(seconds(chapter.start))</vlc:option>"
    if let end = chapter.end { options += "<vlc:option>stop-time=\(seconds(end))</vlc:option>" }
    return xspfTrack(
        entry, title: "\(entry.title): \(chapter.title)",
        duration: (chapter.end ?? entry.duration).map { $0 - chapter.start },
        extensions: """
                  <extension application="http://www.videolan.org/vlc/playlist/0">\(options)</extension>

            """)
}

/// Seconds with three digits behind the point.
private func seconds(_ time: Duration) -> String {
    let milliseconds = Int64(max(time, .zero) / .milliseconds(1))
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
}
