/// The extension that goes with each media type, and which types say nothing.
enum MediaType {
    /// Takes `type/subtype` of a `Content-Type`, in lower case, without parameters.
    static func essence(of contentType: String) -> String {
        let essence = contentType.prefix { $0 != ";" && $0 != "," }
        return essence.split(whereSeparator: \.isWhitespace).joined().lowercased()
    }

    static func fileExtension(of contentType: String) -> String? {
        extensions[essence(of: contentType)]
    }

    /// The extensions that a file of sound or pictures may have.
    static let knownExtensions: Set<String> = Set(extensions.values).union([
        "oga", "mp2", "mpga", "m4b", "m4r", "mpeg", "mpg", "aif", "mka", "qt",
    ])

    private static let extensions = [
        "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/x-mp3": "mp3", "audio/x-mpeg": "mp3",
        "audio/mpeg3": "mp3", "audio/x-mpeg-3": "mp3", "audio/mpg": "mp3", "audio/x-mpg": "mp3",
        "audio/mp4": "m4a", "audio/m4a": "m4a", "audio/x-m4a": "m4a", "audio/mp4a-latm": "m4a",
        "audio/x-m4b": "m4b", "audio/m4b": "m4b",
        "audio/aac": "aac", "audio/aacp": "aac", "audio/x-aac": "aac",
        "audio/ogg": "ogg", "application/ogg": "ogg", "audio/vorbis": "ogg", "audio/x-vorbis+ogg": "ogg",
        "audio/opus": "opus", "audio/flac": "flac", "audio/x-flac": "flac",
        "audio/wav": "wav", "audio/x-wav": "wav", "audio/wave": "wav", "audio/vnd.wave": "wav",
        "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/x-caf": "caf", "audio/amr": "amr",
        "audio/ac3": "ac3", "audio/basic": "au", "audio/x-ms-wma": "wma", "audio/webm": "webm",
        "audio/x-matroska": "mka", "audio/3gpp": "3gp",
        "video/mp4": "mp4", "video/x-m4v": "m4v", "video/m4v": "m4v", "video/mpeg": "mpg",
        "video/quicktime": "mov", "video/ogg": "ogv", "video/webm": "webm", "video/x-matroska": "mkv",
        "video/x-msvideo": "avi", "video/avi": "avi", "video/x-flv": "flv", "video/x-ms-wmv": "wmv",
        "video/x-ms-asf": "asf", "video/mp2t": "ts", "video/3gpp": "3gp",
    ]
}
