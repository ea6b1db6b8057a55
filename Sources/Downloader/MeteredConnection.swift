import Foundation

/// Whether the network connection costs by volume, as NetworkManager tells over D-Bus.
///
/// The bus is spoken to by its own tools, so that podget runs where there is none. Without NetworkManager, a bus or
/// `busctl` no connection is metered.
public struct MeteredConnection: Sendable {
    private let busAddress: String?

    /// - Parameter busAddress: The bus to ask; nil for the system's, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
    public init(busAddress: String? = nil) {
        self.busAddress = busAddress
    }

    /// Asks once.
    public func isMetered() async -> Bool {
        let words = [
            "busctl", busAddress.map { "--address=\($0)" } ?? "--system", "--timeout=5", "--auto-start=no",
            "get-property", Self.service, Self.object, Self.service, "Metered",
        ]
        var reply: [UInt8] = []
        for await piece in output(of: words, buffering: .unbounded) { reply += piece }
        return meansMetered(reply: String(decoding: reply, as: UTF8.self))
    }

    /// Tells the state now, and then every change of it.
    ///
    /// Sleeps until the bus has news. Ends where the bus cannot be watched.
    public func states() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let watcher = Task {
                var state = await isMetered()
                continuation.yield(state)
                // Whatever the monitor prints is a reason to ask again, so its output needs no reading; its first
                // words come when it watches, and its end may be that of the bus.
                for await _ in output(of: monitor, buffering: .bufferingNewest(1)) {
                    let newState = await isMetered()
                    if newState != state { continuation.yield(newState) }
                    state = newState
                }
                if state, await !isMetered() { continuation.yield(false) }
                continuation.finish()
            }
            continuation.onTermination = { _ in watcher.cancel() }
        }
    }

    /// `busctl monitor` is root's alone; `dbus-monitor` is content with what every program may hear.
    private var monitor: [String] {
        ["dbus-monitor"] + (busAddress.map { ["--address", $0] } ?? ["--system"]) + [
            "type='signal',path='\(Self.object)',member='PropertiesChanged',arg0='\(Self.service)'",
            "type='signal',member='NameOwnerChanged',arg0='\(Self.service)'",
        ]
    }

    private static let service = "org.freedesktop.NetworkManager"
    private static let object = "/org/freedesktop/NetworkManager"
}

/// Reads what `busctl get-property` prints, `u` and one of NetworkManager's `NMMetered` values.
func meansMetered(reply: String) -> Bool {
    let yes = "1"
    let guessedYes = "3"
    let words = reply.split(whereSeparator: \.isWhitespace)
    return words.count == 2 && words[0] == "u" && (words[1] == yes || words[1] == guessedYes)
}

/// Runs a command, and hands out what it prints piece by piece; nothing where it cannot be run.
///
/// Whoever stops reading ends the command.
private func output(
    of words: [String], buffering: AsyncStream<Data>.Continuation.BufferingPolicy
) -> AsyncStream<Data> {
    AsyncStream(bufferingPolicy: buffering) { continuation in
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let isStarted = startThread {
            // The command inherits it; on the threads of Swift's tasks all signals are blocked, those included by
            // which it is ended, or ends when nobody reads any more. Neither call can fail.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            do {
                try process.run()
                continuation.onTermination = { _ in if process.isRunning { process.terminate() } }
                while case let piece = pipe.fileHandleForReading.availableData, !piece.isEmpty {
                    // Nobody reads any more, since before the line above.
                    if case .terminated = continuation.yield(piece) { process.terminate() }
                }
            } catch {
                // No such command: nothing is printed.
            }
            continuation.finish()
        }
        if !isStarted { continuation.finish() }
    }
}
