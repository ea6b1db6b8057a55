internal import CCurl

/// Owns the curl multi handle, and the share handle that carries TLS sessions between its transfers.
///
/// DNS answers and connections are shared by the multi handle itself. Belongs to the loop's thread; only
/// `curl_multi_wakeup` may be called from others.
final class MultiHandle {
    let pointer: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer

    init(_ configuration: TransferConfiguration) throws(TransferError) {
        guard globalInitCode == CURLE_OK else { throw .loopUnavailable("libcurl cannot be initialised") }
        guard let share = curl_share_init() else { throw .loopUnavailable("libcurl gave no share handle") }
        guard let pointer = curl_multi_init() else {
            curl_share_cleanup(share)
            throw .loopUnavailable("libcurl gave no multi handle")
        }
        self.share = share
        self.pointer = pointer
        let data = Int(CURL_LOCK_DATA_SSL_SESSION.rawValue)
        guard podget_share_setopt_long(share, CURLSHOPT_SHARE, data) == CURLSHE_OK else {
            throw .loopUnavailable("TLS sessions cannot be shared")
        }
        try set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        // A connection that is closed too soon costs the next request to its host a handshake.
        try set(CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
        try set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    deinit {
        // All transfers have been removed before, so neither call can fail.
        curl_multi_cleanup(pointer)
        curl_share_cleanup(share)
    }

    func add(_ easy: EasyHandle) throws(TransferError) {
        try easy.set(CURLOPT_SHARE, pointer: share)
        try check(curl_multi_add_handle(pointer, easy.pointer))
    }

    func remove(_ easy: EasyHandle) {
        // It fails only for a handle that is not in here, which is what the caller wants.
        _ = curl_multi_remove_handle(pointer, easy.pointer)
        _ = podget_setopt_pointer(easy.pointer, CURLOPT_SHARE, nil)
    }

    /// Moves what can be moved without waiting.
    func perform() throws(TransferError) {
        var runningCount: Int32 = 0
        try check(curl_multi_perform(pointer, &runningCount))
    }

    /// Waits for the network, a wake-up or the time limit, whichever comes first.
    func poll(timeout: Duration) throws(TransferError) {
        try check(curl_multi_poll(pointer, nil, 0, Int32(clamping: timeout.millisecondsRoundedUp), nil))
    }

    /// Takes the next transfer that has ended, with its code.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var leftCount: Int32 = 0
        while let message = curl_multi_info_read(pointer, &leftCount) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            return (easy, podget_message_result(message))
        }
        return nil
    }

    private func set(_ option: CURLMoption, _ value: Int) throws(TransferError) {
        try check(podget_multi_setopt_long(pointer, option, value))
    }

    private func check(_ code: CURLMcode) throws(TransferError) {
        if code != CURLM_OK { throw .loopUnavailable(String(cString: curl_multi_strerror(code))) }
    }
}

/// The result of libcurl's set-up for the process, done once at the first use.
private let globalInitCode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

extension Duration {
    /// Whole milliseconds, so that a wait never ends just before its time.
    var millisecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        if seconds > 1_000_000_000 { return 1_000_000_000_000 }
        return max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
