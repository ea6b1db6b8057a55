/// The container formats known by their first bytes.
public enum MediaContainer: String, Sendable, Codable, CaseIterable {
    case mp3, aac, mp4, ogg, flac, wav, aiff, caf, matroska, avi, asf, flv, mpegTS, mpegPS, amr, ac3, au
}

/// What a body is that is not audio or video.
public enum RefusedContent: String, Sendable {
    case empty, webPage, json, xml, playlist, text, image, archive, pdf
}
