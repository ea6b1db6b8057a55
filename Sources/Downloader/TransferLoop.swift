import Synchronization

/// Moves all bytes between the network and the disk, on one thread of its own.
///
/// Letting go of the loop shuts it down.
public final class TransferLoop: Sendable {
    private let mailbox: Mailbox
    private let lastID = Atomic<Int>(0)

    public init(_ configuration: TransferConfiguration = TransferConfiguration()) throws(TransferError) {
        let worker = try TransferWorker(configuration)
        mailbox = worker.mailbox
        guard startThread({ worker.run() }) else { throw .loopUnavailable("the system gives no thread") }
    }

    deinit {
        mailbox.post(.shutDown(nil))
    }

    /// Stops every transfer, keeps the partial files, and ends the thread.
    public func shutDown() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.shutDown(continuation)) { continuation.resume() }
        }
    }

    /// Fetches a small document into a receiver on the loop's own thread.
    ///
    /// A status other than 2xx and 304 is an error. Cancelling the task cancels the transfer.
    public func fetch<Receiver: BodyReceiver>(
        _ request: DocumentRequest,
        into makeReceiver: @escaping @Sendable (ResponseHead) -> Receiver
    ) async throws(TransferError) -> Document<Receiver.Output> {
        let id = nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPosted = mailbox.post(
                    .start(id: id) { worker in
                        DocumentFetch(
                            id: id, request: request, makeReceiver: makeReceiver, worker: worker,
                            continuation: continuation)
                    })
                if !isPosted {
                    continuation.resume(returning: .failure(.loopUnavailable("the loop was shut down")))
                }
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { mailbox.post(.cancel(id: id)) }
            }
        } onCancel: {
            mailbox.post(.cancel(id: id))
        }
        return try result.get()
    }

    /// Downloads one file, with resume; the transfer starts with the call.
    public func download(_ request: DownloadRequest) -> DownloadEvents {
        let id = nextID()
        let queue = EventQueue()
        let isPosted = mailbox.post(
            .start(id: id) { worker in Download(id: id, request: request, events: queue, worker: worker) })
        if !isPosted { queue.push(.failed(.unavailableLoop)) }
        return DownloadEvents(queue: queue) { [mailbox] in mailbox.post(.cancel(id: id)) }
    }

    private func nextID() -> Int {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

extension DownloadFailure {
    static let unavailableLoop = DownloadFailure(
        error: .loopUnavailable("the loop was shut down"), isTemporary: true, hasResume: false, byteCount: 0,
        expected: .unknown)
}
