import Glibc

/// A port whose queue is full, so that a connection to it is neither made nor refused.
public final class ClosedDoor: Sendable {
    public let url: String
    private let listener: Int32
    private let waiting: [Int32]

    public init() throws {
        let door = try ListeningSocket(port: 0)
        // Nobody accepts, and with the least of queues a few connections fill it.
        guard listen(door.descriptor, 0) == 0 else { throw SocketError(operation: "listen", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = door.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        listener = door.descriptor
        url = "http://127.0.0.1:\(door.port)/a.mp3"
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        waiting = (0..<4).map { _ in
            let socket = socket(AF_INET, kind, 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return socket
        }
    }

    deinit {
        for socket in waiting { close(socket) }
        close(listener)
    }
}
