import Aggregator
import EpisodeStore
import FoundationEssentials

/// Finds episodes by their words: `podget search WORDS…`.
struct SearchCommand: Command {
    static let syntax = CommandSyntax(
        name: "search",
        group: .look,
        summary: "Find episodes by words of their titles, notes, chapters and transcripts",
        arguments: [ArgumentSyntax("WORDS", .atLeastOne, "Words that must all occur")],
        options: [OptionSyntax("limit", value: "N", "At most N episodes (20 without this option)")],
        details: """
            The best match comes first. Words in quotes must follow each other ('"night train"'), '-word' leaves
            episodes out, and 'rail*' finds all that begins so. Of spoken words the time and the speaker are told, the
            time with the episode as 'podget play' takes both; they are known only of episodes that are downloaded and have a
            transcript. The network is not asked.
            """,
        examples: [
            .init("podget search harbour tide", "finds episodes with both words"),
            .init("podget search -- '\"low water\"' -storm", "finds a phrase, without another word"),
        ])

    private let words: String
    private let limit: Int

    init(_ arguments: Arguments) throws(UsageError) {
        words = arguments.positional.joined(separator: " ")
        limit = try arguments.number(of: "limit", in: 1...10_000) ?? 20
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let hits = try await environment.openForReading()?.library.search(words, limit: limit) ?? []
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(hits.map(Row.init)))
            return .done
        }
        if hits.isEmpty {
            try environment.say(
                "Nothing found for '\(words)'; '\(beginning)' finds all that begins so, and what is said is known only of downloaded episodes with a transcript\(try await unheard(in: environment))"
            )
        }
        for hit in hits {
            try environment.output.write(text(hit, environment))
        }
        return .done
    }

    /// The longest of the words as a beginning, without what may be an ending.
    private var beginning: String {
        let longest = words.split { !$0.isLetter && !$0.isNumber }.max { $0.count < $1.count } ?? "heron"
        return longest.prefix(max(6, longest.count - 2)) + "*"
    }

    /// How many downloads have none.
    private func unheard(in environment: Environment) async throws -> String {
        guard let counts = try await environment.openForReading()?.library.transcriptCounts(),
            counts.without > 0
        else { return "" }
        let all = environment.format.number(counts.with + counts.without)
        return " (\(environment.format.number(counts.with)) of \(all))"
    }

    private func text(_ hit: SearchHit, _ environment: Environment) -> String {
        let episode = hit.episode
        let day = episode.published.map { " (\(environment.format.day($0)))" } ?? ""
        var lines = ["\(episode.id)  \(episode.feedTitle): \(episode.title)\(day)"]
        if hit.place == .notes { lines.append("    " + plainText(hit.snippet)) }
        if hit.place == .chapters { lines.append("    Chapters: " + plainText(hit.snippet)) }
        if let spoken = hit.spoken {
            let point = spoken.start.map { "\(episode.id)@\(clockText($0))  " } ?? ""
            let speaker = spoken.speaker.map { "\($0): " } ?? ""
            lines.append("    \(point)\(speaker)\(plainText(spoken.snippet))")
        }
        return lines.map { line in
            let line = terminalText(line)
            return (environment.terminalWidth.map { truncated(line, toColumns: $0) } ?? line) + "\n"
        }.joined()
    }

    /// A found episode as `search --json` prints it.
    private struct Row: Encodable {
        struct Spoken: Encodable {
            let start: Double?
            let speaker: String?
            let text: String
        }

        let id: Int64
        let feed: EpisodeRow.Feed
        let title: String
        let published: Date?
        let place: String
        let snippet: String
        let spoken: Spoken?

        init(_ hit: SearchHit) {
            id = hit.episode.id.rawValue
            feed = EpisodeRow.Feed(
                id: hit.episode.feedID.rawValue, slug: hit.episode.feedSlug, title: hit.episode.feedTitle)
            title = hit.episode.title
            published = hit.episode.published
            place = "\(hit.place)"
            snippet = plainText(hit.snippet)
            spoken = hit.spoken.map { spoken in
                Spoken(
                    start: spoken.start.map { $0 / .seconds(1) }, speaker: spoken.speaker,
                    text: plainText(spoken.snippet))
            }
        }
    }
}

private func plainText(_ snippet: [SnippetPart]) -> String {
    snippet.map(\.text).joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
