import Foundation

/// An HTTP/1.1 server on the loopback address that misbehaves exactly as told.
///
/// One thread accepts connections, and each connection has its own. Every request is recorded, and so is the
/// number of body bytes sent, so that a test can prove what was fetched and how often.
public final class DummyServer: Sendable {
    public let port: UInt16
    private let address: String
    private let hostCount: Int
    private let state = ServerState()

    /// None for a port that somebody chose.
    private let reservations: [PortReservation]

    /// Starts listening; port 0 takes any free one.
    ///
    /// With more than one host it answers on 127.0.0.1, 127.0.0.2 and so on, all on the same port.
    public init(port: UInt16 = 0, address: String = "127.0.0.1", hostCount: Int = 1) throws {
        let first = try ListeningSocket(port: port, address: address, isShared: port == 0)
        self.port = first.port
        self.address = address
        self.hostCount = hostCount
        reservations =
            port == 0
            ? try (0..<max(hostCount, 1)).map { host in
                try PortReservation(port: first.port, address: address, host: host)
            } : []
        accept(on: first)
        try listenOnOtherHosts()
    }

    deinit { stop() }

    /// The address of a path on this server.
    public func url(_ path: String, host: String? = nil) -> String {
        "http://\(host ?? address):\(port)\(path)"
    }

    /// Answers every request for the path with the same reply.
    ///
    /// A path with a query is matched before the same path without one.
    public func serve(_ path: String, _ reply: Reply) {
        serve(path) { _, _ in reply }
    }

    /// Answers the first requests for the path with the replies in turn, all later ones with the last.
    public func serve(_ path: String, inTurn replies: [Reply]) {
        serve(path) { _, count in replies[min(count, replies.count) - 1] }
    }

    /// Asks `makeReply` for each reply, with the request and its number on this path, from 1.
    public func serve(_ path: String, _ makeReply: @escaping @Sendable (RecordedRequest, Int) -> Reply) {
        state.setRoute(path, makeReply)
    }

    /// Answers every path that has no reply of its own.
    public func serveOtherPaths(
        _ makeReply: @escaping @Sendable (RecordedRequest, Int) -> Reply
    ) {
        state.setRoute("*", makeReply)
    }

    /// All requests so far, in the order of their arrival.
    public var requests: [RecordedRequest] { state.log.read(\.requests) }

    public func requests(to path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// The number of body bytes sent on the path since the start, over all requests.
    public func bodyByteCount(on path: String) -> Int64 {
        state.log.read { $0.bodyByteCounts[path] ?? 0 }
    }

    public var connectionCount: Int { state.log.read(\.connectionCount) }

    /// Forgets the requests and the byte counts.
    public func clearLog() { state.log.clear() }

    /// Returns once so many requests have come, over all paths.
    public func waitForRequests(_ count: Int) async {
        await state.log.wait { $0.requests.count >= count }
    }

    /// Returns once so many requests for the path have come.
    public func waitForRequests(_ count: Int, to path: String) async {
        await state.log.wait { state in state.requests.count { $0.path == path } >= count }
    }

    /// Returns once so many body bytes have been sent on the path.
    public func waitForBodyBytes(_ count: Int64, on path: String) async {
        await state.log.wait { $0.bodyByteCounts[path, default: 0] >= count }
    }

    /// Lets every stalled reply on the path go on, now and later.
    public func release(_ path: String) { state.release(path) }

    /// Closes the port and all connections; requests and counts stay readable.
    public func stop() {
        state.shutDownSockets()
    }

    /// Listens again on the same port after `stop`.
    public func start() throws {
        accept(on: try ListeningSocket(port: port, address: address, isShared: !reservations.isEmpty))
        try listenOnOtherHosts()
    }

    private func listenOnOtherHosts() throws {
        for host in 1..<max(hostCount, 1) {
            accept(
                on: try ListeningSocket(
                    port: port, address: address, host: host, isShared: !reservations.isEmpty))
        }
    }

    private func accept(on listener: ListeningSocket) {
        state.addSocket(listener.descriptor)
        // The threads keep the state alive and never the server itself, so that its end can stop them.
        Thread.detachNewThread { [state] in
            while let connection = listener.accept() {
                state.addSocket(connection)
                state.log.addConnection()
                Thread.detachNewThread {
                    Connection(socket: connection, state: state).serve()
                    state.closeSocket(connection)
                }
            }
            state.closeSocket(listener.descriptor)
        }
    }
}
