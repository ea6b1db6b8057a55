/// Chooses the extension of a downloaded file: content type, address, bytes, the feed's type, `mp3`.
///
/// A generic type (`application/octet-stream`, `text/plain`) and an unknown extension in the address say nothing
/// and fall through.
public func chooseFileExtension(
    contentType: String?, url: String, container: MediaContainer?, declaredType: String?
) -> String {
    extensionBeforeBytes(contentType: contentType, url: url)
        ?? container?.fileExtension
        ?? declaredType.flatMap { MediaType.fileExtension(of: $0) }
        ?? "mp3"
}

/// What the head of the response tells about the extension; nil where the bytes have to tell.
func extensionBeforeBytes(contentType: String?, url: String) -> String? {
    contentType.flatMap { MediaType.fileExtension(of: $0) } ?? extensionInPath(of: url)
}

/// Takes a known extension from the last part of the address's path.
private func extensionInPath(of url: String) -> String? {
    guard let name = Address(url)?.path.split(separator: "/").last,
        let dot = name.lastIndex(of: ".")
    else { return nil }
    let candidate = name[name.index(after: dot)...].lowercased()
    return MediaType.knownExtensions.contains(candidate) ? candidate : nil
}

extension MediaContainer {
    /// The usual extension of the container.
    public var fileExtension: String {
        switch self {
        case .mp4: "m4a"
        case .matroska: "mkv"
        case .asf: "wma"
        case .mpegTS: "ts"
        case .mpegPS: "mpg"
        default: rawValue
        }
    }
}
