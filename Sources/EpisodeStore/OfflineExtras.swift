/// What is stored with a finished download besides its file, in addition to what the feed itself says.
public struct OfflineExtras: Equatable, Sendable {
    /// From the feed's link, or from inside the file.
    public var chapters: [Chapter] = []
    public var transcript: [TranscriptSegment] = []

    /// The name of the artwork's file in the folder of fetched extras.
    public var artwork: String?

    /// The links that are not to be asked again: fetched, or refused for good.
    public var settledLinks: [String] = []

    public init() {}
}

/// What a file says of itself.
public struct FileContent: Equatable, Sendable {
    public var container: String?
    public var codec: String?
    public var duration: Duration?
    public var chapters: [Chapter] = []

    public init() {}
}
