/// Fetches one document into a receiver.
final class DocumentFetch<Receiver: BodyReceiver>: LoopJob, TransferSink {
    typealias Outcome = Result<Document<Receiver.Output>, TransferError>

    private let id: Int
    private let request: DocumentRequest
    private let makeReceiver: (ResponseHead) -> Receiver
    private unowned let worker: TransferWorker
    /// Nil once it has its answer.
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var head: ResponseHead?
    private var transfer: Transfer?
    private var receiver: Receiver?
    private var byteCount: Int64 = 0
    private var refusal: TransferError?

    init(
        id: Int, request: DocumentRequest, makeReceiver: @escaping (ResponseHead) -> Receiver,
        worker: TransferWorker, continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.id = id
        self.request = request
        self.makeReceiver = makeReceiver
        self.worker = worker
        self.continuation = continuation
    }

    func start() {
        do {
            let transfer = try Transfer(makeTransferRequest(), sink: self)
            self.transfer = transfer
            worker.start(transfer)
        } catch {
            finish(.failure(error))
        }
    }

    func cancel() {
        if let transfer { worker.stop(transfer) }
        finish(.failure(.cancelled))
    }

    func abandon(_ error: TransferError) {
        finish(.failure(error))
    }

    // A document waits for nothing but its transfer.
    func wake() {}
    func diskWorkDone(_ result: DiskResult) {}
    func hostIsGivenUp(_ error: TransferError) {}

    func begin(_ head: ResponseHead) -> Bool {
        if let host = Address(request.url)?.host { worker.hostAnswered(host) }
        switch head.status {
        case 304: return true
        case 200..<300:
            if head.contentEncoding == nil, let count = head.contentLength, count > request.byteLimit {
                refusal = .tooLarge(byteLimit: request.byteLimit)
                return false
            }
            self.head = head
            receiver = makeReceiver(head)
            return true
        default:
            refusal = .status(head)
            return false
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += Int64(bytes.count)
        if byteCount > request.byteLimit {
            refusal = .tooLarge(byteLimit: request.byteLimit)
            return false
        }
        do {
            try receiver?.receive(bytes)
            // libcurl tells the ends of all transfers of a round together; whoever waits for this one gets it now.
            if let head, head.contentEncoding == nil, head.contentLength == byteCount {
                answer(document(head))
            }
            return true
        } catch {
            refusal = .receiver(error)
            return false
        }
    }

    func end(_ outcome: TransferOutcome) {
        switch outcome {
        case .completed(let head, _): finish(document(head))
        case .stopped: finish(.failure(refusal ?? .cancelled))
        case .failed(let error): finish(.failure(error))
        }
    }

    private func document(_ head: ResponseHead) -> Outcome {
        do {
            return .success(Document(head: head, output: try receiver?.finish()))
        } catch {
            return .failure(.receiver(error))
        }
    }

    private func finish(_ outcome: Outcome) {
        transfer = nil
        worker.removeJob(id)
        answer(outcome)
    }

    private func answer(_ outcome: Outcome) {
        receiver = nil
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    private func makeTransferRequest() -> TransferRequest {
        var transfer = TransferRequest(url: request.url, configuration: worker.configuration)
        transfer.userAgent = request.userAgent ?? transfer.userAgent
        transfer.credentials = request.credentials
        transfer.decodesContent = true
        transfer.totalTimeout = request.totalTimeout
        if let accept = request.acceptHeader { transfer.headers.append("Accept: \(headerText(accept))") }
        if let etag = request.etag { transfer.headers.append("If-None-Match: \(headerText(etag))") }
        if let lastModified = request.lastModified {
            transfer.headers.append("If-Modified-Since: \(headerText(lastModified))")
        }
        return transfer
    }
}
