import Aggregator
import EpisodeStore

/// What to listen to next: `podget queue [add|remove|clear|next|list] [EPISODE…]`.
struct QueueCommand: Command {
    private enum Action: String, CaseIterable {
        case add, remove, clear, list, next
    }

    static let syntax = CommandSyntax(
        name: "queue",
        group: .listen,
        summary: "Show or change what to listen to next",
        arguments: [
            ArgumentSyntax("ACTION", .optional, "One of add, remove, clear, next, list; list without any"),
            ArgumentSyntax("EPISODE", .any, "The episodes to add or remove"),
        ],
        details: """
            'add' puts episodes at the end, 'next' in front of all others; 'next' without an episode shows the one that
            'podget play' begins with; 'clear' takes all of them out. What is played to its end, or marked as played, leaves the queue.
            """,
        examples: [
            .init("podget queue add low-water:latest 12", "adds two episodes"),
            .init("podget queue next 12", "plays episode 12 before all others"),
            .init("podget play", "plays what is next, and then the rest"),
        ])

    private let action: Action
    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        let word = arguments.positional.first ?? Action.list.rawValue
        guard let action = Action(rawValue: word) else {
            let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("queue takes one of \(known), not '\(word)'")
        }
        self.action = action
        selectors = Array(arguments.positional.dropFirst())
        switch action {
        case .add, .remove:
            if selectors.isEmpty { throw UsageError("queue \(word) needs an EPISODE") }
        case .list, .clear:
            if !selectors.isEmpty { throw UsageError("queue \(word) takes no EPISODE") }
        case .next: break
        }
    }

    func run(in environment: Environment) async throws -> ExitCode {
        guard !selectors.isEmpty || action == .clear else { return try await show(environment) }
        let aggregator = try environment.openAggregator()
        let library = aggregator.library
        let episodes =
            action == .clear
            ? try await library.playQueue()
            : try await aggregator.inListeningOrder(try await aggregator.episodes(matching: selectors))
        let ids = episodes.map(\.id)
        switch action {
        case .add, .next:
            try await library.addToPlayQueue(ids, inFront: action == .next)
            let place = action == .next ? (ids.count == 1 ? "comes next" : "come next") : "in the play queue"
            try environment.say("\(counted(ids.count, "episode", in: environment)) \(place)")
        case .remove, .clear, .list:
            let count = try await library.removeFromPlayQueue(ids)
            try environment.say("\(counted(count, "episode", in: environment)) taken out of the play queue")
        }
        if environment.options.wantsJSON {
            try await printJSON(aggregator.playQueue(), aggregator, environment)
        }
        return .done
    }

    private func show(_ environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openForReading()
        var episodes = try await aggregator?.playQueue() ?? []
        if action == .next { episodes = Array(episodes.prefix(1)) }
        if environment.options.wantsJSON {
            try printJSON(episodes, aggregator, environment)
            return .done
        }
        if episodes.isEmpty {
            try environment.say("The play queue is empty; 'podget queue add EPISODE' fills it")
            return .done
        }
        let format = environment.format
        var table = Table([
            .init(title: "ID", alignment: .right), .init(title: "FEED", isFlexible: true),
            .init(title: "TITLE", isFlexible: true), .init(title: "LENGTH", alignment: .right),
            .init(title: "AT", alignment: .right), .init(title: "STATE"),
        ])
        for episode in episodes {
            table.addRow([
                episode.id.description, episode.feedTitle, episode.title,
                episode.duration.map { format.duration(seconds: $0 / .seconds(1)) } ?? "",
                episode.position > .zero ? format.duration(seconds: episode.position / .seconds(1)) : "",
                stateWord(episode),
            ])
        }
        try environment.output.write(table.text(width: environment.terminalWidth))
        return .done
    }

    private func printJSON(
        _ episodes: [EpisodeRecord], _ aggregator: Aggregator?, _ environment: Environment
    ) throws {
        let rows = aggregator.map { aggregator in episodes.map { EpisodeRow($0, aggregator) } }
        try environment.output.write(jsonText(rows ?? []))
    }
}
