import Aggregator
import EpisodeStore

/// Answers `podget __complete WORD…`, which the completion scripts call: one candidate a line.
///
/// It only reads, asks no network, and says nothing where there is no library or it cannot be read: a half-typed
/// line is no place for error messages.
enum CompletionLookup {
    static let word = "__complete"

    /// How many of the newest episodes are offered by number.
    private static let episodeLimit = 50

    static func answer(_ words: [String], in environment: Environment) async throws -> ExitCode {
        let completion = Completion(
            words, table: CommandTable.syntaxes, globalOptions: GlobalOptions.syntax)
        var environment = environment
        environment.options.home = home(words)
        var text = ""
        switch completion.wish {
        case .files: text = ":files\n"
        case .folders: text = ":folders\n"
        case .feeds, .episodes, nil: break
        }
        for candidate in completion.fitting(await stored(completion, environment)) {
            text += terminalText(candidate.word) + "\t" + terminalText(candidate.description) + "\n"
        }
        try environment.output.write(text)
        return .done
    }

    private static func stored(
        _ completion: Completion, _ environment: Environment
    ) async -> [Completion.Candidate] {
        guard completion.wish == .feeds || completion.wish == .episodes,
            let aggregator = try? environment.openForReading(),
            let feeds = try? await aggregator.library.feeds()
        else { return [] }
        guard completion.wish == .episodes else {
            return feeds.map { .init(word: $0.slug, description: $0.title) }
        }
        if let colon = completion.typed.lastIndex(of: ":") {
            let name = String(completion.typed[..<colon])
            guard let feed = feeds.first(where: { $0.slug == name }) else { return [] }
            return [
                .init(word: "\(name):latest", description: "the newest of \(feed.title)"),
                .init(word: "\(name):all", description: "all of \(feed.title)"),
            ]
        }
        let newest = (try? await aggregator.library.episodes(EpisodeQuery(limit: episodeLimit))) ?? []
        return newest.map { .init(word: "\($0.id)", description: "\($0.feedTitle): \($0.title)") }
            + feeds.map { .init(word: "\($0.slug):", description: $0.title) }
    }

    /// The folder that a `--home` among the words names.
    private static func home(_ words: [String]) -> String? {
        for (word, next) in zip(words, words.dropFirst()) where word == "--home" { return next }
        return words.lazy.filter { $0.hasPrefix("--home=") }.map { String($0.dropFirst(7)) }.first
    }
}
