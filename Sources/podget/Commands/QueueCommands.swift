import Aggregator
import EpisodeStore

/// Stops downloads until they are resumed: `podget pause [EPISODE…]`.
struct PauseCommand: Command {
    static let syntax = CommandSyntax(
        name: "pause",
        group: .transfers,
        summary: "Pause what is downloading or waits now, until it is resumed",
        arguments: [
            ArgumentSyntax("EPISODE", .any, "The downloads to pause; all that run or wait without any")
        ],
        details: """
            Whichever podget runs them stops within two seconds; what arrived is kept. No sync goes on with a paused
            download by itself, but new episodes that a later sync wants are still fetched.
            """,
        examples: [
            .init("podget pause", "pauses everything that runs or waits now"),
            .init("podget pause 12", "pauses one download"),
        ])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let targets = try await QueueTargets(.pause, selectors, aggregator, environment)
        let changed = try await aggregator.pause(targets.ids)
        try targets.tell(changed, done: "Paused")
        if changed.isEmpty {
            try await targets.tellNothing(aggregator)
        } else {
            try environment.say("'podget resume' goes on with \(changed.count == 1 ? "it" : "them")")
        }
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
            ArgumentSyntax(
                "EPISODE", .any, "The downloads to cancel; all that run, wait or are paused without any")
        ],
        details: """
            Finished files stay, and so do failed downloads that are not named. A later sync may want a cancelled episode
            again; 'podget delete EPISODE' keeps it away for good.
            """,
        examples: [
            .init("podget cancel", "gives up everything that runs, waits or is paused"),
            .init("podget cancel low-water:latest", "gives one download up"),
        ])

    private let selectors: [String]

    init(_ arguments: Arguments) throws(UsageError) { selectors = arguments.positional }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let targets = try await QueueTargets(.cancel, selectors, aggregator, environment)
        let changed = try await aggregator.cancel(targets.ids)
        try targets.tell(changed, done: "Cancelled")
        if changed.isEmpty { try await targets.tellNothing(aggregator) }
        return .done
    }
}

/// Goes on with stopped downloads: `podget resume [EPISODE…]`.
struct ResumeCommand: Command {
    static let syntax = CommandSyntax(
        name: "resume",
        group: .transfers,
        summary: "Go on with downloads that were paused or interrupted, or that wait",
        arguments: [
            ArgumentSyntax("EPISODE", .any, "The downloads to resume, and no others; all of them without any")
        ],
        options: [backgroundOption],
        details: "Also with failed ones that have kept what arrived.\n\n" + whoGoesOn,
        examples: [
            .init("podget resume", "goes on with everything that was paused or broke off"),
            .init("podget resume 6", "goes on with one download"),
        ])

    private let selectors: [String]
    private let isInBackground: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        isInBackground = arguments.has("background")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        try await goOn(.resume, selectors, isInBackground: isInBackground, in: environment)
    }
}

/// Tries failed downloads again: `podget retry [EPISODE…]`.
struct RetryCommand: Command {
    static let syntax = CommandSyntax(
        name: "retry",
        group: .transfers,
        summary: "Try failed downloads again, also those that no sync tries any more",
        arguments: [
            ArgumentSyntax(
                "EPISODE", .any, "The downloads to try again, and no others; all failed ones without any")
        ],
        options: [backgroundOption],
        details: whoGoesOn,
        examples: [.init("podget retry", "tries everything again that failed")])

    private let selectors: [String]
    private let isInBackground: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        selectors = arguments.positional
        isInBackground = arguments.has("background")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        try await goOn(.retry, selectors, isInBackground: isInBackground, in: environment)
    }
}

/// Who goes on with what, in the help of each command that does.
let whoGoesOn = """
    What Ctrl-C or a lost connection interrupted goes on with the next 'podget sync', 'download' or 'resume'.
    What was paused goes on only with 'podget resume'. What failed for good (such as 404) only with 'podget retry'.
    'podget status' tells what each download is, and whether it goes on where it stopped or starts over.
    """

