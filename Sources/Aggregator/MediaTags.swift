import FoundationEssentials

/// What a media file says of itself.
struct MediaTags: Equatable, Sendable {
    var title: String?

    /// The album: podcast programs put the show there.
    var show: String?
    var duration: Duration?

    init(title: String? = nil, show: String? = nil, duration: Duration? = nil) {
        self.title = title
        self.show = show
        self.duration = duration
    }

    /// Reads the JSON of `ffprobe -show_entries format=duration:format_tags:stream_tags`.
    ///
    /// MP3 and MP4 have their tags on the format, Ogg on a stream; the names are written in any case.
    init?(ffprobeJSON: Data) {
        guard let output = try? JSONDecoder().decode(Output.self, from: ffprobeJSON) else { return nil }
        var tags: [String: String] = [:]
        for part in [output.format].compactMap({ $0 }) + (output.streams ?? []) {
            for (name, value) in part.tags ?? [:] where !value.isEmpty {
                tags[name.lowercased()] = tags[name.lowercased()] ?? value
            }
        }
        title = tags["title"]
        show = tags["album"] ?? tags["podcast"] ?? tags["show"]
        if let text = output.format?.duration, let seconds = Double(text),
            (0.001..<10_000_000).contains(seconds)
        {
            duration = .milliseconds(Int64(seconds * 1000))
        }
    }

    private struct Output: Decodable {
        struct Part: Decodable {
            let duration: String?
            let tags: [String: String]?
        }
        let format: Part?
        let streams: [Part]?
    }
}

/// Reads the tags of media files with ffprobe, where it is installed.
struct MediaTagReader {
    let variables: [String: String]

    /// Whether ffprobe can be run.
    func isUsable() async -> Bool {
        guard let output = try? MemoryFile() else { return false }
        let end = await runProgram(
            ["ffprobe", "-version"], input: "", variables: variables, timeLimit: .seconds(20),
            output: output.descriptor)
        return end == .exited(0)
    }

    /// The tags of a file; nil where ffprobe cannot read it in time.
    func tags(ofFile path: String) async -> MediaTags? {
        guard let output = try? MemoryFile() else { return nil }
        let end = await runProgram(
            [
                "ffprobe", "-v", "quiet", "-print_format", "json", "-show_entries",
                "format=duration:format_tags:stream_tags", "file:" + path,
            ], input: "", variables: variables, timeLimit: .seconds(20), output: output.descriptor)
        guard end == .exited(0) else { return nil }
        return MediaTags(ffprobeJSON: Data(output.bytes(atMost: 1 << 20)))
    }
}
