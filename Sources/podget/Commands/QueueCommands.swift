import Aggregator
import EpisodeStore

/// Stops downloads until they are resumed: `podget pause [EPISODE…]`.
struct PauseCommand: Command {
    static let syntax = CommandSyntax(
        name: "pause",
        group: .transfers,
        summary: "Stop downloads until they are resumed",
        arguments: [
            ArgumentSyntax("EPISODE", .any, "The downloads to pause; all that run or wait without any")
        ],
        details: """
            Whichever podget runs them stops within two seconds; what arrived is kept. No sync goes on with a paused
            download by itself.
            """,
        examples: [
            .init("podget pause", "stops everything"), .init("podget pause 12", "stops one download"),
        ])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let targets = try await QueueTargets(.pause, selectors, aggregator, environment)
        let changed = try await aggregator.pause(targets.ids)
        try targets.tell(changed, done: "Paused")
        return .done
    }
}

/// Takes downloads out of the queue: `podget cancel [EPISODE…]`.
struct CancelCommand: Command {
    static let syntax = CommandSyntax(
        name: "cancel",
        group: .transfers,
        summary: "Take downloads out of the queue, and drop what arrived of them",
        arguments: [
            ArgumentSyntax("EPISODE", .any, "The downloads to cancel; all that run or wait without any")
        ],
        details: """
            Finished files stay. A later sync may want a cancelled episode again; 'podget delete EPISODE' keeps it away
            for good.
            """,
        examples: [.init("podget cancel low-water:latest", "gives one download up")])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let targets = try await QueueTargets(.cancel, selectors, aggregator, environment)
        let changed = try await aggregator.cancel(targets.ids)
        try targets.tell(changed, done: "Cancelled")
        return .done
    }
}

/// Goes on with stopped downloads: `podget resume [EPISODE…]`.
struct ResumeCommand: Command {
    static let syntax = CommandSyntax(
        name: "resume",
        group: .transfers,
        summary: "Go on with paused downloads, and with failed ones where they stopped",
        arguments: [ArgumentSyntax("EPISODE", .any, "The downloads to resume; all of these without any")],
        details: "'podget status' tells which downloads go on where they stopped, and which start over.",
        examples: [.init("podget resume", "goes on with what was paused or broke off")])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        try await goOn(.resume, selectors, in: environment)
    }
}

/// Tries failed downloads again: `podget retry [EPISODE…]`.
struct RetryCommand: Command {
    static let syntax = CommandSyntax(
        name: "retry",
        group: .transfers,
        summary: "Try failed downloads again",
        arguments: [
            ArgumentSyntax("EPISODE", .any, "The downloads to try again; all failed ones without any")
        ],
        examples: [.init("podget retry", "tries everything again that failed")])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        try await goOn(.retry, selectors, in: environment)
    }
}

private func goOn(
    _ action: QueueAction, _ selectors: [String], in environment: Environment
) async throws -> ExitCode {
    let aggregator = try environment.openAggregator()
    let targets = try await QueueTargets(action, selectors, aggregator, environment)
    guard !targets.ids.isEmpty else {
        try targets.tell([], done: "")
        return .done
    }
    return try await environment.reporting(aggregator, isSync: false) { report in
        try await aggregator.download(targets.ids, report: report)
    }
}

/// The downloads that one of these commands is for.
private struct QueueTargets {
    let ids: [EpisodeID]
    private let action: QueueAction
    private let names: [EpisodeID: String]
    private let environment: Environment

    /// Finds the named downloads, or all that the action is for; complains of named ones that it does not fit.
    init(
        _ action: QueueAction, _ selectors: [String], _ aggregator: Aggregator, _ environment: Environment
    ) async throws {
        self.action = action
        self.environment = environment
        guard !selectors.isEmpty else {
            let downloads = action.targets(try await aggregator.downloadsStatus())
            ids = downloads.map(\.id)
            names = Dictionary(
                uniqueKeysWithValues: downloads.map { ($0.id, "\($0.feedTitle): \($0.title)") })
            return
        }
        let episodes = try await aggregator.episodes(matching: selectors)
        let fitting = episodes.filter { action.fits($0.state) }
        ids = fitting.map(\.id)
        names = Dictionary(uniqueKeysWithValues: fitting.map { ($0.id, "\($0.feedTitle): \($0.title)") })
        for episode in episodes where !action.fits(episode.state) {
            let state = episode.state == .none ? "not in the queue" : stateWord(episode)
            let hint = episode.verb == .download ? "; 'podget download \(episode.id)' fetches it" : ""
            environment.complain("\(episode.feedTitle): \(episode.title) is \(state)\(hint)")
        }
    }

    /// Names what was changed, or says that there was nothing to do.
    func tell(_ changed: Set<EpisodeID>, done: String) throws {
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(ids.filter(changed.contains).map(\.rawValue)))
        }
        for id in ids where changed.contains(id) { try environment.say("\(done) \(names[id] ?? "")") }
        guard changed.isEmpty else { return }
        switch action {
        case .pause, .cancel: try environment.say("Nothing is queued")
        case .resume: try environment.say("Nothing is paused")
        case .retry: try environment.say("Nothing has failed")
        }
    }
}
