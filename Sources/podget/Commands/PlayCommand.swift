import Aggregator
import EpisodeStore
import Glibc

/// Plays an episode, or what is next: `podget play [EPISODE[@CHAPTER|@TIME]]`.
struct PlayCommand: Command {
    static let syntax = CommandSyntax(
        name: "play",
        group: .listen,
        summary: "Play an episode where it stopped, then what is next in the queue",
        arguments: [
            ArgumentSyntax(
                "EPISODE", .optional, "What to play, also EPISODE@CHAPTER or EPISODE@12:34; else the queue")
        ],
        details: """
            The file is played where there is one, and then nothing is asked of the network; else the address is. The
            player is mpv, which begins where the episode stopped the last time; without mpv the desktop opens the file.
            The setting 'player' names another program, or mpv with options. A program other than mpv tells podget nothing:
            nothing is marked as played, and the episode leaves the queue when it ends.
            """,
        examples: [
            .init("podget play", "plays what is next in the queue"),
            .init("podget play low-water:latest", "plays the newest episode of a show"),
            .init("podget play 12@1:02:03", "plays episode 12 from there on"),
            .init("podget play low-water:live", "opens what the show broadcasts now"),
            .init("podget play 12@3", "plays it from its third chapter on"),
            .init("podget config player 'vlc --start-time={start} {file}'", "plays with VLC from now on"),
            .init("podget config player 'mpv --no-video'", "gives mpv an option"),
        ])

    private let word: String?

    init(_ arguments: Arguments) throws(UsageError) {
        word = arguments.positional.first
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let aggregator = try environment.openAggregator()
        let player = environment.player(aggregator)
        var start: StartPoint?
        var next: EpisodeRecord?
        if let word, EpisodePoint(word).start == nil, word.hasSuffix(":live") {
            return try await playLive(String(word.dropLast(5)), player, aggregator, environment)
        }
        if let word {
            let episodes: [EpisodeRecord]
            (episodes, start) = try await aggregator.episodes(at: word)
            guard episodes.count == 1 else {
                throw UsageError(
                    "'\(word)' names \(episodes.count) episodes; 'podget queue add' takes them all")
            }
            next = episodes.first
            if let wanted = next, environment.options.isOffline, wanted.state != .done,
                let here = try await newestHere(ofShow: wanted, aggregator)
            {
                throw AggregatorError.unplayable(
                    wanted.title, reason: "it is not here, and --offline asks no server; \(here)")
            }
        } else {
            next = try await nextOfQueue(aggregator, environment)
            if next == nil {
                let begun = try await aggregator.library.episodes(
                    EpisodeQuery(filter: .started, limit: 1)
                ).first
                let hint = begun.map { "; 'podget play \($0.id)' goes on with \($0.title)" } ?? ""
                try environment.say("The play queue is empty; 'podget queue add EPISODE' fills it\(hint)")
            }
        }
        while let episode = next {
            let end = try await play(episode, at: start, player, aggregator, environment)
            if Task.isCancelled { return .interrupted }
            if end.problem != nil { return .failed }
            guard end.wentToTheEnd else { break }
            start = nil
            next = try await nextOfQueue(aggregator, environment)
        }
        return .done
    }

