import Aggregator
import EpisodeStore

/// Shows the queue and what runs, from any process: `podget status`.
struct StatusCommand: Command {
    static let syntax = CommandSyntax(
        name: "status",
        group: .transfers,
        summary: "Show running, queued and failed downloads",
        options: [
            OptionSyntax(
                "watch", short: "w", "Follow them until nothing is left or podget has stopped downloading"),
            OptionSyntax("follow", "The same; with --json, one object a line whenever something has changed"),
        ],
        details: """
            What arrived of a download that has stopped either counts the next time ('resumes there') or is fetched again
            ('starts over'), where its server does not let downloads go on. What is paused waits for 'podget resume'.
            """,
        examples: [
            .init("podget status --watch", "shows what another podget is downloading, as it goes"),
            .init("podget status --json --follow", "tells a script the same"),
        ])

    private let watches: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        watches = arguments.has("watch") || arguments.has("follow")
    }

    func run(in environment: Environment) async throws -> ExitCode {
        if watches, let aggregator = try environment.openForReading() {
            let watcher = QueueWatcher(aggregator: aggregator, environment: environment)
            return try await environment.options.wantsJSON ? watcher.follow() : watcher.watch()
        }
        let status = try await environment.openForReading()?.downloadsStatus()
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(StatusRow(status)))
            return .done
        }
        let downloads = status.map { $0.active + $0.queued + $0.waiting + $0.paused + $0.failed } ?? []
        if downloads.isEmpty {
            try environment.say("Nothing is queued")
            return .done
        }
        var table = Table([
            .init(title: "ID", alignment: .right),
            .init(title: "STATE"),
            .init(title: "FEED", isFlexible: true, goes: 1),
            .init(title: "TITLE", isFlexible: true),
            .init(title: "BYTES"),
            .init(title: "NEXT TIME", goes: 2),
            .init(title: "WHY", isFlexible: true, goes: 3),
        ])
        for download in downloads {
            table.addRow([
                download.id.description, download.state.rawValue, download.feedTitle, download.title,
                progressText(download, environment.format), nextTime(download) ?? "",
                whyText(download, environment.format),
            ])
        }
        try environment.output.write(table.text(width: environment.terminalWidth))
        if let status, !status.failed.isEmpty {
            try environment.say("'podget retry' tries again what failed, 'podget why ID' tells all of it")
        }
        if let status, !status.paused.isEmpty {
            try environment.say("'podget resume' goes on with what is paused")
        }
        return .done
    }

    /// The same words as after Ctrl-C; nil for what runs, or has not begun.
    private func nextTime(_ download: QueuedDownload) -> String? {
        guard download.state != .active else { return nil }
        return nextTimeWords(hasResumeData: download.hasResumeData, byteCount: download.byteCount)
    }

    /// Why it is where it is, and until when.
    private func whyText(_ download: QueuedDownload, _ format: HumanFormat) -> String {
        let until = StatusRow.Item(download).until.map { "until " + format.moment($0) }
        return [until, download.reason].compactMap { $0 }.joined(separator: ": ")
    }

    private func progressText(_ download: QueuedDownload, _ format: HumanFormat) -> String {
        let row = StatusRow.Item(download)
        var parts: [String] = []
        if download.byteCount > 0 || download.state == .active {
            let expected =
                row.expectedBytes.map { " / " + (row.expectedIsExact ? "" : "~") + format.bytes($0) } ?? ""
            parts.append(format.bytes(download.byteCount) + expected)
        }
        if let rate = row.rate { parts.append(format.rate(bytesPerSecond: rate)) }
        return parts.joined(separator: " · ")
    }
}
