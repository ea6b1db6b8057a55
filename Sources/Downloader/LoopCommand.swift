/// What other threads ask of the loop's thread.
enum LoopCommand: Sendable {
    /// Makes a job on the loop's thread, where it will live, and starts it.
    case start(id: Int, make: @Sendable (TransferWorker) -> any LoopJob)
    case cancel(id: Int)
    /// A thread that worked on the disk for a job is done.
    case diskWorkDone(id: Int, DiskResult)
    /// Ends everything; the continuation is resumed when the last file is closed.
    case shutDown(CheckedContinuation<Void, Never>?)
}

/// What a thread that worked on the disk has to tell.
enum DiskResult: Sendable {
    /// So many bytes of the partial file are safe from a power cut.
    case synced(Int64)
    /// The partial file and its record are as they shall stay.
    case settled
    case published(Result<PublishedFile, TransferError>)
}

/// Something that the loop does over time; lives on the loop's thread.
protocol LoopJob: AnyObject {
    func start()
    /// The time that the job gave to `TransferWorker.wake` has come, or its host answers again.
    func wake()
    /// Stops at the next safe point and then removes itself.
    func cancel()
    func diskWorkDone(_ result: DiskResult)
    /// The job that probed the host for all others has given up.
    func hostIsGivenUp(_ error: TransferError)
    /// Ends without the loop, which has failed or is gone.
    func abandon(_ error: TransferError)
}
