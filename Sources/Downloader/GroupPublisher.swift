internal import CCurl
import Glibc
import Synchronization

/// Publishes small files in groups, so that all files of a group share the syncs that make them durable.
///
/// One thread takes whatever has come while it was busy; it ends when nothing is left.
final class GroupPublisher: Sendable {
    typealias Completion = @Sendable (Result<PublishedFile, TransferError>) -> Void

    private struct State {
        var waiting: [(PublishOrder, Completion)] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Microseconds.
    private static let waitForCompany: UInt32 = 2000

    /// Publishes a file, alone or with others; `completion` is called on another thread once it is durable.
    func publish(_ order: PublishOrder, completion: @escaping Completion) {
        let starts = state.withLock { state in
            state.waiting.append((order, completion))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // Without a thread it has to happen here.
        if starts, !startThread({ self.run() }) { run() }
    }

    private func run() {
        while true {
            // Where small files come one after the other, many share one wait for the disk.
            usleep(Self.waitForCompany)
            let group = state.withLock { state in
                defer { state.waiting = [] }
                state.isRunning = !state.waiting.isEmpty
                return state.waiting
            }
            if group.isEmpty { return }
            let results = publishTogether(group.map(\.0))
            for ((_, completion), result) in zip(group, results) { completion(result) }
        }
    }
}

/// Publishes files as `publish` does, step by step for all of them: a file system writes its journal once for the
/// whole group and not once for each file.
func publishTogether(_ orders: [PublishOrder]) -> [Result<PublishedFile, TransferError>] {
    var group = PublishGroup(orders)
    group.advance { file throws(TransferError) in try file.judge() }
    group.syncFiles()
    var created: [String: Result<Void, TransferError>] = [:]
    group.advance { file throws(TransferError) in
        try once(file.order.targetFolder, &created, createFolders)
        try file.move()
    }
    var synced: [String: Result<Void, TransferError>] = [:]
    group.advance { file throws(TransferError) in
        try once(file.order.targetFolder, &synced, syncFolder)
    }
    return group.publications.map { result in result.map(\.file) }
}

/// The files of a group, each as far as it has come.
private struct PublishGroup {
    private(set) var publications: [Result<Publication, TransferError>]

    init(_ orders: [PublishOrder]) {
        publications = orders.map { order in
            Result { () throws(TransferError) in try Publication(order) }
        }
    }

    /// Takes a step with each file that has not failed yet.
    mutating func advance(_ step: (inout Publication) throws(TransferError) -> Void) {
        for index in publications.indices {
            guard case .success(var publication) = publications[index] else { continue }
            publications[index] = Result { () throws(TransferError) in
                try step(&publication)
                return publication
            }
        }
    }

    /// Makes the bytes durable: of many files on one file system at once, for each sync makes the disk wait.
    mutating func syncFiles() {
        let parts = publications.compactMap { try? $0.get() }
        let isOneFileSystem = Set(parts.map(\.order.folder.path)).count == 1
        if parts.count >= Self.fewestForOneSync, isOneFileSystem, let first = parts.first,
            syncfs(first.part.descriptor) == 0
        {
            return
        }
        for publication in parts { publication.part.startWriteBack() }
        advance { publication throws(TransferError) in try publication.part.sync() }
    }

    /// For fewer files, what other programs have left to write could take longer than a sync of each.
    private static let fewestForOneSync = 8
}

/// Does something with a folder the first time it is named, and gives the same result each time.
private func once(
    _ folder: String, _ results: inout [String: Result<Void, TransferError>],
    _ work: (String) throws(TransferError) -> Void
) throws(TransferError) {
    let result = results[folder] ?? Result { () throws(TransferError) in try work(folder) }
    results[folder] = result
    try result.get()
}
