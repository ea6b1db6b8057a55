import Synchronization

/// The events of one download, in order, for one consumer.
///
/// Progress that nobody has read yet is replaced by newer progress; nothing else is ever dropped. Cancelling the
/// consuming task, or letting go of the sequence, stops the transfer and keeps the partial file. A cancelled
/// consumer still gets the last event, and by then the files are closed.
public struct DownloadEvents: AsyncSequence, Sendable {
    private let subscription: Subscription

    init(queue: EventQueue, cancel: @escaping @Sendable () -> Void) {
        subscription = Subscription(queue: queue, cancel: cancel)
    }

    /// Stops the transfer and keeps the partial file; its last event tells how it ended, and may be its completion.
    public func cancel() { subscription.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription)
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let subscription: Subscription

        public mutating func next() async -> DownloadEvent? {
            await nextEvent()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadEvent? {
            await nextEvent()
        }

        private func nextEvent() async -> DownloadEvent? {
            let subscription = subscription
            return await withTaskCancellationHandler {
                await subscription.queue.next()
            } onCancel: {
                subscription.cancel()
            }
        }
    }

    /// Ends the transfer when the last copy of the sequence is gone.
    fileprivate final class Subscription: Sendable {
        let queue: EventQueue
        let cancel: @Sendable () -> Void

        init(queue: EventQueue, cancel: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.cancel = cancel
        }

        deinit { cancel() }
    }
}

/// Carries events from the loop's thread to their consumer.
final class EventQueue: Sendable {
    private struct State {
        var events: [DownloadEvent] = []
        var waiter: CheckedContinuation<DownloadEvent?, Never>?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Adds an event; one that can wait reaches a waiting consumer together with the next.
    func push(_ event: DownloadEvent, canWait: Bool = false) {
        let woken = state.withLock { state -> (CheckedContinuation<DownloadEvent?, Never>, DownloadEvent)? in
            if state.hasEnded { return nil }
            state.hasEnded = event.isLast
            if case .progress = event, case .progress = state.events.last { state.events.removeLast() }
            state.events.append(event)
            guard !canWait, let waiter = state.waiter else { return nil }
            state.waiter = nil
            return (waiter, state.events.removeFirst())
        }
        if let (waiter, event) = woken { waiter.resume(returning: event) }
    }

    /// Waits for the next event; nil after the last one, and for a second consumer while the first one waits.
    func next() async -> DownloadEvent? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> DownloadEvent?? in
                if !state.events.isEmpty { return state.events.removeFirst() }
                if state.hasEnded || state.waiter != nil { return .some(nil) }
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}

extension DownloadEvent {
    /// Whether nothing can follow.
    var isLast: Bool {
        switch self {
        case .finished, .failed, .paused: true
        case .started, .progress, .waiting, .received: false
        }
    }
}
