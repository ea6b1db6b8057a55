import Aggregator
import EpisodeStore

/// Takes over existing files as downloads: `podget adopt DIR`, or `podget adopt FILE --as EPISODE`.
struct AdoptCommand: Command {
    static let syntax = CommandSyntax(
        name: "adopt",
        group: .files,
        summary: "Take over the files in a folder that are episodes of the subscribed feeds",
        arguments: [
            ArgumentSyntax("DIR|FILE", .one, "The folder, with all folders in it; with --as, one file")
        ],
        options: [
            OptionSyntax("dry-run", "Only tell what would be done, and why"),
            OptionSyntax("as", value: "EPISODE", "Take over one file as this episode, whatever it is called"),
            OptionSyntax("move", "Move the files into the library; without this option they are copied"),
            OptionSyntax("link", "Give the files a second name in the library (a hard link)"),
        ],
        details: """
            A file is known by its title tag (read with ffprobe), by its name as the end of the episode's address, by
            the title in its name, or by its exact size. Files within the library stay where they are. Nothing is ever
            replaced, and an episode that has a file keeps it. A file that fits several episodes, or none, is taken over
            with --as, which names the episode. What is taken over counts as asked for by hand: no rule deletes it.
            """,
        examples: [
            .init("podget adopt --dry-run ~/gPodder", "shows which files are which episodes"),
            .init("podget adopt --link ~/gPodder", "takes them over without using more space"),
            .init("podget adopt ~/Podcasts", "finds again what lies in the library already"),
            .init("podget adopt ~/gPodder/media.mp3 --as 27", "takes one file over as episode 27"),
        ])

    private let path: String

    /// Names the episode that the one file is.
    private let selector: String?
    private let isDryRun: Bool

    /// How many episodes are named of those that a file may be.
    private static let shownCount = 5
    private let way: Adoption.Way

    init(_ arguments: Arguments) throws(UsageError) {
        path = arguments.positional[0]
        selector = arguments.value(of: "as")
        isDryRun = arguments.has("dry-run")
        if arguments.has("move"), arguments.has("link") {
            throw UsageError("--move and --link exclude each other")
        }
        way = arguments.has("move") ? .move : arguments.has("link") ? .link : .copy
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        var adoption = Adoption(
            path: absolutePath(path, in: environment.workingDirectory), variables: environment.variables)
        adoption.isDryRun = isDryRun
        adoption.way = way
        if let selector { return try await adopt(adoption, as: selector, aggregator, environment) }
        var rows: [Row] = []
        var knownCount = 0
        try await aggregator.adopt(adoption) { event in
            if case .note(let text) = event { environment.complain(text) }
        } result: { file in
            rows.append(Row(file))
            if case .failed(let episode, let message) = file.result {
                environment.complain("\(name(episode)): \(message)")
            } else if case .known = file.result, !environment.options.isVerbose {
                // Of a whole library nothing else would be seen.
                knownCount += 1
            } else {
                try environment.say(text(of: file))
                for line in candidateLines(of: file) { try environment.say(line) }
            }
        }
        if environment.options.wantsJSON { try environment.output.write(jsonText(rows)) }
        if knownCount > 0 {
            let (files, are) = (counted(knownCount, "file", in: environment), knownCount == 1 ? "is" : "are")
            try environment.say("\(files) \(are) known already")
        }
        let feeds = try await aggregator.feeds(matching: [])
        let unknown = feeds.count { $0.lastSucceeded == nil }
        if feeds.isEmpty {
            environment.complain(
                "there are no feeds whose files these could be; 'podget subscribe ADDRESS' adds one")
        } else if unknown > 0 {
            environment.complain(
                "\(counted(unknown, "feed", in: environment)) of \(feeds.count) never refreshed: their episodes are not known yet; adopt again after 'podget refresh' or 'podget sync'"
            )
        }
        let adopted = rows.count { $0.result == "adopted" }
        if rows.contains(where: { $0.result == "unmatched" }) {
            try environment.say(
                "Where you know which episode a file is: podget adopt FILE --as EPISODE")
        }
        let total = counted(rows.count, "file", in: environment)
        try environment.say(
            "\(environment.format.number(adopted)) of \(total) \(isDryRun ? "would be adopted" : "adopted")")
        return rows.contains { $0.result == "failed" } ? .partly : .done
    }

