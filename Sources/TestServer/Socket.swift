import Glibc

/// A failed call of the socket interface.
public struct SocketError: Error {
    public let operation: String
    public let code: Int32
}

/// A listening TCP socket, on the loopback address unless told otherwise.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    /// Listens on an address, or on the one so many after it.
    ///
    /// - Parameters:
    ///   - isShared: Whether a `PortReservation` may have the same port.
    ///   - listens: Whether connections are taken at all.
    init(
        port wanted: UInt16, address first: String = "127.0.0.1", host: Int = 0, isShared: Bool = false,
        listens: Bool = true
    ) throws(SocketError) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw SocketError(operation: "socket", code: errno) }
        var isOn: Int32 = 1
        // Without it a restarted server could not take its former port while old connections linger.
        for option in isShared ? [SO_REUSEADDR, SO_REUSEPORT] : [SO_REUSEADDR] {
            let length = socklen_t(MemoryLayout<Int32>.size)
            guard setsockopt(socket, SOL_SOCKET, option, &isOn, length) == 0 else {
                throw SocketError.closing(socket, operation: "setsockopt")
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = (UInt32(bigEndian: inet_addr(first)) + UInt32(host)).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(socket, address, length) == 0, !listens || listen(socket, 256) == 0 else {
                    return -1
                }
                return Int(getsockname(socket, address, &length))
            }
        }
        guard code == 0 else { throw SocketError.closing(socket, operation: "bind") }
        descriptor = socket
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Waits for the next connection; nil once the socket is shut down.
    func accept() -> Int32? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }
}

/// Keeps a port from being given to somebody else while nobody listens there.
///
/// A client that goes on asking for a server that stopped would otherwise meet that of another test.
final class PortReservation: Sendable {
    private let descriptor: Int32

    init(port: UInt16, address: String, host: Int) throws(SocketError) {
        descriptor = try ListeningSocket(
            port: port, address: address, host: host, isShared: true, listens: false
        ).descriptor
    }

    deinit { close(descriptor) }
}

extension SocketError {
    /// Makes the error of the last call and closes the socket.
    static func closing(_ socket: Int32, operation: String) -> SocketError {
        let error = SocketError(operation: operation, code: errno)
        close(socket)
        return error
    }
}

/// Sends all bytes; false once the client has left.
func sendAll(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count < 0 {
            if errno == EINTR { continue }
            return false
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
}

/// Makes the next `close` send a reset instead of an orderly end.
func resetOnClose(_ socket: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
}

/// Waits until the client has closed its side, or a time limit has passed; -1 waits without limit.
func waitUntilClosed(_ socket: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0
}
