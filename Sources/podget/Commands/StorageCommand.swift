import Aggregator
import EpisodeStore

/// Shows what the downloads occupy: `podget storage`.
struct StorageCommand: Command {
    enum Grouping: String, CaseIterable { case episode, feed }

    static let syntax = CommandSyntax(
        name: "storage",
        group: .look,
        summary: "Show what the downloads occupy, largest first",
        options: [OptionSyntax("by", value: "feed", "Add up by feed")],
        details: "Works without network, and shows the names of unsubscribed feeds too.")

    private let grouping: Grouping

    init(_ arguments: Arguments) throws(UsageError) {
        grouping = try arguments.choice(of: "by", Grouping.self) ?? .episode
    }

    func run(in environment: Environment) async throws -> ExitCode {
        guard let aggregator = try environment.openForReading() else {
            return try show(Storage.none, rows: [], in: environment)
        }
        let storage = try await aggregator.storage()
        if environment.options.wantsJSON {
            let items = storage.files.map { StorageRow.Item($0, aggregator) }
            let row = StorageRow(total: storage.totalByteCount, free: storage.freeByteCount, items: items)
            try environment.output.write(jsonText(row))
            return .done
        }
        let format = environment.format
        let rows =
            switch grouping {
            case .episode:
                storage.files.map {
                    [format.bytes($0.byteCount), $0.id.description, $0.feedTitle, $0.title]
                }
            case .feed:
                storage.byFeed.map {
                    [
                        format.bytes($0.byteCount), "", $0.title,
                        counted($0.fileCount, "file", in: environment),
                    ]
                }
            }
        return try show(storage, rows: rows, in: environment)
    }

    private func show(_ storage: Storage, rows: [[String]], in environment: Environment) throws -> ExitCode {
        if environment.options.wantsJSON {
            try environment.output.write(jsonText(StorageRow(total: 0, free: nil, items: [])))
            return .done
        }
        var table = Table([
            .init(title: "SIZE", alignment: .right),
            .init(title: "ID", alignment: .right, goes: 2),
            .init(title: "FEED", isFlexible: true, goes: grouping == .feed ? nil : 1),
            .init(title: grouping == .feed ? "FILES" : "TITLE", isFlexible: true),
        ])
        for row in rows { table.addRow(row) }
        try environment.output.write(table.text(width: environment.terminalWidth))
        let total = environment.format.bytes(storage.totalByteCount)
        let free = storage.freeByteCount.map { ", \(environment.format.bytes($0)) free" } ?? ""
        try environment.say("\(counted(storage.files.count, "file", in: environment)), \(total)\(free)")
        if storage.partialByteCount > 0 {
            let partial = environment.format.bytes(storage.partialByteCount)
            try environment.say("\(partial) of unfinished downloads besides; 'podget status' shows them")
        }
        return .done
    }
}
