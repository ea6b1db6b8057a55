/// What a download does with the head and the body of each response.
extension Download: TransferSink {
    func begin(_ head: ResponseHead) -> Bool {
        worker.hostAnswered(host)
        hasAnswer = true
        isAbsenceTold = false
        do throws(TransferError) {
            switch decideResume(plan: plan, record: partial.record, head: head) {
            case .append:
                try checkSize(head)
                try partial.append(head)
                promisedEnd = head.contentRange.flatMap { ContentRange($0) }?.bytes.map { $0.upperBound + 1 }
                tellStart(head, restartReason: nil)
            case .replace(let reason):
                try checkSize(head)
                startOverReason = nil
                promisedEnd = nil
                let record = ResumeRecord(originalURL: addressWithoutCredentials(request.url), head: head)
                try partial.replace(with: record, isRestart: reason != nil)
                tellStart(head, restartReason: reason)
            case .startOver(let reason):
                stop = .startOver(reason)
            case .complete:
                stop = .publish
            case .refuse:
                stop = .fail(.status(head))
            }
        } catch {
            stop = .fail(error)
        }
        return stop == nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(TransferError) {
            try partial.receive(bytes)
            if let limit = request.byteLimit, partial.receivedByteCount > limit {
                throw .tooLarge(byteLimit: limit)
            }
        } catch {
            stop = .fail(error)
            return false
        }
        writeBackSoon()
        tellProgress()
        return true
    }

    /// Lets the disk work while the network does, so that the sync at the end has little left to wait for.
    private func writeBackSoon() {
        let (start, end) = (writtenBackByteCount, partial.byteCount)
        guard end - start >= writeBackByteCount || end < start, let file = partial.file else { return }
        writtenBackByteCount = end
        if end < start { return }
        // On another thread, for a disk that is busy makes it wait. Without one, the sync does it.
        _ = startThread { file.startWriteBack(from: start, byteCount: end - start) }
    }

    func end(_ outcome: TransferOutcome) {
        phase = .idle
        switch outcome {
        case .completed(_, let ending):
            complete(ending)
        case .failed(let error):
            partial.keepOpening()
            handleFailure(error)
        case .stopped:
            act(on: stop ?? .fail(.cancelled))
        }
    }

    private func act(on stop: Stop) {
        switch stop {
        case .startOver(let reason): startOver(reason)
        case .publish: publishPartial(isVerified: true)
        case .fail(let error):
            if case .tooLarge = error { partial.discard() }
            handleFailure(error)
        }
    }

    private func complete(_ ending: BodyEnding) {
        do throws(TransferError) {
            try partial.finishOpening()
        } catch {
            return handleFailure(error)
        }
        // Nobody told the total; the end of the range is promised all the same.
        let promised = partial.totalByteCount ?? promisedEnd
        let expected: ExpectedSize = promised.map { .exact($0) } ?? .unknown
        switch judgeCompleteness(written: partial.byteCount, expected: expected, ending: ending) {
        case .complete: publishPartial(isVerified: true)
        case .unverified: publishPartial(isVerified: false)
        case .incomplete(let missing):
            handleFailure(.incomplete(byteCount: partial.byteCount, expected: partial.byteCount + missing))
        case .excessive(let excess):
            let error = TransferError.incomplete(
                byteCount: partial.byteCount, expected: partial.byteCount - excess)
            partial.discard()
            handleFailure(error)
        }
    }

    private func checkSize(_ head: ResponseHead) throws(TransferError) {
        if let limit = request.byteLimit, let count = head.exactByteCount, count > limit {
            throw .tooLarge(byteLimit: limit)
        }
    }

    // MARK: Telling

    var expected: ExpectedSize {
        if let count = partial.totalByteCount { return .exact(count) }
        return request.estimatedByteCount.flatMap { $0 > 0 ? .estimated($0) : nil } ?? .unknown
    }

    func tellStart(_ head: ResponseHead, restartReason: RestartReason?) {
        let start = StartedDownload(
            resumedFrom: plan.firstByte == 0 || head.status != 206 ? 0 : partial.byteCount,
            restartReason: restartReason, expected: expected,
            fileExtension: extensionBeforeBytes(contentType: head.contentType, url: request.url),
            contentType: head.contentType, comesAtOnce: partial.isHeldBack)
        // The rest of a small file follows at once, or its progress does; each wake-up costs as much as its bytes.
        events.push(.started(start), canWait: partial.isHeldBack)
    }

    private func tellProgress() {
        // The end of a small file that came at once tells everything.
        if partial.holdsWhole { return }
        let now = ContinuousClock.now
        if let lastProgress, now - lastProgress < worker.configuration.progressInterval { return }
        lastProgress = now
        let byteCount = partial.receivedByteCount
        rate.record(byteCount: byteCount, at: now)
        let progress = TransferProgress(
            byteCount: byteCount, expected: expected, bytesPerSecond: rate.bytesPerSecond,
            timeLeft: rate.timeLeft(byteCount: byteCount, expected: expected))
        events.push(.progress(progress))
        if now - lastSync >= worker.configuration.syncInterval { syncSoon() }
    }

    /// Syncs the partial file on another thread, so that a power cut costs only what came after.
    func syncSoon() {
        guard !isSyncing, let file = partial.file, partial.byteCount > partial.record.syncedByteCount else {
            return
        }
        isSyncing = true
        lastSync = .now
        let byteCount = partial.byteCount
        worker.runOnDiskThread(for: id) {
            // Bytes that cannot be synced are not counted as such.
            do throws(TransferError) {
                try file.sync()
                return .synced(byteCount)
            } catch {
                return .synced(0)
            }
        }
    }
}

/// How many bytes are gathered before the disk begins to write them.
private let writeBackByteCount: Int64 = 64 << 20
