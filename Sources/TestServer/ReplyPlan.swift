/// One reply worked out for one request: the head to send, and which bytes of the body.
struct ReplyPlan {
    var status: Int
    var headers: [(String, String)] = []
    var range: Range<Int64>
    /// Sent before and after the range; a multipart body needs both.
    var preamble: [UInt8] = []
    var epilogue: [UInt8] = []
    var framing: Reply.Framing

    init(_ reply: Reply, for request: RecordedRequest) {
        status = reply.status
        range = 0..<reply.body.byteCount
        framing = reply.framing
        if let login = reply.basicAuth,
            request.headers["authorization"] != "Basic " + base64(Array(login.utf8))
        {
            refuse(401, headers: [("WWW-Authenticate", "Basic realm=\"test\"")])
            return
        }
        if request.method == "HEAD" && reply.refusesHead {
            refuse(405, headers: [])
            return
        }
        headers = reply.headers
        if let etag = reply.etag { headers.append(("ETag", etag)) }
        if let lastModified = reply.lastModified { headers.append(("Last-Modified", lastModified)) }
        if let contentType = reply.contentType { headers.append(("Content-Type", contentType)) }
        if reply.honoursConditions && isUnchanged(reply, for: request) {
            status = 304
            range = 0..<0
        } else if status == 200, let wanted = request.byteRange, ifRangeHolds(reply, for: request) {
            applyRange(reply, first: wanted.first, last: wanted.last)
        }
    }

    private mutating func refuse(_ status: Int, headers: [(String, String)]) {
        self.status = status
        self.headers = headers
        range = 0..<0
        framing = .contentLength
    }

    var head: String {
        var lines = ["HTTP/1.1 \(status) \(reason(of: status))"]
        lines += headers.map { "\($0.0): \($0.1)" }
        switch framing {
        case .contentLength where status == 304: break
        case .contentLength:
            lines.append("Content-Length: \(Int64(preamble.count + epilogue.count) + Int64(range.count))")
        case .claimedLength(let count): lines.append("Content-Length: \(count)")
        case .chunked, .chunkedWithoutEnd: lines.append("Transfer-Encoding: chunked")
        case .untilClose: lines.append("Connection: close")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private mutating func applyRange(_ reply: Reply, first: Int64, last: Int64?) {
        let total = reply.body.byteCount
        if case .refused(let claimed) = reply.ranges {
            refuseRange(total: claimed)
            return
        }
        if case .status(let status) = reply.ranges {
            refuse(status, headers: [])
            return
        }
        if reply.ranges == .ignored { return }
        guard first < total else {
            refuseRange(total: total)
            return
        }
        status = 206
        range = first..<min(total, (last ?? total - 1) + 1)
        var claimedTotal = "\(total)"
        switch reply.ranges {
        case .honoured, .ignored, .refused, .status, .closed: break
        case .shifted(let distance): range = min(total, max(0, first + distance))..<range.upperBound
        case .total(let count): claimedTotal = "\(count)"
        case .unknownTotal: claimedTotal = "*"
        case .shortened(let end): range = first..<max(first, min(end, total))
        case .withoutContentRange: return
        case .multipart:
            wrapInMultipart(total: total)
            return
        }
        headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(claimedTotal)"))
    }

    private mutating func refuseRange(total: Int64?) {
        status = 416
        range = 0..<0
        if let total { headers.append(("Content-Range", "bytes */\(total)")) }
    }

    private mutating func wrapInMultipart(total: Int64) {
        headers.removeAll { $0.0 == "Content-Type" }
        headers.append(("Content-Type", "multipart/byteranges; boundary=cut"))
        let part =
            "--cut\r\nContent-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)\r\n\r\n"
        preamble = Array(part.utf8)
        epilogue = Array("\r\n--cut--\r\n".utf8)
    }

    private func isUnchanged(_ reply: Reply, for request: RecordedRequest) -> Bool {
        if let condition = request.headers["if-none-match"], let etag = reply.etag {
            return withoutWeakness(condition) == withoutWeakness(etag)
        }
        if let condition = request.headers["if-modified-since"], let lastModified = reply.lastModified {
            return condition == lastModified
        }
        return false
    }

    /// Tells whether the range may be used: `If-Range` needs a strong match (RFC 9110 §13.1.5).
    private func ifRangeHolds(_ reply: Reply, for request: RecordedRequest) -> Bool {
        guard reply.honoursIfRange, let condition = request.headers["if-range"] else { return true }
        if condition.hasPrefix("W/") { return false }
        return condition == reply.etag || condition == reply.lastModified
    }
}

private func withoutWeakness(_ etag: String) -> Substring {
    etag.hasPrefix("W/") ? etag.dropFirst(2) : Substring(etag)
}

private func reason(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 304: "Not Modified"
    case 404: "Not Found"
    default: "Status"
    }
}

/// Encodes bytes as base64 (RFC 4648 §4).
func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[start + $1] : 0) }
        for index in 0..<4 {
            text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : "=")
        }
    }
    return text
}
