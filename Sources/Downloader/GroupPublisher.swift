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
    var results: [Result<PublishedFile, TransferError>?] = orders.map { _ in nil }
    var files: [(index: Int, file: PublishedFile)] = []
    for (index, order) in orders.enumerated() {
        do throws(TransferError) {
            files.append((index, try judge(order)))
            order.part.startWriteBack()
        } catch {
            results[index] = .failure(error)
        }
    }
    var moved: [(index: Int, file: PublishedFile)] = []
    for (index, file) in files {
        do throws(TransferError) {
            try orders[index].part.sync()
            moved.append((index, file))
        } catch {
            results[index] = .failure(error)
        }
    }
    files = []
    for (index, file) in moved {
        do throws(TransferError) {
            files.append((index, try move(orders[index], file)))
        } catch {
            results[index] = .failure(error)
        }
    }
    var synced: [String: Result<Void, TransferError>] = [:]
    for (index, file) in files {
        let folder = orders[index].targetFolder
        let result = synced[folder] ?? Result { () throws(TransferError) in try syncFolder(folder) }
        synced[folder] = result
        results[index] = result.map { file }
    }
    return results.map { $0 ?? .failure(.cancelled) }
}
