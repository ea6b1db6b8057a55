internal import CCurl

/// What is asked of libcurl for one transfer: one typed line per option.
struct TransferRequest {
    var url: String
    var headers: [String] = []
    /// `first-`; as a plain range, so that a 200 stays a decision of ours and no error of libcurl's.
    var range: String?
    var userAgent: String
    var credentials: Credentials?
    var decodesContent = false
    var receiveBufferByteCount: Int?
    var sharesBandwidth = false
    var totalTimeout: Duration?
    var configuration: TransferConfiguration

    init(url: String, configuration: TransferConfiguration) {
        self.url = url
        self.configuration = configuration
        userAgent = configuration.userAgent
    }

    func apply(to easy: EasyHandle) throws(TransferError) {
        guard let address = Address(url) else { throw .invalidURL(withoutSecrets(url)) }
        try easy.set(CURLOPT_URL, address.forRequest)
        // Signals are the process's own; libcurl's resolver runs in a thread without them.
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_FOLLOWLOCATION, 1)
        try easy.set(CURLOPT_MAXREDIRS, configuration.maximumRedirects)
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try easy.set(CURLOPT_USERAGENT, headerText(userAgent))
        try easy.set(headers: headers)
        try easy.set(CURLOPT_RANGE, range)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout.millisecondsRoundedUp))
        try easy.set(CURLOPT_LOW_SPEED_LIMIT, configuration.lowSpeedBytesPerSecond)
        try easy.set(CURLOPT_LOW_SPEED_TIME, Int(max(1, configuration.lowSpeedTime.components.seconds)))
        if let totalTimeout { try easy.set(CURLOPT_TIMEOUT_MS, Int(totalTimeout.millisecondsRoundedUp)) }
        if decodesContent { try easy.set(CURLOPT_ACCEPT_ENCODING, "") }
        if let receiveBufferByteCount { try easy.set(CURLOPT_BUFFERSIZE, receiveBufferByteCount) }
        try applyTrust(to: easy)
    }

    private func applyTrust(to easy: EasyHandle) throws(TransferError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let path = configuration.caBundlePath { try easy.set(CURLOPT_CAINFO, path) }
        try easy.set(CURLOPT_UNRESTRICTED_AUTH, 0)
        let netrc = configuration.usesNetrc ? CURL_NETRC_OPTIONAL : CURL_NETRC_IGNORED
        try easy.set(CURLOPT_NETRC, Int(netrc.rawValue))
        if let credentials {
            try easy.set(CURLOPT_USERNAME, credentials.user)
            try easy.set(CURLOPT_PASSWORD, credentials.password)
        }
    }
}

/// Cuts a text at its first control character, so that no feed can add header lines.
func headerText(_ text: String) -> String {
    // No byte of a longer character is one of these.
    guard let end = text.utf8.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return String(text[..<end])
}
