/// Moves all bytes between the network and the disk, on one thread of its own.
public final class TransferLoop: Sendable {
    public init(_ configuration: TransferConfiguration = TransferConfiguration()) throws(TransferError) {}

    /// Stops every transfer, keeps the partial files, and ends the thread.
    public func shutDown() async {}

    /// Fetches a small document into a receiver on the loop's own thread.
    ///
    /// A status other than 2xx and 304 is an error. Cancelling the task cancels the transfer.
    public func fetch<Receiver: BodyReceiver>(
        _ request: DocumentRequest,
        into makeReceiver: @escaping @Sendable (ResponseHead) -> Receiver
    ) async throws(TransferError) -> Document<Receiver.Output> {
        throw .cancelled
    }

    /// Downloads one file, with resume; the transfer starts with the call.
    public func download(_ request: DownloadRequest) -> DownloadEvents {
        DownloadEvents()
    }
}
