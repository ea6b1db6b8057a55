import Synchronization

/// What the server has seen and sent, and who waits for more of it.
final class RequestLog: Sendable {
    struct State {
        var requests: [RecordedRequest] = []
        var bodyByteCounts: [String: Int64] = [:]
        var connectionCount = 0
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    struct Waiter {
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())

    func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        state.withLock { body($0) }
    }

    func add(_ request: RecordedRequest) -> Int {
        change { state in
            state.requests.append(request)
            return state.requests.count { $0.path == request.path }
        }
    }

    func addConnection() {
        change { $0.connectionCount += 1 }
    }

    func addBodyBytes(_ count: Int, path: String) {
        change { $0.bodyByteCounts[path, default: 0] += Int64(count) }
    }

    func clear() {
        change { state in
            state.requests = []
            state.bodyByteCounts = [:]
            state.connectionCount = 0
        }
    }

    /// Returns as soon as the condition holds, or when the task is cancelled.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if condition(state) || Task.isCancelled { return true }
                    state.waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state)
            let ready = state.waiters.filter { $0.value.condition(state) }
            for id in ready.keys { state.waiters[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }
}
