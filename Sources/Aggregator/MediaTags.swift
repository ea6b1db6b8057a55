import EpisodeStore
import FoundationEssentials
import Glibc

/// What a media file says of itself.
struct MediaTags: Equatable, Sendable {
    var title: String?

    /// The album: podcast programs put the show there.
    var show: String?
    var duration: Duration?

    /// The format in ffprobe's words, such as `mp3` or `mp4`, and the codec of its sound, such as `aac`.
    var container: String?
    var codec: String?
    var chapters: [Chapter] = []

    init(title: String? = nil, show: String? = nil, duration: Duration? = nil) {
        self.title = title
        self.show = show
        self.duration = duration
    }

    /// Reads the JSON of ffprobe, asked as `MediaTagReader` does.
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
        if let names = output.format?.format_name?.split(separator: ",") {
            container = names.contains("mp4") ? "mp4" : names.first.map(String.init)
        }
        let sound = output.streams?.first { $0.codec_type == "audio" } ?? output.streams?.first
        codec = sound?.codec_name
        chapters = (output.chapters ?? []).prefix(Self.chapterLimit).compactMap(\.chapter)
            .sorted { $0.start < $1.start }
    }

    /// More than any listener would look through; a file that claims more is hostile or broken.
    private static let chapterLimit = 2000

    private struct Output: Decodable {
        struct Part: Decodable {
            let duration: String?
            let format_name: String?
            let codec_type: String?
            let codec_name: String?
            let tags: [String: String]?
        }

        struct Mark: Decodable {
            let start_time: String?
            let tags: [String: String]?

            var chapter: Chapter? {
                guard let seconds = start_time.flatMap(Double.init), (0..<10_000_000).contains(seconds) else {
                    return nil
                }
                let title = tags?["title"]?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return Chapter(
                    start: .milliseconds(Int64((seconds * 1000).rounded())),
                    title: title.flatMap { $0.isEmpty ? nil : String($0.prefix(500)) })
            }
        }
        let format: Part?
        let streams: [Part]?
        let chapters: [Mark]?
    }
}

/// Reads the tags of media files with ffprobe, where it is installed.
struct MediaTagReader {
    let variables: [String: String]

    /// Whether ffprobe can be run.
    func isUsable() async -> Bool {
        guard let output = try? MemoryFile() else { return false }
        let end = await runProgram(
            Self.limits + ["ffprobe", "-version"], input: "", variables: variables, timeLimit: .seconds(20),
            output: output.descriptor)
        return end == .exited(0)
    }

    /// The tags of a file; nil where ffprobe cannot read it in time and within its limits.
    ///
    /// ffprobe opens this file only: a playlist that pretends to be audio leads it to no other file or address.
    func tags(ofFile path: String) async -> MediaTags? {
        if case .tags(let tags) = await read(path) { tags } else { nil }
    }

    /// Whether there are an ffprobe and a prlimit on `PATH`; they need not work.
    var isInstalled: Bool {
        isFound("ffprobe") && isFound("prlimit")
    }

    /// What is to be installed where a file cannot be read for want of a program.
    var missingProgram: String {
        isFound("ffprobe") ? "prlimit (Debian: util-linux)" : "ffprobe (Debian: ffmpeg)"
    }

    private func isFound(_ program: String) -> Bool {
        isOnPath(program, variables: variables) { access($0, X_OK) == 0 }
    }

    /// What came of reading a file.
    enum Outcome {
        case tags(MediaTags)

        /// ffprobe makes nothing of it.
        case unreadable

        /// ffprobe did not come to an end by itself.
        case ended(reason: String)
        case notInstalled
    }

    func read(_ path: String) async -> Outcome {
        guard let output = try? MemoryFile() else { return .ended(reason: ProgramFailure().reason) }
        let end = await runProgram(
            Self.limits + [
                "ffprobe", "-v", "quiet", "-protocol_whitelist", "file", "-format_whitelist", Self.formats,
                "-print_format", "json", "-show_chapters", "-show_entries",
                "format=duration,format_name:format_tags:stream=codec_type,codec_name:stream_tags",
                "file:" + path,
            ], input: "", variables: variables, timeLimit: .seconds(20), output: output.descriptor)
        switch end {
        case .exited(0): break
        // What prlimit answers for a program that it does not find.
        case .exited(127), .notStarted: return .notInstalled
        case .exited, .interrupted: return .unreadable
        case .timedOut, .signalled(SIGXCPU): return .ended(reason: "it takes too long")
        case .signalled(let signal): return .ended(reason: "ended by signal \(signal)")
        }
        let tags = MediaTags(ffprobeJSON: Data(output.bytes(atMost: Self.outputLimit)))
        return tags.map { .tags($0) } ?? .unreadable
    }

    private static let outputLimit = 4 << 20

    /// A hostile file costs at most so much output, memory (2 GiB) and time of the processor.
    private static let limits = ["prlimit", "--fsize=\(outputLimit)", "--as=2147483648", "--cpu=20"]

    /// The formats of media files in FFmpeg's words; those that name other files are not among them.
    static let formats =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,eac3,flac,flv,loas,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,"
        + "tta,w64,wav,wv"
}
