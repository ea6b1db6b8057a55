import FeedParser
import FoundationEssentials
import Synchronization

/// Sums a feed up while its episodes pass by: memory does not grow with their number.
final class FeedSummary: Sendable {
    private struct State {
        var count = 0
        var downloadable = 0
        var earliest: Date?
        var latest: Date?
        var first: [Episode] = []
    }

    /// How many episodes and diagnostics are shown in full.
    private static let shownCount = 10

    private let state = Mutex(State())

    func add(_ episode: Episode) {
        state.withLock { state in
            state.count += 1
            if !episode.enclosures.isEmpty { state.downloadable += 1 }
            if let date = episode.published {
                state.earliest = min(state.earliest ?? date, date)
                state.latest = max(state.latest ?? date, date)
            }
            if state.first.count < Self.shownCount { state.first.append(episode) }
        }
    }

    func text(_ feed: Feed, _ environment: Environment) -> String {
        let format = environment.format
        return state.withLock { state in
            var text = heading(feed)
            text += line(
                "Episodes", "\(format.number(state.count)), \(format.number(state.downloadable)) with a file")
            if let earliest = state.earliest, let latest = state.latest {
                text += line("Dates", "\(format.day(earliest)) – \(format.day(latest))")
            }
            if !feed.liveItems.isEmpty { text += line("Live items", format.number(feed.liveItems.count)) }
            text += "\n" + episodes(state.first, environment)
            if state.count > state.first.count {
                text += "… and \(format.number(state.count - state.first.count)) more; --json prints all\n"
            }
            return text + diagnostics(feed, format)
        }
    }

    private func heading(_ feed: Feed) -> String {
        [
            ("Format", feed.format.rawValue), ("Title", feed.title), ("Author", feed.author),
            ("Website", feed.link), ("Language", feed.language), ("Type", feed.type),
        ].map { name, value in value.map { line(name, $0) } ?? "" }.joined()
    }

    private func line(_ name: String, _ value: String) -> String {
        name + ":" + String(repeating: " ", count: 12 - name.count) + terminalText(value) + "\n"
    }

    private func episodes(_ episodes: [Episode], _ environment: Environment) -> String {
        let format = environment.format
        var table = Table([
            .init(title: "DATE"), .init(title: "TITLE", isFlexible: true), .init(title: "PLACE", goes: 1),
            .init(title: "LENGTH", alignment: .right), .init(title: "FILE", isFlexible: true),
        ])
        for episode in episodes {
            table.addRow([
                episode.published.map(format.day) ?? "", episode.title ?? "",
                placeText(season: episode.season, episode: episode.episode, type: episode.episodeType),
                episode.duration.map { format.duration(seconds: $0) } ?? "",
                episode.enclosures.first?.url ?? "",
            ])
        }
        return table.text(width: environment.terminalWidth)
    }

    private func diagnostics(_ feed: Feed, _ format: HumanFormat) -> String {
        guard !feed.diagnostics.isEmpty else { return "" }
        let shown = feed.diagnostics.prefix(Self.shownCount)
        var text = "\nRepaired or ignored:\n"
        for diagnostic in shown {
            let place = diagnostic.line > 0 ? "line \(diagnostic.line): " : ""
            text += "  \(place)\(terminalText(diagnostic.message))\n"
        }
        let more = feed.diagnostics.count - shown.count
        return more > 0 ? text + "  … and \(format.number(more)) more; --json lists all\n" : text
    }
}
