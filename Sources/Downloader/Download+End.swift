/// How a download ends: published, failed or paused, and local files, which are only copied.
extension Download {
    /// A file that an earlier run published just before it ended.
    func publishedPath() -> String? {
        let part = request.resumeFolder.partPath(request.key)
        let partialByteCount = partial.foundByteCount
        return (partialByteCount == nil ? nil : findOtherName(of: part, in: request.targetFolder))
            ?? findPublished(
                targetFolder: request.targetFolder, fileStem: request.fileStem,
                fileExtension: partial.record.fileExtension ?? request.fileExtension,
                exactByteCount: partial.record.totalByteCount ?? request.exactByteCount,
                partialByteCount: partialByteCount)
    }

    func adopted(_ path: String) -> FinishedDownload {
        let fileExtension = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
        return FinishedDownload(
            path: path, byteCount: regularFileByteCount(at: path) ?? 0,
            contentType: partial.record.contentType,
            container: nil, fileExtension: fileExtension.map(String.init) ?? "",
            requestCount: partial.counts.requestCount, restartCount: partial.counts.restartCount,
            bodyByteCount: partial.counts.bodyByteCount, isVerified: true, wasAdopted: true)
    }

    /// Hands the complete partial file to a thread that publishes it.
    func publishPartial(isVerified: Bool) {
        do throws(TransferError) {
            let order = makePublishOrder(try partial.finishedBytes())
            self.isVerified = isVerified || !order.demanded.isEmpty
            phase = .publishing
            if worker.publish(order, for: id) { events.push(.received) }
        } catch {
            fail(error, isTemporary: true)
        }
    }

    /// Copies a `file:` enclosure of a local feed into the library.
    func copyLocalFile() {
        do throws(TransferError) {
            guard let folder = request.localFolder else {
                throw .refusedFile("only a feed that is itself a local file may name one")
            }
            let source = try openLocalFile(request.url, within: folder)
            let byteCount = try source.byteCount()
            if let limit = request.byteLimit, byteCount > limit { throw .tooLarge(byteLimit: limit) }
            var head = ResponseHead(status: 200, finalURL: request.url)
            head.contentLength = byteCount
            try partial.begin(with: ResumeRecord(originalURL: request.url, head: head))
            tellStart(head, restartReason: nil)
            copy(source, byteCount: byteCount)
        } catch {
            fail(error, isTemporary: false)
        }
    }

    private func copy(_ source: PartFile, byteCount: Int64) {
        partial.noteCopied(byteCount)
        guard let part = partial.file else { return fail(.cancelled, isTemporary: true) }
        let order = makePublishOrder(.file(part))
        isVerified = true
        phase = .publishing
        worker.runOnDiskThread(for: id) { [copyIsCancelled] in
            .published(
                Result { () throws(TransferError) in
                    try copyBytes(from: source, to: part, byteCount: byteCount) {
                        copyIsCancelled.isSet
                    }
                    return try publish(order)
                })
        }
    }

    private func makePublishOrder(_ bytes: FinishedBytes) -> PublishOrder {
        var record = partial.record
        record.counts = partial.counts
        return PublishOrder(
            bytes: bytes, byteCount: partial.byteCount, folder: request.resumeFolder, key: request.key,
            record: record, hasRecord: partial.hasRecord, targetFolder: request.targetFolder,
            fileStem: request.fileStem, url: request.url,
            declaredType: request.declaredType, demanded: request.integrity + record.integrity)
    }

    func end(publishing result: Result<PublishedFile, TransferError>) {
        switch result {
        case .success(let file):
            let finished = FinishedDownload(
                path: file.path, byteCount: file.byteCount, contentType: file.record.contentType,
                container: file.container, fileExtension: file.fileExtension,
                requestCount: partial.counts.requestCount, restartCount: partial.counts.restartCount,
                bodyByteCount: partial.counts.bodyByteCount, isVerified: isVerified, wasAdopted: false,
                hasRecord: partial.hasRecord || file.hasRecord)
            finish(.finished(finished))
        case .failure(.cancelled):
            partial.discard()
            pause()
        case .failure(let error):
            switch error {
            case .notMedia, .digestMismatch, .incomplete: partial.discard()
            default: partial.keepFinished()
            }
            handleFailure(error)
        }
    }

    func pause() {
        settle { partial in
            .paused(byteCount: partial.byteCount, hasResume: partial.canResume(url: self.request.url))
        }
    }

    func fail(_ error: TransferError, isTemporary: Bool) {
        settle { _ in .failed(self.failure(error, isTemporary: isTemporary)) }
    }

    /// Ends before anything was touched.
    func refuse(_ error: TransferError) {
        let failure = DownloadFailure(
            error: error, isTemporary: false, hasResume: false, byteCount: 0, expected: .unknown)
        finish(.failed(failure))
    }

    func failure(_ error: TransferError, isTemporary: Bool) -> DownloadFailure {
        DownloadFailure(
            error: error, isTemporary: isTemporary, hasResume: partial.canResume(url: request.url),
            byteCount: partial.byteCount, expected: expected)
    }

    private func settle(_ makeEvent: (PartialDownload) -> DownloadEvent) {
        phase = .settling(makeEvent(partial))
        worker.runOnDiskThread(for: id, partial.settle())
    }

    func finish(_ event: DownloadEvent) {
        worker.removeJob(id, key: hasKey ? request.key : nil)
        events.push(event)
    }
}
