/// Where an episode's transcript is to be fetched.
public struct TranscriptReference: Sendable, Equatable, Encodable {
    public var url: String
    public var type: String?
    public var language: String?
    public var rel: String?

    public init(url: String, type: String? = nil, language: String? = nil, rel: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
        self.rel = rel
    }
}

/// One utterance of a transcript.
public struct TranscriptSegment: Sendable, Equatable, Encodable {
    public var speaker: String?
    public var text: String
    /// Seconds.
    public var start: Double?
    /// Seconds.
    public var end: Double?

    public init(speaker: String? = nil, text: String, start: Double? = nil, end: Double? = nil) {
        self.speaker = speaker
        self.text = text
        self.start = start
        self.end = end
    }
}
