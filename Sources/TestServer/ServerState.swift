import Glibc
import Synchronization

/// What the server's threads share: routes, releases, open sockets and the log.
final class ServerState: Sendable {
    typealias Route = @Sendable (RecordedRequest, Int) -> Reply

    let log = RequestLog()
    private let routes = Mutex<[String: Route]>([:])
    private let released = Mutex<Set<String>>([])
    private let sockets = Mutex<Set<Int32>>([])

    func setRoute(_ path: String, _ route: @escaping Route) {
        routes.withLock { $0[path] = route }
    }

    /// Makes the reply of the route for the target, else for its path, else for all others, else a 404.
    func reply(to request: RecordedRequest, count: Int) -> Reply {
        let route = routes.withLock { $0[request.target] ?? $0[request.path] ?? $0["*"] }
        return route?(request, count) ?? .status(404, text: "no such path")
    }

    func release(_ path: String) {
        released.withLock { _ = $0.insert(path) }
    }

    func isReleased(_ path: String) -> Bool {
        released.withLock { $0.contains(path) }
    }

    func addSocket(_ socket: Int32) {
        sockets.withLock { _ = $0.insert(socket) }
    }

    /// Closes a socket under the lock, so that no number is shut down after it was given away again.
    func closeSocket(_ socket: Int32) {
        sockets.withLock { sockets in
            sockets.remove(socket)
            close(socket)
        }
    }

    /// Ends all reading, writing and accepting; the threads then close their sockets themselves.
    func shutDownSockets() {
        sockets.withLock { sockets in
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}
