import Foundation
import TestServer

@testable import podget

/// An empty home in a temporary folder, and podget run in it as a person would run it.
final class TestHome: Sendable {
    let path: String

    /// Where its programs are looked for.
    private let programs: String

    /// Most tests need nothing of what ffprobe tells, and it takes its time: there it fails at once.
    init(hasFFprobe: Bool = false) throws {
        path = FileManager.default.temporaryDirectory.path + "/podget-test-\(UUID().uuidString)"
        programs = hasFFprobe ? "/usr/bin:/bin" : path + "-programs:/usr/bin:/bin"
        for folder in [path, path + "-programs"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: path + "-programs/ffprobe", withDestinationPath: "/bin/false")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: path + "-programs")
    }

    struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String

        /// The output, parsed as one JSON value.
        func json<Value: Decodable>(_: Value.Type) throws -> Value {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(Value.self, from: Data(output.utf8))
        }
    }

    var library: String { path + "/Podcasts" }
    var database: String { path + "/data/podget.db" }
    var resumeFolder: String { path + "/cache/resume" }

    @discardableResult
    func podget(
        _ words: String..., width: Int? = nil, language: String = "C", at now: Date = Date(),
        variables: [String: String] = [:]
    ) async -> Outcome {
        await run(words, width: width, language: language, at: now, variables: variables)
    }

    func run(
        _ words: [String], width: Int? = nil, language: String = "C", at now: Date = Date(),
        variables: [String: String] = [:]
    ) async -> Outcome {
        let output = TextBuffer()
        let errors = TextBuffer()
        let environment = Environment(
            variables: ["PODGET_HOME": path, "HOME": path, "LANG": language, "PATH": programs].merging(
                variables
            ) { $1 },
            workingDirectory: path,
            output: output.output, errors: errors.output, terminalWidth: width,
            timeZone: .gmt, now: { now }, program: Tool.podget)
        let code = await Podget.run(words, in: environment)
        return Outcome(code: code, output: output.text, errors: errors.text)
    }

    /// Writes a file below the home and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func read(_ file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8)
    }

    /// Waits until partial downloads are on the disk: what a server has sent may still be on its way there.
    func waitForPartials(_ count: Int = 1) async throws {
        for _ in 0..<3000 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: resumeFolder)) ?? []
            let partials = names.filter { name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: resumeFolder + "/" + name)
                return name.hasSuffix(".part") && attributes?[.size] as? Int ?? 0 > 0
            }
            if partials.count >= count { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The media files in the library, by their path below it.
    func mediaFiles() -> [String] {
        let all = FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasSuffix(".m3u8") && $0.contains(".") }.sorted()
    }
}

/// An invented feed with the given items.
func feed(_ title: String, _ items: [FeedItem], type: String = "episodic") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
    <title>\(title)</title><itunes:type>\(type)</itunes:type>
    \(items.map(\.xml).joined())
    </channel></rss>
    """
}

struct FeedItem {
    var title: String
    var guid: String
    var url: String
    var day: Int
    var length: Int64 = 0
    var type = "audio/mpeg"

    var xml: String {
        """
        <item><title>\(title)</title><guid>\(guid)</guid>
        <pubDate>\(day < 10 ? "0" : "")\(day) Nov 2026 06:00:00 GMT</pubDate>
        <enclosure url="\(url)" length="\(length)" type="\(type)"/></item>
        """
    }
}

extension Reply {
    static func feed(_ text: String) -> Reply {
        .text(text, type: "application/rss+xml; charset=utf-8")
    }
}

/// Whether a download was begun once and then gone on with from within its first bytes.
///
/// What a server has sent may still be on its way when the client stops.
func isResumed(_ requests: [RecordedRequest], within byteCount: Int) -> Bool {
    guard requests.count == 2, requests[0].range == nil, let range = requests[1].range,
        range.hasPrefix("bytes="), range.hasSuffix("-"), let start = Int(range.dropFirst(6).dropLast())
    else { return false }
    return (1...byteCount).contains(start)
}