    /// The first episode of the queue; with `--offline` the first whose file is here, and those before it are told of.
    private func nextOfQueue(
        _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> EpisodeRecord? {
        let queue = try await aggregator.library.playQueue()
        guard environment.options.isOffline else { return queue.first }
        let next = queue.first { $0.state == .done && !aggregator.isFileGone($0) }
        guard let next else { return queue.first }
        for passed in queue.prefix(while: { $0.id != next.id }) {
            environment.complain(
                "\(passed.feedTitle): \(passed.title) is not here; it stays in the queue, and --offline passes over it"
            )
        }
        return next
    }

    private func play(
        _ episode: EpisodeRecord, at start: StartPoint?, _ player: Player, _ aggregator: Aggregator,
        _ environment: Environment
    ) async throws -> PlayEnd {
        let request = try await aggregator.playRequest(for: episode, at: start)
        let format = environment.format
        let name = "\(episode.feedTitle): \(episode.title)"
        let isToldStart = request.start > .zero && player.program.takesStart
        let from = isToldStart ? " from \(format.duration(seconds: request.start / .seconds(1)))" : ""
        if start != nil, request.start > .zero, !isToldStart {
            throw AggregatorError.unplayable(
                episode.title,
                reason:
                    "the player cannot be told where to begin; say it in the setting 'player' with {start}, such as "
                    + "podget config player 'vlc --start-time={start} {file}'")
        }
        let how = request.isLocal ? "" : ", from its server"
        if !request.isLocal, aggregator.isFileGone(episode) {
            environment.complain("\(name): the file is gone; \(fetchAgain(episode))")
        }
        try environment.say("Playing \(name)\(from)\(how)")
        let end = await player.play(
            request, show: environment.showPosition,
            store: { position in
                // The end is stored once more, and told of then.
                try? await aggregator.recordPosition(position, of: episode)
            })
        environment.clearPosition()
        let stoppedAt = try await aggregator.recordPlaying(end, of: episode)
        if let problem = end.problem {
            environment.complain("\(name): the player \(problem)")
            if !request.isLocal, let here = try await newestHere(ofShow: episode, aggregator) {
                environment.complain(here)
            }
        } else if end.position == nil, !Task.isCancelled {
            // A player that tells nothing: it was shown, and is not next any more.
            try await aggregator.library.removeFromPlayQueue([episode.id])
        }
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(Row(episode, request, end), isIndented: false))
        } else if end.isPlayed {
            try environment.say("Played \(name)")
        } else if let stoppedAt {
            let place = format.duration(seconds: stoppedAt / .seconds(1))
            try environment.say("Stopped at \(place); 'podget play \(episode.id)' goes on there")
        }
        return end
    }

    /// Names the newest episode of the same show whose file is here; nil where there is none.
    private func newestHere(
        ofShow episode: EpisodeRecord, _ aggregator: Aggregator
    ) async throws -> String? {
        try await aggregator.newestFile(ofFeed: episode.feedID).map { here in
            "the newest of its show that is here is \(here.id), \(here.title): 'podget play \(here.id)'"
        }
    }

    /// Opens what is on: its stream, else the page that shows it.
    private func playLive(
        _ selector: String, _ player: Player, _ aggregator: Aggregator, _ environment: Environment
    ) async throws -> ExitCode {
        let feed = try await aggregator.feed(matching: selector)
        let guide = try await aggregator.liveGuide().first { $0.feed.id == feed.id }
        guard let guide, let broadcast = guide.on.first(where: \.isPlayable) ?? guide.on.first else {
            let wait = guide?.next.first?.startsIn.map {
                "; the next begins in \(environment.format.span($0))"
            }
            throw AggregatorError.unplayable(feed.title, reason: "nothing is on live" + (wait ?? ""))
        }
        if environment.options.isOffline {
            throw AggregatorError.unplayable(feed.title, reason: "--offline asks no server")
        }
        let title = broadcast.item.title ?? feed.title
        let end: PlayEnd
        if let request = aggregator.playRequest(for: broadcast, of: guide) {
            try environment.say("Playing \(feed.title): \(title), live")
            end = await player.play(request, show: environment.showPosition, store: { _ in })
            environment.clearPosition()
        } else if let page = broadcast.page {
            try environment.say("Opening \(shownAddress(page))")
            let desktop = Player(
                .desktop, variables: environment.variables, usesTerminal: false, within: .zero)
            end = await desktop.play(PlayRequest(source: page, isLocal: false, title: title)) { _ in }
        } else {
            throw AggregatorError.unplayable(title, reason: "the feed names neither a stream nor a page")
        }
        if Task.isCancelled { return .interrupted }
        if let problem = end.problem {
            environment.complain("\(title): the player \(problem)")
            return .failed
        }
        return .done
    }

    /// What was played, as `play --json` prints it.
    private struct Row: Encodable {
        let id: Int64
        let title: String
        let source: String
        let start: Double
        let position: Double?
        let duration: Double?
        let played: Bool
        let message: String?

        init(_ episode: EpisodeRecord, _ request: PlayRequest, _ end: PlayEnd) {
            id = episode.id.rawValue
            title = episode.title
            source = request.isLocal ? request.source : shownAddress(request.source)
            start = request.start / .seconds(1)
            position = end.position.map { $0 / .seconds(1) }
            duration = end.duration.map { $0 / .seconds(1) }
            played = end.isPlayed
            message = end.problem
        }
    }
}

extension Environment {
    /// Draws where playing is on the last line of a terminal.
    fileprivate func showPosition(_ position: Duration, _ length: Duration?) {
        guard liveSize != nil, !options.isQuiet, !options.wantsJSON else { return }
        let rest = length.map { " of \(format.duration(seconds: $0 / .seconds(1)))" } ?? ""
        // A terminal that has gone is noticed by the next line.
        try? output.write("\r  \(format.duration(seconds: position / .seconds(1)))\(rest)\u{1B}[K")
    }

    fileprivate func clearPosition() {
        guard liveSize != nil, !options.isQuiet, !options.wantsJSON else { return }
        try? output.write("\r\u{1B}[K")
    }

    /// The player that the settings name, or that is installed.
    func player(_ aggregator: Aggregator) -> Player {
        let program = PlayerProgram(setting: aggregator.settings.player) { name in
            isOnPath(name, variables: variables) { access($0, X_OK) == 0 }
        }
        return Player(
            program, variables: variables,
            usesTerminal: terminalWidth != nil && !options.wantsJSON && !options.isQuiet,
            within: aggregator.settings.playedWithin)
    }
}
