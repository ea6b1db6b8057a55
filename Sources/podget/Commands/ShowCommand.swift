import Aggregator
import EpisodeStore
import FeedParser

/// Shows one feed or episode: `podget show FEED|EPISODE`.
struct ShowCommand: Command {
    static let syntax = CommandSyntax(
        name: "show",
        group: .look,
        summary: "Show a feed, or an episode with its notes",
        arguments: [ArgumentSyntax("FEED|EPISODE", .one, "A feed (by name), or an episode (by number)")],
        examples: [
            .init("podget show 12", "shows episode 12"), .init("podget show low-water", "shows a feed"),
        ])

    private let selector: String

    init(_ arguments: Arguments) throws(UsageError) {
        selector = arguments.positional[0]
    }

    func run(in environment: Environment) async throws -> ExitCode {
        guard let aggregator = try environment.openForReading() else {
            throw AggregatorError.unknown(selector, nearest: [])
        }
        let library = aggregator.library
        if case .found(let found) = try await library.episodes(matching: selector) {
            let episodes = try await aggregator.wanted(found, by: selector)
            if environment.options.wantsJSON {
                try environment.output.write(jsonText(try await rows(of: episodes, aggregator)))
                return .done
            }
            for episode in episodes {
                if let detail = try await aggregator.episodeDetail(episode.id) {
                    try environment.output.write(text(detail, aggregator, environment))
                }
            }
            return .done
        }
        if case .none = try await library.feed(matching: selector),
            let error = try await aggregator.noSuchEpisode(selector)
        {
            throw error
        }
        let feed = try await aggregator.feed(matching: selector)
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(FeedRow(feed)))
            return .done
        }
        let live = try await library.liveItems().count { $0.feedID == feed.id }
        try environment.output.write(text(feed, liveItemCount: live, environment))
        return .done
    }

    private func rows(of episodes: [EpisodeRecord], _ aggregator: Aggregator) async throws -> [EpisodeRow] {
        var rows: [EpisodeRow] = []
        for episode in episodes {
            guard let detail = try await aggregator.episodeDetail(episode.id) else { continue }
            var row = EpisodeRow(detail.record, aggregator)
            row.add(detail, aggregator)
            rows.append(row)
        }
        return rows
    }

    private func text(_ feed: FeedRecord, liveItemCount: Int, _ environment: Environment) -> String {
        let format = environment.format
        var text = lines([
            ("Feed", feed.title), ("Slug", feed.slug), ("Number", feed.id.description),
            ("Author", feed.author), ("Tags", tagWords(feed.settings.tags)),
            ("Address", shownAddress(feed.url)), ("Website", feed.link), ("Language", feed.language),
            ("Episodes", format.number(feed.episodeCount)),
            ("Downloaded", format.number(feed.downloadedCount)),
            ("Newest", feed.newestEpisode.map(format.day)),
            ("Checked", feed.lastChecked.map(format.moment)), ("Next check", nextCheck(feed, format)),
            ("Problem", problem(of: feed, format)),
            (
                "Live items",
                liveItemCount > 0 ? "\(format.number(liveItemCount)); 'podget live' shows them" : nil
            ),
        ])
        if let description = feed.description { text += "\n" + terminalLines(description) + "\n" }
        return text
    }

    /// When a timer's `sync --scheduled` asks the feed again, and why then.
    private func nextCheck(_ feed: FeedRecord, _ format: HumanFormat) -> String? {
        guard feed.isSubscribed else { return nil }
        if feed.isGone { return "none: the server says that the feed is gone for good" }
        return feed.nextCheck.map { date in
            format.moment(date) + (feed.nextCheckReason.map { " (\($0))" } ?? "")
        }
    }

    private func text(_ detail: EpisodeDetail, _ aggregator: Aggregator, _ environment: Environment) -> String
    {
        let format = environment.format
        let episode = detail.record
        let isDone = episode.state == .done
        let path = isDone ? episode.filePath.map(aggregator.absolutePath(ofStored:)) : nil
        let isGone = aggregator.isFileGone(episode)
        var text = lines([
            ("Episode", episode.title), ("Number", episode.id.description), ("Feed", episode.feedTitle),
            ("Place", placeWords(episode)), ("Published", episode.published.map(format.moment)),
            ("Length", episode.duration.map { format.duration(seconds: $0 / .seconds(1)) }),
            ("State", isGone ? "the file is gone; \(fetchAgain(episode))" : stateText(episode)),
            ("Why", episode.reason), sparedLine(episode), ("Played", playedWords(episode, format)),
            ("File", isGone ? nil : path),
            ("Size", isDone && !isGone ? episode.byteCount.map(format.bytes) : nil),
            ("Codec", isDone ? detail.codec : nil),
            ("Artwork", aggregator.artworkPath(of: detail)),
            ("Transcript", detail.transcript.isEmpty ? nil : "podget transcript \(episode.id)"),
            ("Address", episode.enclosureURL.map(shownAddress)), ("Website", episode.link),
            ("With", detail.persons.map(\.name).joined(separator: ", ")),
        ])
        let notes =
            detail.contentHTML.map { renderText(fromHTML: $0, width: environment.terminalWidth) }
            ?? detail.summary
        if let notes { text += "\n" + terminalLines(notes) + "\n" }
        if !detail.chapters.isEmpty {
            text += "\nChapters:\n"
            for (index, chapter) in detail.chapters.enumerated() {
                let start = clockText(chapter.start)
                text += "  \(index + 1)  \(start)  \(terminalText(chapter.title ?? ""))\n"
            }
        }
        return text
    }

    private func lines(_ pairs: [(String, String?)]) -> String {
        pairs.compactMap { name, value in
            guard let value, !value.isEmpty else { return nil }
            return name + ":" + String(repeating: " ", count: 12 - name.count) + terminalText(value) + "\n"
        }.joined()
    }
}
