import Aggregator
import EpisodeStore
import FeedParser

/// Prints what is said in an episode: `podget transcript EPISODE`.
struct TranscriptCommand: Command {
    static let syntax = CommandSyntax(
        name: "transcript",
        group: .listen,
        summary: "Print what is said in an episode",
        arguments: [ArgumentSyntax("EPISODE", .one, "The episode")],
        options: [
            OptionSyntax(
                "format", value: "FORMAT",
                "One of \(TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")); text if not said"
            )
        ],
        details: """
            Transcripts are stored with the downloads of episodes whose feed offers one; the network is not asked.
            'podget search' finds the words in them. --json is the same as --format json.
            """,
        examples: [
            .init("podget transcript low-water:latest", "prints the newest episode as text"),
            .init("podget transcript 12 --format srt > 12.srt", "writes subtitles"),
        ])

    private let selector: String
    private let format: TranscriptFormat?

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional[0]
        format = try arguments.choice(of: "format", TranscriptFormat.self)
    }

    func run(in environment: Environment) async throws -> ExitCode {
        guard let aggregator = try environment.openForReading() else {
            throw AggregatorError.unknown(selector, nearest: [])
        }
        let episodes = try await aggregator.episodes(matching: [selector])
        guard episodes.count == 1, let detail = try await aggregator.library.episodeDetail(episodes[0].id)
        else { throw UsageError("'\(selector)' names \(episodes.count) episodes; transcript takes one") }
        guard !detail.transcript.isEmpty else {
            let tried = Set(try await aggregator.library.extras(of: detail.record.id).settledLinks)
            throw CommandFailure(absence(of: detail, tried: tried))
        }

        let format = format ?? (environment.options.wantsJSON ? .json : .text)
        let segments = detail.transcript.map {
            FeedParser.TranscriptSegment(
                speaker: $0.speaker, text: $0.text, start: $0.start.map { $0 / .seconds(1) },
                end: $0.end.map { $0 / .seconds(1) })
        }
        guard let text = writeTranscript(segments, as: format) else {
            throw CommandFailure(
                "the transcript of '\(detail.record.title)' has no times, which \(format.rawValue) needs; "
                    + "--format text prints it")
        }
        try environment.output.write(terminalLines(text))
        return .done
    }

    /// Why there is no transcript, and what helps; `tried` are links that are not asked for again.
    private func absence(of detail: EpisodeDetail, tried: Set<String>) -> String {
        let title = detail.record.title
        if detail.transcripts.isEmpty { return "the feed offers no transcript of '\(title)'" }
        guard detail.record.state == .done else {
            return "the transcript of '\(title)' comes with the download: podget download \(detail.record.id)"
        }
        return detail.transcripts.allSatisfy { tried.contains($0.url) }
            ? "the feed of '\(title)' links to a transcript, but there was none behind the link"
            : "the transcript of '\(title)' could not be stored yet; 'podget sync' tries it again, five times in all"
    }
}
