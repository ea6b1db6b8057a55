import Aggregator
import EpisodeStore

/// A line of a plan as `sync --dry-run --json` and `clean --json` print it.
struct PlanRow: Encodable {
    let action: PlanAction
    let id: Int64
    let feed: String
    let title: String
    let bytes: Int64?
    let file: String?
    let reason: String

    init(_ line: PlanLine, _ aggregator: Aggregator) {
        let episode = line.episode
        action = line.action
        id = episode.id.rawValue
        feed = episode.feedTitle
        title = episode.title
        bytes =
            episode.state == .done ? episode.byteCount : episode.expectedByteCount ?? episode.enclosureLength
        file = episode.state == .done ? episode.filePath.map(aggregator.absolutePath(ofStored:)) : nil
        reason = line.reason
    }
}

extension Environment {
    /// Prints what would happen and why; what is skipped only with `--verbose`.
    func printPlan(_ plan: [PlanLine], _ aggregator: Aggregator?) throws {
        let lines = PlanAction.allCases.flatMap { action in plan.filter { $0.action == action } }
            .filter { $0.action != .skip || options.isVerbose }
        if options.wantsJSON {
            let rows = aggregator.map { aggregator in lines.map { PlanRow($0, aggregator) } } ?? []
            return try output.write(jsonText(rows))
        }
        var table = Table([
            .init(title: "ACTION"),
            .init(title: "ID", alignment: .right),
            .init(title: "FEED", isFlexible: true, goes: 1),
            .init(title: "TITLE", isFlexible: true),
            .init(title: "WHY", isFlexible: true),
        ])
        for line in lines {
            table.addRow([
                line.action.rawValue, line.episode.id.description, line.episode.feedTitle, line.episode.title,
                line.reason,
            ])
        }
        try output.write(table.text(width: terminalWidth))
        let count = { (action: PlanAction) in format.number(plan.count { $0.action == action }) }
        try say(
            "\(count(.download)) to download, \(count(.delete)) to delete, \(count(.keep)) to keep; "
                + "nothing was done")
    }
}