private func goOn(
    _ action: QueueAction, _ selectors: [String], isInBackground: Bool, in environment: Environment
) async throws -> ExitCode {
    let aggregator = try environment.openAggregator()
    let targets = try await QueueTargets(action, selectors, aggregator, environment)
    guard !targets.ids.isEmpty else {
        if environment.options.wantsJSON { try environment.output.write(jsonText([Int64]())) }
        try await targets.tellNothing(aggregator)
        return .done
    }
    if isInBackground {
        return try await environment.queueForBackground(targets.ids, goesOn: true, aggregator)
    }
    return try await environment.download(targets.ids, goesOn: true, aggregator)
}

extension Environment {
    /// Queues episodes here, so that mistakes show here, and lets a process of its own fetch them.
    ///
    /// Without episodes that process fetches what is queued.
    func queueForBackground(
        _ episodes: [EpisodeID], goesOn: Bool, _ aggregator: Aggregator
    ) async throws -> ExitCode {
        let printer = EventPrinter(self)
        let request = try await aggregator.queue(episodes, goesOn: goesOn) { printer.print($0) }
        _ = try printer.finish()
        let code = request.refusedCount == 0 ? ExitCode.done : .partly
        if request.pending.isEmpty, !episodes.isEmpty { return code }
        if aggregator.isQueueHeld {
            try say("Queued; another podget is downloading and takes them on")
            return code
        }
        let command = goesOn ? "resume" : "download"
        _ = try await runInBackground([command] + request.pending.sorted().map(\.description))
        return code
    }
}

/// The downloads that one of these commands is for.
private struct QueueTargets {
    let ids: [EpisodeID]
    private let action: QueueAction
    private let isNamed: Bool
    private let names: [EpisodeID: String]
    private let environment: Environment

    /// Finds the named downloads, or all that the action is for; complains of named ones that it does not fit.
    init(
        _ action: QueueAction, _ selectors: [String], _ aggregator: Aggregator, _ environment: Environment
    ) async throws {
        self.action = action
        self.environment = environment
        isNamed = !selectors.isEmpty
        guard isNamed else {
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
            let state =
                switch episode.state {
                case .none: "not in the queue"
                case .paused: "paused already"
                default: stateWord(episode)
                }
            let hint =
                switch (episode.verb, episode.state) {
                case (.download, _): "; 'podget download \(episode.id)' fetches it"
                case (_, .queued), (_, .paused): "; 'podget resume \(episode.id)' goes on with it"
                default: ""
                }
            environment.complain("\(episode.feedTitle): \(episode.title) is \(state)\(hint)")
        }
    }

    /// Names what was changed, or says that there was nothing to do.
    func tell(_ changed: Set<EpisodeID>, done: String) throws {
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(ids.filter(changed.contains).map(\.rawValue)))
        }
        for id in ids where changed.contains(id) { try environment.say("\(done) \(names[id] ?? "")") }
    }

    /// Says that there was nothing to do, and what can be done instead; what was named and does not fit is told already.
    func tellNothing(_ aggregator: Aggregator) async throws {
        guard !isNamed else { return }
        let status = try await aggregator.downloadsStatus()
        switch action {
        case .pause where !status.paused.isEmpty:
            let count = status.paused.count
            try environment.say(
                "\(environment.format.number(count)) paused already; 'podget resume' goes on with "
                    + (count == 1 ? "it" : "them"))
        case .pause:
            try environment.say("Nothing runs or waits")
        case .cancel:
            let failed = status.failed.count
            let rest =
                failed == 0
                ? ""
                : "; \(environment.format.number(failed)) failed: 'podget cancel EPISODE' drops one, 'podget retry' "
                    + "tries again"
            try environment.say("Nothing runs, waits or is paused\(rest)")
        case .retry where !QueueAction.resume.targets(status).isEmpty:
            try environment.say(
                "Nothing has failed; 'podget resume' goes on with what was paused or interrupted")
        case .retry:
            try environment.say("Nothing has failed")
        case .resume:
            let failed = counted(status.failed.count, "download", in: environment)
            let rest = status.failed.isEmpty ? "" : "; \(failed) failed: 'podget retry' tries again"
            try environment.say("Nothing was paused or interrupted\(rest)")
        }
    }
}
