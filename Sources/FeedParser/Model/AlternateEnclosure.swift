/// The same media in another file format, quality or language.
public struct AlternateEnclosure: Sendable, Equatable {
    public var type: String?
    /// Bytes.
    public var length: Int64?
    /// Bits per second.
    public var bitrate: Double?
    /// Lines of a video picture.
    public var height: Int?
    public var lang: String?
    public var title: String?
    public var rel: String?
    public var codecs: String?
    /// Whether this is the same file as the episode's enclosure.
    public var isDefault: Bool?
    public var sources: [Source] = []
    public var integrity: Integrity?

    public init(type: String? = nil, sources: [Source] = []) {
        self.type = type
        self.sources = sources
    }

    /// One address of the file.
    public struct Source: Sendable, Equatable, Encodable {
        public var url: String
        public var type: String?

        public init(url: String, type: String? = nil) {
            self.url = url
            self.type = type
        }
    }

    /// A hash or signature of the file.
    public struct Integrity: Sendable, Equatable, Encodable {
        /// `sri` or `pgp-signature`.
        public var type: String
        public var value: String

        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }
}

extension AlternateEnclosure: Encodable {
    enum CodingKeys: String, CodingKey {
        case type, length, bitrate, height, lang, title, rel, codecs, sources, integrity
        case isDefault = "default"
    }

    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encodeIfPresent(type, forKey: .type)
        try object.encodeIfPresent(length, forKey: .length)
        try object.encodeIfPresent(bitrate, forKey: .bitrate)
        try object.encodeIfPresent(height, forKey: .height)
        try object.encodeIfPresent(lang, forKey: .lang)
        try object.encodeIfPresent(title, forKey: .title)
        try object.encodeIfPresent(rel, forKey: .rel)
        try object.encodeIfPresent(codecs, forKey: .codecs)
        try object.encodeIfPresent(isDefault, forKey: .isDefault)
        try object.encodeUnlessEmpty(sources, forKey: .sources)
        try object.encodeIfPresent(integrity, forKey: .integrity)
    }
}
