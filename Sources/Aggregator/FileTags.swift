import CTagWriter
import Downloader

/// What is written into a media file, so that any player shows it; nil for what stays as it is.
struct FileTags: Equatable, Codable {
    struct Picture: Equatable, Codable {
        /// The file of the picture.
        var path: String

        /// Such as `image/jpeg`.
        var type: String
    }

    struct Chapter: Equatable, Codable {
        var start: Duration
        var end: Duration
        var title: String?
    }

    var title: String?
    var album: String?
    var artist: String?

    /// `2026-11-03`.
    var date: String?
    var genre: String?
    var track: Int?
    var disc: Int?
    var picture: Picture?
    var chapters: [Chapter] = []
}

/// What was left out of the tags, for the format cannot hold it.
struct TagOmissions: OptionSet, Codable {
    let rawValue: UInt32

    static let chapters = TagOmissions(rawValue: UInt32(podget_left_chapters))
    static let picture = TagOmissions(rawValue: UInt32(podget_left_picture))
    static let everyChapter = TagOmissions(rawValue: UInt32(podget_left_every_chapter))

    /// One line for the user; nil for none.
    var description: String? {
        var lines: [String] = []
        if contains(.chapters) {
            lines.append("the file cannot hold all chapters; its tags have the first ones")
        }
        if contains(.everyChapter) { lines.append("the file cannot hold chapters; its tags have none") }
        if contains(.picture) {
            lines.append("the file cannot hold a picture of this kind; its tags have none")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }
}

/// Why tags were not written.
enum TagFailure: Error, Equatable {
    case unreadable, notSaved, damaging
}

/// The format in which the tags of a file are written, by its first bytes and not by its name; nil for files that get
/// none.
func tagFormat(ofFile path: String) throws -> podget_tag_format? {
    switch try mediaContainer(path) {
    case .mp3: podget_format_mpeg
    case .m4a, .mp4: podget_format_mp4
    case .ogg: podget_format_ogg
    default: nil
    }
}

/// The most bytes of a picture.
let pictureLimit = 20 << 20

/// Writes tags into a file through TagLib, in place: into a copy, so that a crash leaves no half file.
///
/// A hostile file may crash it: only `TagProcess` calls it, in a process of its own.
///
/// An artist, a picture and chapters that the file has stay.
func writeTags(_ tags: FileTags, into path: String) throws(TagFailure) -> TagOmissions {
    guard let format = try? tagFormat(ofFile: path) else { throw .unreadable }
    var strings = CStrings()
    var c = podget_tags()
    c.title = strings.add(tags.title)
    c.album = strings.add(tags.album)
    c.artist = strings.add(tags.artist)
    c.date = strings.add(tags.date)
    c.genre = strings.add(tags.genre)
    // MP4 has 16 bits for a number, TagLib 31; one that does not fit is left out.
    let numbers = 1...(format == podget_format_mp4 ? Int(UInt16.max) : Int(Int32.max))
    c.track = tags.track.flatMap { numbers.contains($0) ? UInt32($0) : nil } ?? 0
    c.disc = tags.disc.flatMap { numbers.contains($0) ? UInt32($0) : nil } ?? 0
    c.picture_type = strings.add(tags.picture?.type)
    let chapters = tags.chapters.map { chapter in
        podget_chapter(
            start: milliseconds(chapter.start), end: milliseconds(chapter.end),
            title: strings.add(chapter.title))
    }
    var leftOut: UInt32 = 0
    let picture = tags.picture.flatMap { readWholeFile($0.path, atMost: pictureLimit) } ?? []
    let result = picture.withUnsafeBytes { bytes in
        chapters.withUnsafeBufferPointer { chapters in
            if !bytes.isEmpty { c.picture = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) }
            c.picture_size = bytes.count
            c.chapters = chapters.baseAddress
            c.chapter_count = chapters.count
            return podget_write_tags(path, format, &c, &leftOut)
        }
    }
    withExtendedLifetime(strings) {}
    switch result {
    case podget_tags_written: return TagOmissions(rawValue: leftOut)
    case podget_tags_not_saved: throw .notSaved
    case podget_tags_damaging: throw .damaging
    default: throw .unreadable
    }
}

private func milliseconds(_ duration: Duration) -> UInt32 {
    UInt32(clamping: Int64(max(duration / .milliseconds(1), 0)))
}
