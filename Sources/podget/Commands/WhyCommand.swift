import Aggregator
import EpisodeStore
import FoundationEssentials

/// Explains an episode: `podget why EPISODE`.
struct WhyCommand: Command {
    static let syntax = CommandSyntax(
        name: "why",
        group: .look,
        summary: "Explain an episode: how it was recognised, what happened to it, which rules apply",
        arguments: [ArgumentSyntax("EPISODE", .one, "The episode")],
        details: "Reads what is stored; the network is not asked.",
        examples: [.init("podget why low-water:latest", "tells why the newest episode is there, or is not")])

    private let selector: String

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional[0]
    }

    func run(in environment: Environment) async throws -> ExitCode {
        guard let aggregator = try environment.openForReading() else {
            throw AggregatorError.unknown(selector, nearest: [])
        }
        var explanations: [Explanation] = []
        for episode in try await aggregator.episodes(matching: [selector]) {
            explanations.append(try await aggregator.explain(episode))
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(explanations.map { WhyRow($0) }))
            return .done
        }
        for (index, explanation) in explanations.enumerated() {
            if index > 0 { try environment.output.line("") }
            try print(explanation, in: environment)
        }
        return .done
    }

    private func print(_ explanation: Explanation, in environment: Environment) throws {
        let format = environment.format
        let episode = explanation.detail.record
        let next = explanation.next
        let lines: [(String, String?)] = [
            ("Episode", episode.title), ("Number", episode.id.description), ("Feed", episode.feedTitle),
            ("Identity", identityWords(explanation.detail.identity)), ("Guid", episode.guid),
            ("First seen", format.moment(episode.firstSeen)),
            ("Place", placeWords(episode)), ("State", stateText(episode)),
            ("Why", episode.reason), sparedLine(episode), ("Played", playedWords(episode, format)),
            ("Next sync", "\(nextWord(next.action)): \(next.reason)"),
            ("Goes on", explanation.waitsUntil.map { "with a sync after \(format.moment($0))" }),
            ("By hand", verbHint(episode)),
        ]
        for (name, value) in lines {
            guard let value, !value.isEmpty else { continue }
            let padding = String(repeating: " ", count: 12 - name.count)
            try environment.output.line("\(name):\(padding)\(terminalText(value))")
        }
        try environment.output.write("\nRules:\n")
        try environment.printSettings(explanation.settings.filter { $0.value != nil })
        try environment.output.write("\nHistory:\n")
        for entry in explanation.history {
            let reason = entry.reason.map { ": " + terminalText($0) } ?? ""
            try environment.output.line("  \(format.moment(entry.date))  \(eventWords(entry.event))\(reason)")
        }
        if explanation.history.isEmpty { try environment.output.line("  nothing yet") }
    }

    private func nextWord(_ action: PlanAction) -> String {
        switch action {
        case .download: "downloads it"
        case .delete: "deletes its file"
        case .keep: "keeps its file"
        case .skip: "leaves it alone"
        }
    }

    private func eventWords(_ event: JournalEvent) -> String {
        switch event {
        case .state(_, let to): stateWord(to)
        case .recognised(let rule): identityWords(rule)
        case .marked(let mark): "marked \(mark)"
        case .suspectedDuplicate: "looks like an episode that is known already"
        }
    }
}

/// The command that does now what no sync does; nil where one does or nothing can be done.
private func verbHint(_ episode: EpisodeRecord) -> String? {
    switch episode.verb {
    case .download: "'podget download \(episode.id)' fetches it"
    case .resume: "'podget resume \(episode.id)' goes on where it stopped"
    case .retry where episode.state == .paused:
        "'podget resume \(episode.id)' fetches it"
            + (nextTimeWords(hasResumeData: false, byteCount: episode.byteCount ?? 0).map { " (\($0))" } ?? "")
    case .retry: "'podget retry \(episode.id)' tries again"
    case .pause, .play, nil: nil
    }
}

/// The rule by which an episode was recognised, in a user's words.
private func identityWords(_ rule: IdentityRule) -> String {
    switch rule {
    case .new: "new when it came: nothing known was the same"
    case .guid: "recognised by its guid"
    case .enclosure: "recognised by the address of its file, though its guid is another"
    case .link: "recognised by its link, for it has no guid"
    case .enclosureURL: "recognised by the address of its file, for it has neither guid nor link"
    case .titleAndDate: "recognised by its title and date, for it has nothing else"
    case .rewrittenCatalogue: "recognised by its title and date, for the feed changed all its guids at once"
    }
}

/// An explanation as `why --json` prints it.
private struct WhyRow: Encodable {
    struct Identity: Encodable {
        let rule: IdentityRule
        let guid: String?
        let firstSeen: Date
        let listed: Bool
        let suspectedDuplicate: Bool
    }

    struct Next: Encodable {
        let action: PlanAction
        let reason: String
        let until: Date?
    }

    struct Event: Encodable {
        let date: Date
        let event: String
        var from: DownloadState?
        var to: DownloadState?
        var rule: IdentityRule?
        var mark: String?
        let reason: String?

        init(_ entry: JournalEntry) {
            date = entry.date
            reason = entry.reason
            switch entry.event {
            case .state(let from, let to):
                event = "state"
                (self.from, self.to) = (from, to)
            case .recognised(let rule):
                event = "recognised"
                self.rule = rule
            case .marked(let mark):
                event = "marked"
                self.mark = mark
            case .suspectedDuplicate:
                event = "suspectedDuplicate"
            }
        }
    }

    let id: Int64
    let feed: String
    let title: String
    let state: DownloadState
    let reason: String?
    let identity: Identity
    let next: Next
    let rules: [SettingRow]
    let history: [Event]

    init(_ explanation: Explanation) {
        let episode = explanation.detail.record
        id = episode.id.rawValue
        feed = episode.feedTitle
        title = episode.title
        state = episode.state
        reason = episode.reason
        identity = Identity(
            rule: explanation.detail.identity, guid: episode.guid, firstSeen: episode.firstSeen,
            listed: episode.isListed, suspectedDuplicate: episode.isSuspectedDuplicate)
        next = Next(
            action: explanation.next.action, reason: explanation.next.reason, until: explanation.waitsUntil)
        rules = explanation.settings.map(SettingRow.init)
        history = explanation.history.map(Event.init)
    }
}
