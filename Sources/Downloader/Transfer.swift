internal import CCurl

/// Takes what one transfer brings; called on the loop's thread only.
protocol TransferSink: AnyObject {
    /// Takes the head of the last response; false ends the transfer before its body.
    func begin(_ head: ResponseHead) -> Bool

    /// Takes the next body bytes, which are gone after the call; false ends the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Learns how the transfer ended; the last call, after libcurl has let go of it.
    func end(_ outcome: TransferOutcome)
}

/// How a transfer ended.
enum TransferOutcome {
    case completed(ResponseHead, BodyEnding)
    /// The sink ended it, and knows why.
    case stopped
    case failed(TransferError)
}

/// One request with its redirects and its response.
///
/// libcurl keeps this object's address for its callbacks. The loop holds the object from `MultiHandle.add` until
/// after `MultiHandle.remove`, and libcurl calls back only in between.
final class Transfer {
    let easy: EasyHandle
    let url: String
    /// Whether the transfer counts against the limit for all downloads together.
    let sharesBandwidth: Bool
    private let sink: any TransferSink
    private var assembler = HeadAssembler()
    private var head: ResponseHead?
    private var hasStopped = false
    private var headIsTooLarge = false

    init(_ request: TransferRequest, sink: any TransferSink) throws(TransferError) {
        easy = try EasyHandle()
        url = request.url
        sharesBandwidth = request.sharesBandwidth
        self.sink = sink
        try request.apply(to: easy)
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_WRITEDATA, pointer: context)
        try easy.set(CURLOPT_HEADERDATA, pointer: context)
        try easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.at(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        try easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.at(context)?.receive(headLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
                ?? 0
        }
    }

    /// Passes the end on to the sink, translated.
    func end(with code: CURLcode) {
        if hasStopped {
            sink.end(.stopped)
        } else if code == CURLE_OK, let head {
            sink.end(.completed(head, ending(of: head)))
        } else {
            sink.end(.failed(error(code)))
        }
    }

    /// Ends a transfer that could not be handed to libcurl.
    func end(with error: TransferError) {
        sink.end(.failed(error))
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes body bytes; any other number than theirs makes libcurl end the transfer.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if sink.receive(bytes) { return bytes.count }
        hasStopped = true
        return bytes.count == 0 ? 1 : 0
    }

    private func receive(headLine bytes: UnsafeRawBufferPointer) -> Int {
        do {
            let line = String(decoding: bytes, as: UTF8.self)
            guard var head = try assembler.add(line: line, effectiveURL: effectiveURL) else {
                return bytes.count
            }
            head.retryAfter = retryAfter
            head.lastModifiedTime = head.lastModified.flatMap { httpTime($0) }
            head.dateTime = head.date.flatMap { httpTime($0) }
            head.expiresTime = head.expires.flatMap { httpTime($0) }
            self.head = head
            if sink.begin(head) { return bytes.count }
            hasStopped = true
        } catch {
            headIsTooLarge = true
        }
        return 0
    }

    private func effectiveURL() -> String {
        easy.text(CURLINFO_EFFECTIVE_URL) ?? url
    }

    private var retryAfter: Duration? {
        let seconds = easy.offset(CURLINFO_RETRY_AFTER)
        return seconds > 0 ? .seconds(seconds) : nil
    }

    private func ending(of head: ResponseHead) -> BodyEnding {
        if head.contentLength != nil { return .lengthReached }
        let isFramed = head.isChunked || easy.number(CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
        return isFramed ? .lastChunk : .closed
    }

    private func error(_ code: CURLcode) -> TransferError {
        let error = CurlError(
            code: Int(code.rawValue), message: headFault(code) ?? String(cString: curl_easy_strerror(code)),
            url: withoutSecrets(effectiveURL()))
        if headFault(code) != nil { return .connectionLost(error) }
        // A host that lets nobody in is away; one that lets in and says nothing is not.
        let isConnected = easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0
        if code == CURLE_OPERATION_TIMEDOUT && !isConnected { return .unreachable(error) }
        return transferError(error)
    }

    /// What is wrong with the response's head, where libcurl's code says something else or nothing.
    private func headFault(_ code: CURLcode) -> String? {
        if headIsTooLarge { return "the response's head is too large" }
        guard head == nil else { return nil }
        switch code {
        // To libcurl a head that is cut off is the whole response.
        case CURLE_OK: return "the response ends within its head"
        // One line of a head may have 100 KB; libcurl before 8.6 takes more of them for a lack of memory.
        case CURLE_OUT_OF_MEMORY where easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0:
            return "the response's head is too large"
        default: return nil
        }
    }
}

/// Reads a date of an HTTP header as seconds since 1970.
private func httpTime(_ text: String) -> Int64? {
    let time = curl_getdate(text, nil)
    return time >= 0 ? Int64(time) : nil
}

extension CurlError {
    /// Whether nobody trusted vouches for the server.
    var isUntrusted: Bool { code == Int(CURLE_PEER_FAILED_VERIFICATION.rawValue) }
}

/// Sorts libcurl's codes by what the caller can do about them.
func transferError(_ error: CurlError) -> TransferError {
    switch CURLcode(UInt32(error.code)) {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
        CURLE_INTERFACE_FAILED:
        .unreachable(error)
    case CURLE_OPERATION_TIMEDOUT: .timedOut(error)
    case CURLE_URL_MALFORMAT: .invalidURL(error.url)
    // What stood in the way of a reply was not HTTP: mostly the rest of the one before on the same connection.
    case CURLE_UNSUPPORTED_PROTOCOL where error.message.contains("HTTP/0.9"): .connectionLost(error)
    case CURLE_UNSUPPORTED_PROTOCOL: .refusedProtocol(error)
    case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects(error)
    // A handshake that breaks off, as with a server that is started again, is none of these.
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
        .insecure(error)
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION:
        .loopUnavailable(error.message)
    default: .connectionLost(error)
    }
}
