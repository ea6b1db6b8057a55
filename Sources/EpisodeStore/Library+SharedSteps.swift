/// Steps that many downloads take at about the same time.
///
/// Each must be on the disk before its download goes on, and the wait for that is what it costs. Those that come while
/// others are stored share the next transaction.
struct SharedStep: Sendable {
    /// Does the work within a transaction, and returns what tells its caller once that is committed.
    let work: @Sendable (isolated Library) throws(StoreError) -> @Sendable () -> Void
    let fail: @Sendable (StoreError) -> Void
}

extension Library {
    /// Does a piece of work in a transaction with others, and returns when it is on the disk.
    ///
    /// `work` is done again where another one in its transaction fails.
    func sharingTransaction<Value: Sendable>(
        _ work: @escaping @Sendable (isolated Library) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            waitingSteps.append(
                SharedStep(
                    work: { library throws(StoreError) in
                        let value = try work(library)
                        return { continuation.resume(returning: .success(value)) }
                    }, fail: { continuation.resume(returning: .failure($0)) }))
            guard waitingSteps.count == 1 else { return }
            Task {
                // Where small files come one after the other, many share one wait for the disk.
                try? await Task.sleep(for: .milliseconds(2))
                takeWaitingSteps()
            }
        }
        return try result.get()
    }

    private func takeWaitingSteps() {
        let steps = waitingSteps
        waitingSteps = []
        take(steps)
    }

    /// Takes steps in one transaction; each in its own where that fails, for one must not take the others along.
    private func take(_ steps: [SharedStep]) {
        do throws(StoreError) {
            let answers = try connection.transaction(.full) { () throws(StoreError) in
                try steps.map { (step) throws(StoreError) in try step.work(self) }
            }
            for answer in answers { answer() }
        } catch {
            // Of names that were reserved and are not.
            fileStems.forget()
            if steps.count == 1 { return steps[0].fail(error) }
            for step in steps { take([step]) }
        }
    }
}
