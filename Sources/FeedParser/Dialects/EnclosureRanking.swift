/// What a file holds, the best for listening first.
enum MediaKind: Int {
    case audio, video, other, image
}

/// Tells what a file holds from its media type, else from the extension in its address.
func mediaKind(type: String?, url: String) -> MediaKind {
    let type = type?.trimmed.lowercased() ?? ""
    if type.hasPrefix("audio/") { return .audio }
    if type.hasPrefix("video/") { return .video }
    if type.hasPrefix("image/") { return .image }
    let kind = mediaKind(byExtensionOf: url)
    switch type {
    case "application/ogg", "application/x-mpegurl", "application/vnd.apple.mpegurl": return kind ?? .audio
    // These say nothing about what is in the file.
    case "", "application/octet-stream", "binary/octet-stream", "application/force-download":
        return kind ?? .other
    default: return .other
    }
}

/// Puts the playable files in order, each address once, audio first; images are no enclosures.
func rankedEnclosures(_ enclosures: [Enclosure]) -> [Enclosure] {
    if enclosures.isEmpty { return enclosures }
    if enclosures.count == 1 {
        return mediaKind(type: enclosures[0].type, url: enclosures[0].url) == .image ? [] : enclosures
    }
    var places: [String: Int] = [:]
    var kept: [(enclosure: Enclosure, kind: MediaKind)] = []
    for enclosure in enclosures {
        if let place = places[enclosure.url] {
            kept[place].enclosure.complete(from: enclosure)
            continue
        }
        let kind = mediaKind(type: enclosure.type, url: enclosure.url)
        if kind == .image { continue }
        places[enclosure.url] = kept.count
        kept.append((enclosure, kind))
    }
    return MediaKind.ranking.flatMap { kind in kept.filter { $0.kind == kind }.map(\.enclosure) }
}

extension MediaKind {
    fileprivate static let ranking: [MediaKind] = [.audio, .video, .other]
}

extension Enclosure {
    /// Takes what another mention of the same file knows and this one does not.
    fileprivate mutating func complete(from other: Enclosure) {
        type = type ?? other.type
        length = length ?? other.length
        title = title ?? other.title
    }
}

private func mediaKind(byExtensionOf url: String) -> MediaKind? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."), path.distance(from: dot, to: path.endIndex) <= 6 else {
        return nil
    }
    return kindsByExtension[path[path.index(after: dot)...].lowercased()]
}

private let kindsByExtension: [String: MediaKind] = [
    "mp3": .audio, "m4a": .audio, "m4b": .audio, "aac": .audio, "ogg": .audio, "oga": .audio, "opus": .audio,
    "flac": .audio, "wav": .audio, "wma": .audio, "aif": .audio, "aiff": .audio, "mka": .audio,
    "m3u8": .audio,
    "mp4": .video, "m4v": .video, "mov": .video, "webm": .video, "mkv": .video, "avi": .video, "ogv": .video,
    "mpg": .video, "mpeg": .video, "3gp": .video,
    "jpg": .image, "jpeg": .image, "png": .image, "gif": .image, "webp": .image, "svg": .image, "bmp": .image,
    "avif": .image,
]