    /// Takes over one file as the episode named, and tells what became of it.
    private func adopt(
        _ adoption: Adoption, as selector: String, _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> ExitCode {
        let episodes = try await aggregator.episodes(matching: [selector])
        guard let episode = episodes.first, episodes.count == 1 else {
            throw UsageError("--as takes one episode, and '\(selector)' names \(episodes.count)")
        }
        let file = try await aggregator.adopt(adoption, as: episode) { event in
            if case .note(let text) = event { environment.complain(text) }
        }
        if environment.options.wantsJSON { try environment.output.write(jsonText([Row(file)])) }
        switch file.result {
        case .adopted, .known:
            try environment.say(text(of: file))
            return .done
        case .taken(let reference, _):
            let hint =
                episode.state == .active
                ? "is being downloaded; 'podget cancel \(episode.id)' stops that"
                : "has a file; 'podget delete \(episode.id)' makes room for another"
            environment.complain("\(file.path) is not taken over: \(name(reference)) \(hint)")
        case .failed(let reference, let message):
            environment.complain("\(name(reference)): \(message)")
        case .secondBest, .ambiguous, .unmatched:
            environment.complain(text(of: file))
        }
        return .failed
    }

    private func text(of file: AdoptedFile) -> String {
        switch file.result {
        case .adopted(let episode, let reason, let path):
            let target = path == file.path ? "" : ", \(isDryRun ? "into" : "as") \(path)"
            return
                "\(isDryRun ? "Would adopt" : "Adopted") \(file.path): \(name(episode)) (\(reason.words))\(target)"
        case .known:
            return "Known already: \(file.path)"
        case .taken(let episode, let reason):
            return "Not needed: \(file.path): \(name(episode)) has a file (\(reason.words))"
        case .secondBest(let episode, let other):
            return "Not needed: \(file.path): \(name(episode)) is rather \(other)"
        case .ambiguous:
            return
                "Not clear: \(file.path) may be one of these; tell which: podget adopt \(shellWord(file.path)) --as EPISODE"
        case .unmatched:
            return "No episode: \(file.path)"
        case .failed(let episode, let message):
            return "Failed: \(file.path): \(name(episode)): \(message)"
        }
    }

    /// The episodes that a file may be, the first of them.
    private func candidateLines(of file: AdoptedFile) -> [String] {
        guard case .ambiguous(let episodes) = file.result else { return [] }
        let more = episodes.count - Self.shownCount
        return episodes.prefix(Self.shownCount).map { "    \($0.id)  \(name($0))" }
            + (more > 0 ? ["    and \(more) more"] : [])
    }

    private func name(_ episode: EpisodeReference) -> String {
        "\(episode.feedTitle): \(episode.title)"
    }

    /// What became of a file, as `adopt --json` prints it.
    private struct Row: Encodable {
        let file: String
        let result: String
        var episode: EpisodeReference?
        var reason: String?
        var path: String?
        var message: String?
        var candidates: [Int64]?

        init(_ adopted: AdoptedFile) {
            file = adopted.path
            switch adopted.result {
            case .adopted(let episode, let reason, let path):
                result = "adopted"
                (self.episode, self.reason, self.path) = (episode, "\(reason)", path)
            case .known:
                result = "known"
            case .taken(let episode, let reason):
                result = "taken"
                (self.episode, self.reason) = (episode, "\(reason)")
            case .secondBest(let episode, let other):
                result = "secondBest"
                (self.episode, path) = (episode, other)
            case .ambiguous(let episodes):
                result = "ambiguous"
                candidates = episodes.map(\.id)
            case .unmatched:
                result = "unmatched"
            case .failed(let episode, let message):
                result = "failed"
                (self.episode, self.message) = (episode, message)
            }
        }
    }
}

extension AdoptionReason {
    fileprivate var words: String {
        switch self {
        case .tag: "by its tags"
        case .url: "by its address"
        case .name: "by its name"
        case .size: "by its size"
        case .user: "as you say"
        }
    }
}
