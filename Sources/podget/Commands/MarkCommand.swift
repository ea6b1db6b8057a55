import Aggregator
import EpisodeStore

/// Says something about episodes: `podget mark MARK EPISODE…`.
struct MarkCommand: Command {
    private static let marks = EpisodeMark.allCases.map(\.rawValue).joined(separator: ", ")

    static let syntax = CommandSyntax(
        name: "mark",
        group: .listen,
        summary: "Mark episodes as played, unplayed, new or old, or keep their files",
        arguments: [
            ArgumentSyntax("MARK", .one, choices: EpisodeMark.allCases.map(\.rawValue), "One of \(marks)"),
            ArgumentSyntax("EPISODE", .atLeastOne, "The episodes to mark"),
        ],
        details: "No rule deletes the file of an episode marked 'keep'; 'unkeep' takes that back.",
        examples: [
            .init("podget mark played low-water:all", "marks every episode of a feed as played"),
            .init("podget mark keep 12", "keeps the file of episode 12, whatever the rules say"),
        ])

    private let mark: EpisodeMark
    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        let word = arguments.positional.first ?? ""
        selectors = Array(arguments.positional.dropFirst())
        guard let mark = EpisodeMark(rawValue: word) else {
            throw UsageError("mark takes one of \(Self.marks), not '\(word)'")
        }
        self.mark = mark
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let episodes = try await aggregator.episodes(matching: selectors)
        try await aggregator.mark(episodes, as: mark)
        if environment.options.wantsJSON {
            let marked = try await aggregator.episodes(matching: episodes.map(\.id.description))
            try environment.output.write(jsonText(marked.map { EpisodeRow($0, aggregator) }))
        }
        let named = episodes.count == 1 ? episodes.first.map { "\($0.feedTitle): \($0.title)" } : nil
        let what = named ?? counted(episodes.count, "episode", in: environment)
        try environment.say("\(what) \(named == nil ? "" : "is ")marked \(mark.rawValue)")
        let absent = episodes.filter { $0.state != .done && $0.isDownloadable }
        if mark == .keep, let first = absent.first {
            let (files, ids) = (
                absent.count == 1 ? "It has no file" : "\(absent.count) have no file",
                absent.count == 1 ? "\(first.id)" : "EPISODE"
            )
            try environment.say("\(files) yet; 'podget download \(ids)' fetches it")
        }
        return .done
    }
}
