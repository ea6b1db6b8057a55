import Glibc

/// One client connection: reads requests and sends what the script says, until either side ends it.
struct Connection {
    let socket: Int32
    let state: ServerState

    func serve() {
        var pending: [UInt8] = []
        while let head = readHead(&pending) {
            guard let request = RecordedRequest(head: head) else { return }
            let count = state.log.add(request)
            let reply = state.reply(to: request, count: count)
            guard send(reply, for: request) else { return }
        }
    }

    /// Reads up to the blank line; nil at the end of the connection or past 64 KB.
    private func readHead(_ pending: inout [UInt8]) -> String? {
        let end = Array("\r\n\r\n".utf8)
        var buffer = [UInt8](repeating: 0, count: 8192)
        while pending.count < 65_536 {
            if let index = pending.indices.first(where: { pending[$0...].starts(with: end) }) {
                let head = String(decoding: pending[..<index], as: UTF8.self)
                pending.removeSubrange(...(index + 3))
                return head
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            pending.append(contentsOf: buffer.prefix(count))
        }
        return nil
    }

    /// Sends one reply; false if the connection has to end with it.
    private func send(_ reply: Reply, for request: RecordedRequest) -> Bool {
        if reply.neverAnswers {
            _ = waitUntilClosed(socket, milliseconds: -1)
            return false
        }
        if reply.ranges == .closed, request.byteRange != nil { return false }
        let plan = ReplyPlan(reply, for: request)
        let head = Array(plan.head.utf8)
        if let count = reply.resetAfterHeadBytes ?? reply.closesAfterHeadBytes {
            _ = head.prefix(count).withUnsafeBytes { sendAll($0, to: socket) }
            if reply.resetAfterHeadBytes != nil { resetOnClose(socket) }
            return false
        }
        guard head.withUnsafeBytes({ sendAll($0, to: socket) }) else { return false }
        if request.method == "HEAD" { return true }
        let isChunked = plan.framing == .chunked || plan.framing == .chunkedWithoutEnd
        guard
            sendPiece(plan.preamble, isChunked: isChunked),
            sendBody(reply, range: plan.range, path: request.path, isChunked: isChunked),
            sendPiece(plan.epilogue, isChunked: isChunked)
        else { return false }
        switch plan.framing {
        case .contentLength: return true
        case .chunked: return Array("0\r\n\r\n".utf8).withUnsafeBytes { sendAll($0, to: socket) }
        case .chunkedWithoutEnd, .untilClose, .claimedLength: return false
        }
    }

    private func sendPiece(_ bytes: [UInt8], isChunked: Bool) -> Bool {
        bytes.withUnsafeBytes { sendPiece($0, isChunked: isChunked) }
    }

    private func sendPiece(_ bytes: UnsafeRawBufferPointer, isChunked: Bool) -> Bool {
        if bytes.isEmpty { return true }
        guard isChunked else { return sendAll(bytes, to: socket) }
        let size = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
        return size.withUnsafeBytes { sendAll($0, to: socket) }
            && sendAll(bytes, to: socket)
            && Array("\r\n".utf8).withUnsafeBytes { sendAll($0, to: socket) }
    }

    /// Sends the range up to the first scripted fault; false if the connection has to end there.
    private func sendBody(_ reply: Reply, range: Range<Int64>, path: String, isChunked: Bool) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let sent = offset - range.lowerBound
            if sent == reply.tearAfter {
                if reply.tearsWithReset { resetOnClose(socket) }
                return false
            }
            if sent == reply.stallAfter, !waitForRelease(path: path) { return false }
            var limit = min(range.upperBound - offset, 1 << 18)
            if let bytesPerSecond = reply.bytesPerSecond {
                limit = min(limit, max(1, bytesPerSecond / 20))
                usleep(useconds_t(1_000_000 * limit / bytesPerSecond))
            }
            for fault in [reply.tearAfter, reply.stallAfter].compactMap(\.self) where fault > sent {
                limit = min(limit, fault - sent)
            }
            let count = withPiece(of: reply.body, at: offset, limit: limit) { piece in
                sendPiece(piece, isChunked: isChunked) ? piece.count : 0
            }
            guard count > 0 else { return false }
            state.log.addBodyBytes(count, path: path)
            offset += Int64(count)
        }
        return true
    }

    private func withPiece<Result>(
        of body: Reply.Body, at offset: Int64, limit: Int64, _ use: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch body {
        case .pattern(let pattern): pattern.withPiece(at: offset, limit: limit, use)
        case .bytes(let bytes):
            bytes.withUnsafeBytes { bytes in
                use(UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + limit)]))
            }
        }
    }

    /// Waits until the test releases the path; false if the client left before.
    private func waitForRelease(path: String) -> Bool {
        while !state.isReleased(path) {
            if waitUntilClosed(socket, milliseconds: 20) { return false }
        }
        return true
    }
}
